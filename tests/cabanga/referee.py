"""A slow, obvious referee of Cabanga: the oracle that the fast implementation is compared with.

It is written from the printed rules, one small method a rule, on plain lists of card codes such
as "Y6". Rule numbers (C1 to C11) are those of docs/rules/cabanga.md; lay the two side by side.

How a round runs:

    play (C2) -> colour penalty (C3) -> throw window (C4-C7) -> is a hand empty? (C8)
        no:  the next seat plays
        yes: score (C9) -> game over (C11), or a new round (C1, C10)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

COLOURS = ["R", "B", "V", "Y"]  # red, blue, violet, yellow: the order of cards and of rows
VALUES = list(range(1, 19))
DECK = [f"{colour}{value}" for colour in COLOURS for value in VALUES]  # in card order
HAND_SIZE = 8
LEFT, RIGHT = 0, 1
SIDES = [LEFT, RIGHT]

FIRST_THROW = len(DECK) * len(SIDES)  # 144: the actions before it are plays
PASS = FIRST_THROW + len(VALUES)  # 162: the actions before it are throws

PLAY, THROW, OVER = "play", "throw", "over"

DEFAULT_TARGET = 18
DEFAULT_POINTS = [
    *(1, 1, 1),  # 1-3
    *(2, 2, 2),  # 4-6
    *(3, 3, 3, 3, 3, 3),  # 7-12
    *(2, 2, 2),  # 13-15
    *(1, 1, 1),  # 16-18
]

Deal = Mapping[str, Any]


def colour_of(card: str) -> str:
    """The colour letter of a card code: "Y" of "Y12"."""
    return card[0]


def value_of(card: str) -> int:
    """The number of a card code: 12 of "Y12"."""
    return int(card[1:])


def play_action(card: str, side: int) -> int:
    """The action that plays a card on the left or right pile of its row (0 to 143)."""
    return len(SIDES) * DECK.index(card) + side


def throw_action(value: int) -> int:
    """The action that throws the card of this value in the colour of the gap (144 to 161)."""
    return FIRST_THROW + VALUES.index(value)


class Referee:
    """One game of Cabanga, from the first deal to the final score.

    deal(round_number) says how a round is dealt. Keys:
        deck         72 card codes, next to be drawn first; dealt in blocks, player_0's eight first
        start_cards  8 values: red left, red right, blue left, blue right, violet ..., yellow ...
        starter      the seat that begins (looked at in round 1 only)
        hands        if given, nothing is dealt: these are the hands and `deck` is the draw pile
        discard      with `hands`: the discard, top last (default empty)
    reshuffle(codes, oldest first) returns the same codes in drawing order, next first.
    It is called only when there is something to shuffle.
    """

    hands: list[list[str]]  # of each seat, in the order in which the cards came
    draw_pile: list[str]  # the penalty pile, next to be drawn first
    discard: list[str]  # thrown cards, oldest first
    piles: dict[str, list[list[int]]]  # colour -> [left, right]: start card first, top last
    scores: list[int]  # totals over the rounds scored so far
    round: int  # from 1
    turn: int  # turns taken in this round
    active: int  # whose turn it is
    to_act: int | None  # who is asked; nobody when the game is over
    phase: str  # what that seat is asked: PLAY or THROW
    last_colour: str | None  # of the card played last in this round
    gap: tuple[str, int, int] | None  # colour, low, high while the throw window is open
    seats_to_ask: list[int]  # seats that may still throw in this window, in order

    def __init__(
        self,
        deal: Callable[[int], Deal],
        reshuffle: Callable[[list[str]], Sequence[str]],
        num_players: int = 4,
        target: int = DEFAULT_TARGET,
        rounds: int | None = None,
        points: Sequence[int] | None = None,
    ) -> None:
        """Start a game with its first round; `points` are the costs of values 1 to 18 (C9)."""
        self.deal = deal
        self.reshuffle = reshuffle
        self.seats = list(range(num_players))
        self.target = target
        self.rounds = rounds
        self.points = list(DEFAULT_POINTS if points is None else points)

        self.scores = [0 for _ in self.seats]
        self.rewards = [0 for _ in self.seats]  # of the step that is being taken
        self.round = 0
        self.start_round()

    # Set-up

    def start_round(self) -> None:
        """C1. Lay out the start cards, deal the hands; the rest is the penalty pile."""
        self.round += 1
        deal = self.deal(self.round)
        self.lay_out_start_cards(list(deal["start_cards"]))
        if "hands" in deal:
            self.take_fixed_hands(deal)
        else:
            self.deal_hands(list(deal["deck"]))
        starter = self.next_starter(deal)
        self.turn = 0
        self.last_colour = None
        self.begin_turn(starter)

    def lay_out_start_cards(self, start_cards: list[int]) -> None:
        """C1. One start card begins the left and one the right pile of each colour's row."""
        self.piles = {}
        for colour in COLOURS:
            left = start_cards.pop(0)
            right = start_cards.pop(0)
            self.piles[colour] = [[left], [right]]

    def deal_hands(self, deck: list[str]) -> None:
        """C1. Eight cards each, the rest is the penalty pile, and nothing is discarded yet."""
        self.hands = []
        for _ in self.seats:
            self.hands.append(deck[:HAND_SIZE])
            deck = deck[HAND_SIZE:]
        self.draw_pile = deck
        self.discard = []

    def take_fixed_hands(self, deal: Deal) -> None:
        """A round laid out by hand: nothing is dealt, the deck is just the penalty pile."""
        self.hands = [list(hand) for hand in deal["hands"]]
        self.draw_pile = list(deal.get("deck", []))
        self.discard = list(deal.get("discard", []))

    def next_starter(self, deal: Deal) -> int:
        """C10. The seat left of the one who took the last turn starts; round 1's is dealt."""
        if self.round == 1:
            return int(deal["starter"])
        return self.left_of(self.active)

    # What the seat that is asked may do

    def legal(self) -> set[int]:
        """The actions allowed to the seat that is asked; none when the game is over."""
        if self.to_act is None:
            return set()
        if self.phase == PLAY:
            return self.legal_plays(self.to_act)
        return self.legal_throws(self.to_act)

    def legal_plays(self, seat: int) -> set[int]:
        """C2. Any card of the hand, on the left or the right pile of its own colour's row."""
        return {play_action(card, side) for card in self.hands[seat] for side in SIDES}

    def legal_throws(self, seat: int) -> set[int]:
        """C4. Any card that fits the gap, one at a time (C7), or none of them: pass."""
        return {throw_action(value_of(card)) for card in self.fitting_cards(seat)} | {PASS}

    def step(self, action: int) -> list[int]:
        """Carry out one action; the rewards are minus the round's scores when one is scored."""
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal for seat {self.to_act} ({self.phase})")
        self.rewards = [0 for _ in self.seats]
        if action < FIRST_THROW:
            card_number, side = divmod(action, len(SIDES))
            self.play(DECK[card_number], side)
        elif action < PASS:
            self.throw(VALUES[action - FIRST_THROW])
        else:
            self.pass_throw()
        return self.rewards

    # A turn

    def begin_turn(self, seat: int) -> None:
        """C2. The seat is asked for the one card that it must play."""
        self.active = seat
        self.to_act = seat
        self.phase = PLAY
        self.gap = None
        self.seats_to_ask = []

    def play(self, card: str, side: int) -> None:
        """C2. One card goes from the hand onto a pile of its colour; then come C3 and C4."""
        colour = colour_of(card)
        self.hands[self.active].remove(card)
        self.piles[colour][side].append(value_of(card))
        self.turn += 1
        self.pay_for_colour(colour)
        self.last_colour = colour
        self.open_window(colour)

    def pay_for_colour(self, colour: str) -> None:
        """C3. Whoever repeats the colour of the turn before draws one penalty card, at once."""
        if colour == self.last_colour:
            self.draw_penalty()

    def draw_penalty(self) -> None:
        """C6. Draw one penalty card; an empty pile is first rebuilt from the shuffled discard."""
        if not self.draw_pile and self.discard:
            self.draw_pile = list(self.reshuffle(list(self.discard)))
            self.discard = []
        if self.draw_pile:
            self.hands[self.active].append(self.draw_pile.pop(0))

    # The throw window

    def open_window(self, colour: str) -> None:
        """C4, C7. The gap lies between the row's tops; the others are asked clockwise."""
        low, high = sorted(self.tops(colour))
        self.gap = (colour, low, high)
        self.seats_to_ask = self.others_clockwise()
        self.ask_next_seat()

    def ask_next_seat(self) -> None:
        """C7. Ask the next seat that holds a fitting card; when there is none, the turn ends."""
        while self.seats_to_ask:
            seat = self.seats_to_ask[0]
            if self.fitting_cards(seat):
                self.to_act = seat
                self.phase = THROW
                return
            self.seats_to_ask.pop(0)
        self.end_turn()

    def fitting_cards(self, seat: int) -> list[str]:
        """C4. Cards of the gap's colour with a value strictly between its two ends."""
        assert self.gap is not None
        colour, low, high = self.gap
        return [
            card
            for card in self.hands[seat]
            if colour_of(card) == colour and low < value_of(card) < high
        ]

    def throw(self, value: int) -> None:
        """C5, C6. The thrown card goes to the discard, then the player draws one penalty card."""
        assert self.gap is not None
        assert self.to_act is not None
        card = f"{self.gap[0]}{value}"
        self.hands[self.to_act].remove(card)
        self.discard.append(card)
        self.draw_penalty()
        self.ask_next_seat()

    def pass_throw(self) -> None:
        """C7. A seat that passes is done with this window."""
        self.seats_to_ask.pop(0)
        self.ask_next_seat()

    # The end of a turn, of a round, of the game

    def end_turn(self) -> None:
        """C8. The round ends if any hand is empty after the window; else the next seat plays."""
        if any(not hand for hand in self.hands):
            self.end_round()
        else:
            self.begin_turn(self.left_of(self.active))

    def end_round(self) -> None:
        """C9, C11. Everyone scores the cards left; then the game ends or a new round starts."""
        round_scores = [self.hand_points(hand) for hand in self.hands]
        for seat in self.seats:
            self.scores[seat] += round_scores[seat]
            self.rewards[seat] = -round_scores[seat]
        if self.game_is_over():
            self.close_game()
        else:
            self.start_round()

    def hand_points(self, hand: list[str]) -> int:
        """C9. Each card left in hand costs the minus points of its value."""
        return sum(self.points[VALUES.index(value_of(card))] for card in hand)

    def game_is_over(self) -> bool:
        """C11. Over when some total reaches the target, or after `rounds` rounds if that is set."""
        if self.rounds is not None:
            return self.round >= self.rounds
        return max(self.scores) >= self.target

    def close_game(self) -> None:
        """The table stays as it was scored and nobody is asked any more."""
        self.phase = OVER
        self.to_act = None
        self.gap = None

    # The table

    def left_of(self, seat: int) -> int:
        """The left neighbour: the next seat clockwise."""
        return (seat + 1) % len(self.seats)

    def others_clockwise(self) -> list[int]:
        """Every seat but the active one, from its left neighbour on."""
        others = []
        seat = self.left_of(self.active)
        while seat != self.active:
            others.append(seat)
            seat = self.left_of(seat)
        return others

    def tops(self, colour: str) -> list[int]:
        """The top values of a row's left and right pile."""
        return [pile[-1] for pile in self.piles[colour]]

    def snapshot(self) -> dict[str, Any]:
        """The full truth as plain JSON-able Python, in the words of docs/rules/cabanga.md."""
        return {
            "hands": [sorted(hand, key=DECK.index) for hand in self.hands],
            "draw_pile": list(self.draw_pile),
            "discard": list(self.discard),
            "scores": list(self.scores),
            "round": self.round,
            "turn": self.turn,
            "phase": self.phase,
            "to_act": self.to_act,
            "piles": [self.tops(colour) for colour in COLOURS],
            "last_colour": self.last_colour,
            "gap": None if self.gap is None else list(self.gap),
            "active": self.active,
        }
