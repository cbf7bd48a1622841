"""A slow, obvious referee of Allergo: the oracle that the fast implementation is compared with.

It is written from the printed rules, one small method a rule, on plain lists of card codes such
as "R5" or "+4". Rule numbers (A1 to A18) are those of docs/rules/allergo.md; lay the two side by
side.

How a round runs:

    turn up a card (A12), perhaps name its colour -> a turn:
        play (A2-A10), draw and perhaps play what was drawn (A14), take a fine (A5), or err (A15)
    after a card is laid:
        is the hand empty? (A3) -> announce, denounce (A13) -> clones (A16) -> its effect
    after the turn:
        turn limit (A18)? -> score; else the next seat's turn
    after the score:
        game over (A17), or a new round (A1, A18)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

COLOURS = ["R", "B", "G", "Y"]  # red, blue, green, yellow
NUMBERS = [str(value) for value in range(10)]
REVERSE, SKIP, PLUS_2 = "~", "/", "+2"  # coloured cards with a symbol
KINDS = [*NUMBERS, REVERSE, SKIP, PLUS_2]
CAPTAIN, PLUS_3, PLUS_4 = "C", "+3", "+4"
MAUVE = [CAPTAIN, PLUS_3, PLUS_4]
COLOURED = [colour + kind for colour in COLOURS for kind in KINDS]
CARDS = [*COLOURED, *MAUVE]  # every code once, in card order
DEFAULT_COUNTS = {card: 4 if card in MAUVE else 2 for card in CARDS}

DRAW, PASS, ANNOUNCE, DENOUNCE, LIAR = "draw", "pass", "announce", "denounce", "liar"
ACTIONS = [  # an action's id is its place here
    *COLOURED,  # 0-51
    *(f"{CAPTAIN} {colour}" for colour in COLOURS),  # 52-55: with the colour that it names
    *(f"{PLUS_4} {colour}" for colour in COLOURS),  # 56-59
    PLUS_3,  # 60
    DRAW,  # 61: a card, a fine, or what a +4 costs
    PASS,  # 62
    ANNOUNCE,  # 63
    DENOUNCE,  # 64
    LIAR,  # 65
    *(f"name {colour}" for colour in COLOURS),  # 66-69
]

HAND_SIZE = 7
FINE = 2  # cards for each +2 (A5)
POLLEN = 3  # cards for everybody else at a +3 (A9)
ALLERGY = 4  # cards for the seat after a +4 (A10)
LIE = 6  # cards for whoever was wrong about a +4 (A11)
SILENCE = 2  # cards for not having said "allergono" (A13)
MISTAKE = 1  # cards for a wrong card (A15)

NAME_COLOUR, TURN, DRAWN, CHALLENGE = "name_colour", "turn", "drawn", "challenge"
ANNOUNCING, DENOUNCING, CLONING, OVER = "announce", "denounce", "clone", "over"

CLOCKWISE, ANTICLOCKWISE = 1, -1
ASK = "ask"

Deal = Mapping[str, Any]


def colour_of(card: str) -> str | None:
    """The colour letter of a card code: "R" of "R+2"; a mauve card has none."""
    return None if card in MAUVE else card[0]


def kind_of(card: str) -> str:
    """The number or symbol of a card code: "+2" of "R+2"; a mauve card is its own kind."""
    return card if card in MAUVE else card[1:]


def cost_of(card: str) -> int:
    """A3. A number costs its face value, a coloured symbol 20, a mauve card 50."""
    if card in MAUVE:
        return 50
    if kind_of(card) in NUMBERS:
        return int(kind_of(card))
    return 20


def full_deck(deck_counts: Mapping[str, int] | None = None) -> list[str]:
    """All cards of the box, in card order; the counts that are given replace the usual ones."""
    counts = {**DEFAULT_COUNTS, **(deck_counts or {})}
    return [card for card in CARDS for _ in range(counts[card])]


def plays_of(card: str) -> list[str]:
    """The actions that lay a card: one for each colour that a `C` or a `+4` can name."""
    if card in (CAPTAIN, PLUS_4):
        return [f"{card} {colour}" for colour in COLOURS]
    return [card]


def card_of(play: str) -> str:
    """The card that such an action lays: "C" of "C R"."""
    return play.split()[0]


def named_by(play: str) -> str | None:
    """The colour that such an action names: "R" of "C R"."""
    return play.split()[1] if " " in play else None


class Referee:
    """One game of Allergo, from the first deal to the final score.

    deal(round_number) says how a round is dealt. Keys:
        deck     all card codes, next to be drawn first; dealt in blocks, player_0's seven first,
                 then the card or cards that are turned up; the rest is the draw pile
        dealer   the seat that deals (looked at in round 1 only)
        hands    if given, nothing is dealt: these are the hands and `deck` is the draw pile
        discard  with `hands`: the discard, top last; its last card is the one turned up
    reshuffle(codes, oldest first) returns the same codes in drawing order, next first.
    It is called only when there is something to shuffle.
    """

    hands: list[list[str]]  # of each seat, in the order in which the cards came
    draw_pile: list[str]  # next to be drawn first
    discard: list[str]  # oldest first, top last
    colour: str | None  # in force; none while it is being named
    kind: str | None  # in force: a number or a coloured symbol; none under C and +4
    direction: int  # CLOCKWISE or ANTICLOCKWISE
    fine: int  # cards pending from +2
    scores: list[int]  # totals over the rounds scored so far
    round: int  # from 1
    turn: int  # turns taken in this round
    turns_in_game: int  # and in all rounds together
    dealer: int
    active: int  # whose turn it is; before the first turn, the dealer
    to_act: int | None  # who is asked; nobody when the game is over
    phase: str  # what that seat is asked
    drawn: str | None  # the card just drawn, while its seat may play it
    laid_by: int  # who laid the top card: the active seat or a cloner
    seats_to_ask: list[int]  # who may still denounce or clone, in order
    bluff: bool  # whether the +4 that lies there should not have been laid

    def __init__(
        self,
        deal: Callable[[int], Deal],
        reshuffle: Callable[[list[str]], Sequence[str]],
        num_players: int = 4,
        target: int = 500,
        rounds: int | None = None,
        turn_budget: int | None = None,
        turn_limit: int = 500,
        announce: str = ASK,
        cloning: bool = False,
        deck_counts: Mapping[str, int] | None = None,
    ) -> None:
        """Start a game with its first round."""
        self.deal = deal
        self.reshuffle = reshuffle
        self.seats = list(range(num_players))
        self.target = target
        self.rounds = rounds
        self.turn_budget = turn_budget
        self.turn_limit = turn_limit
        self.announce = announce
        self.cloning = cloning
        self.box = full_deck(deck_counts)

        self.scores = [0 for _ in self.seats]
        self.rewards = [0 for _ in self.seats]  # of the step that is being taken
        self.round = 0
        self.turns_in_game = 0
        self.start_round()

    # Set-up

    def start_round(self) -> None:
        """A1. Deal the hands, turn up a card; nothing of the round before is left."""
        self.round += 1
        self.turn = 0
        self.direction = CLOCKWISE
        self.fine = 0
        self.colour = None
        self.kind = None
        self.drawn = None
        self.seats_to_ask = []
        self.bluff = False
        deal = self.deal(self.round)
        self.dealer = self.next_dealer(deal)
        self.active = self.dealer
        if "hands" in deal:
            self.take_fixed_hands(deal)
        else:
            self.deal_hands(list(deal["deck"]))
        self.follow_start_card()

    def next_dealer(self, deal: Deal) -> int:
        """A18. The dealer moves one seat to the left each round; round 1's is dealt."""
        if self.round == 1:
            return int(deal["dealer"])
        return self.left_of(self.dealer)

    def deal_hands(self, deck: list[str]) -> None:
        """A1. Seven cards each; the first of the rest is turned up."""
        assert sorted(deck) == sorted(self.box)
        self.hands = []
        for _ in self.seats:
            self.hands.append(deck[:HAND_SIZE])
            deck = deck[HAND_SIZE:]
        self.draw_pile = deck
        self.discard = []
        self.turn_up_card()

    def take_fixed_hands(self, deal: Deal) -> None:
        """A round laid out by hand: nothing is dealt, the last card of the discard is turned up."""
        self.hands = [list(hand) for hand in deal["hands"]]
        self.draw_pile = list(deal.get("deck", []))
        self.discard = list(deal["discard"])

    def turn_up_card(self) -> None:
        """A1. The next card of the draw pile goes face up onto the discard."""
        self.discard.append(self.draw_pile.pop(0))

    def follow_start_card(self) -> None:
        """A12. What the card turned up means for the first seat."""
        while self.top() == PLUS_3 and self.draw_pile:
            self.turn_up_card()
        self.put_in_force(self.top(), named=None)
        first = self.left_of(self.dealer)
        if self.top() in MAUVE:
            self.ask(self.dealer, NAME_COLOUR)
        elif self.kind == PLUS_2:
            self.fine = FINE
            self.begin_turn(first)
        elif self.kind == REVERSE:
            self.direction = ANTICLOCKWISE
            self.begin_turn(self.dealer)
        elif self.kind == SKIP:
            self.begin_turn(self.left_of(first))
        else:
            self.begin_turn(first)

    def name_colour(self, colour: str) -> None:
        """A12. The dealer has named the colour of a mauve start card; the left neighbour begins."""
        self.colour = colour
        self.begin_turn(self.left_of(self.dealer))

    # What the seat that is asked may do

    def legal(self) -> list[int]:
        """The actions allowed to the seat that is asked; none when the game is over."""
        return sorted(ACTIONS.index(action) for action in self.choices())

    def choices(self) -> list[str]:
        """The same in words."""
        if self.phase == NAME_COLOUR:
            return [f"name {colour}" for colour in COLOURS]
        if self.phase == TURN:
            return [*self.plays_in_turn(), DRAW]
        if self.phase == DRAWN:
            return [*self.plays_of_drawn(), PASS]
        if self.phase == ANNOUNCING:
            return [ANNOUNCE, PASS]
        if self.phase == DENOUNCING:
            return [DENOUNCE, PASS]
        if self.phase == CLONING:
            return [self.top(), PASS]
        if self.phase == CHALLENGE:
            return [DRAW, LIAR]
        return []

    def plays_in_turn(self) -> list[str]:
        """A2-A10. Every card of the hand that may be played now."""
        hand = self.hands[self.active]
        fitting = {card for card in hand if self.may_play(card, hand)}
        return [play for card in fitting for play in plays_of(card)]

    def plays_of_drawn(self) -> list[str]:
        """A14. After drawing, only the drawn card may be played."""
        assert self.drawn is not None
        return plays_of(self.drawn)

    def wrong_cards(self) -> list[int]:
        """A15. The actions that lay a card of the hand which may not be played now."""
        if self.phase not in (TURN, DRAWN):
            return []
        plays = {play for card in self.hands[self.active] for play in plays_of(card)}
        return sorted(ACTIONS.index(play) for play in plays - set(self.choices()))

    def step(self, action: int) -> list[int]:
        """Carry out one action; the rewards are minus the round's scores when one is scored."""
        self.rewards = [0 for _ in self.seats]
        if action in self.wrong_cards():
            self.pay_for_wrong_card()
        elif action in self.legal():
            self.carry_out(ACTIONS[action])
        else:
            raise ValueError(f"action {action} is not legal for seat {self.to_act} ({self.phase})")
        return self.rewards

    def carry_out(self, action: str) -> None:
        """The right method for each phase."""
        if self.phase == NAME_COLOUR:
            self.name_colour(action.removeprefix("name "))
        elif self.phase == TURN:
            self.take_turn(action)
        elif self.phase == DRAWN:
            self.play_drawn_or_pass(action)
        elif self.phase == ANNOUNCING:
            self.announce_or_stay_silent(action)
        elif self.phase == DENOUNCING:
            self.denounce_or_let_pass(action)
        elif self.phase == CLONING:
            self.clone_or_pass(action)
        else:
            self.accept_or_say_liar(action)

    # Which card may be played

    def may_play(self, card: str, hand: list[str]) -> bool:
        """A4-A10. Whether a card of this hand may be played on what lies there now."""
        if card in MAUVE and len(hand) == 1:
            return False  # A4
        if self.fine > 0:
            return self.may_answer_fine(card)
        if card == CAPTAIN:
            return self.may_play_captain()
        if card == PLUS_3:
            return self.may_play_plus_3()
        if card == PLUS_4:
            return self.may_play_plus_4()
        return self.matches(card)

    def may_answer_fine(self, card: str) -> bool:
        """A5, A9. On a pending fine only a +2 of any colour or a +3 may be played."""
        return kind_of(card) in (PLUS_2, PLUS_3)

    def matches(self, card: str) -> bool:
        """A2, A6, A7. A coloured card goes on its own colour or on its own number or symbol."""
        return colour_of(card) == self.colour or kind_of(card) == self.kind

    def may_play_captain(self) -> bool:
        """A8. The Captain goes on every card but +2, +3 and +4."""
        return kind_of(self.top()) not in (PLUS_2, PLUS_3, PLUS_4)

    def may_play_plus_3(self) -> bool:
        """A9. A +3 goes on every card but +4."""
        return self.top() != PLUS_4

    def may_play_plus_4(self) -> bool:
        """A10. A +4 goes on every card but +4 and +2, truthfully or not (A11)."""
        return kind_of(self.top()) not in (PLUS_4, PLUS_2)

    def would_be_bluff(self, hand: list[str]) -> bool:
        """A11. A +4 is a lie if any other card of the hand, not a +4 too, could be played."""
        return any(card != PLUS_4 and self.may_play(card, hand) for card in hand)

    # A turn

    def begin_turn(self, seat: int) -> None:
        """A seat's own turn is always asked."""
        self.active = seat
        self.ask(seat, TURN)

    def take_turn(self, action: str) -> None:
        """A2, A5, A14. Play a card, take the fine, or draw a card."""
        self.count_turn()
        if action != DRAW:
            self.play(action)
        elif self.fine > 0:
            self.take_fine()
        else:
            self.draw_one()

    def count_turn(self) -> None:
        """A17, A18. Turns are counted for the limit of the round and the budget of the game."""
        self.turn += 1
        self.turns_in_game += 1

    def take_fine(self) -> None:
        """A5. The seat draws all that is pending and loses its turn."""
        self.draw_cards(self.active, self.fine)
        self.fine = 0
        self.end_turn(self.next_of(self.active))

    def draw_one(self) -> None:
        """A14. Draw a card; if it fits, it may be played at once, else the turn is over."""
        got = self.draw_cards(self.active, 1)
        if got and self.may_play(got[0], self.hands[self.active]):
            self.drawn = got[0]
            self.ask(self.active, DRAWN)
        else:
            self.end_turn(self.next_of(self.active))

    def play_drawn_or_pass(self, action: str) -> None:
        """A14. The drawn card is played in the same turn, or kept."""
        self.drawn = None
        if action == PASS:
            self.end_turn(self.next_of(self.active))
        else:
            self.play(action)

    def pay_for_wrong_card(self) -> None:
        """A15. The card goes back, the seat draws one and any fine, and loses its turn."""
        if self.phase == TURN:
            self.count_turn()
        self.drawn = None
        self.draw_cards(self.active, MISTAKE + self.fine)
        self.fine = 0
        self.end_turn(self.next_of(self.active))

    def play(self, play: str) -> None:
        """A2. The active seat lays a card, and names a colour with it if the card asks for one."""
        self.bluff = card_of(play) == PLUS_4 and self.would_be_bluff(self.hands[self.active])
        self.lay(self.active, card_of(play), named_by(play))

    def draw_cards(self, seat: int, number: int) -> list[str]:
        """A18. So many cards one by one, as far as there are any; which they were."""
        got = []
        for _ in range(number):
            self.rebuild_draw_pile()
            if self.draw_pile:
                got.append(self.draw_pile.pop(0))
        self.hands[seat] += got
        return got

    def rebuild_draw_pile(self) -> None:
        """A18. An empty draw pile is made anew of the discard, all but its top card."""
        below_top = self.discard[:-1]
        if not self.draw_pile and below_top:
            self.draw_pile = list(self.reshuffle(below_top))
            self.discard = self.discard[-1:]

    # After a card is laid

    def lay(self, seat: int, card: str, named: str | None) -> None:
        """A3. A card goes onto the discard; an empty hand ends the round before any effect."""
        self.hands[seat].remove(card)
        self.discard.append(card)
        self.laid_by = seat
        self.put_in_force(card, named)
        if self.hands[seat]:
            self.check_last_card()
        else:
            self.end_round()

    def put_in_force(self, card: str, named: str | None) -> None:
        """A2, A8-A10. Colour and kind that the next card must match; under a +3 they stay."""
        if card == PLUS_3:
            return
        if card in MAUVE:
            self.colour = named
            self.kind = None
        else:
            self.colour = colour_of(card)
            self.kind = kind_of(card)

    def check_last_card(self) -> None:
        """A13. Whoever has one card left is asked to say so, unless that goes without asking."""
        if len(self.hands[self.laid_by]) == 1 and self.announce == ASK:
            self.ask(self.laid_by, ANNOUNCING)
        else:
            self.open_clone_window()

    def announce_or_stay_silent(self, action: str) -> None:
        """A13. Silence can be denounced by the others, from the silent seat on as play goes."""
        if action == ANNOUNCE:
            self.open_clone_window()
        else:
            self.seats_to_ask = self.others_in_turn_order(self.laid_by)
            self.ask_next_witness()

    def ask_next_witness(self) -> None:
        """A13. Ask the next of the others; when all let it pass, nothing happens."""
        if self.seats_to_ask:
            self.ask(self.seats_to_ask[0], DENOUNCING)
        else:
            self.open_clone_window()

    def denounce_or_let_pass(self, action: str) -> None:
        """A13. The first denouncement makes the silent seat draw two and settles it."""
        if action == DENOUNCE:
            self.seats_to_ask = []
            self.draw_cards(self.laid_by, SILENCE)
        else:
            self.seats_to_ask.pop(0)
        self.ask_next_witness()

    def open_clone_window(self) -> None:
        """A16. After a number, who holds the same card is asked, clockwise, its player last."""
        self.seats_to_ask = []
        if self.cloning and kind_of(self.top()) in NUMBERS:
            self.seats_to_ask = [*self.others_clockwise(self.laid_by), self.laid_by]
        self.ask_next_cloner()

    def ask_next_cloner(self) -> None:
        """A16. Only who holds the same card is asked; when nobody is left, the effect follows."""
        while self.seats_to_ask:
            seat = self.seats_to_ask[0]
            if self.top() in self.hands[seat]:
                self.ask(seat, CLONING)
                return
            self.seats_to_ask.pop(0)
        self.carry_out_effect()

    def clone_or_pass(self, action: str) -> None:
        """A16. A clone is laid like any card, so it can be the last one, or be cloned in turn."""
        seat = self.seats_to_ask.pop(0)
        if action == PASS:
            self.ask_next_cloner()
        else:
            self.lay(seat, card_of(action), named=None)

    # What a card does

    def carry_out_effect(self) -> None:
        """A5-A10. The effect of the card just laid; then the turn is over."""
        kind = kind_of(self.top())
        if kind == PLUS_2:
            self.add_fine()
        elif kind == REVERSE:
            self.reverse()
        elif kind == SKIP:
            self.skip_next_seat()
        elif kind == PLUS_3:
            self.let_all_others_draw()
        elif kind == PLUS_4:
            self.ask(self.next_of(self.active), CHALLENGE)
        else:
            self.end_turn(self.next_of(self.active))

    def add_fine(self) -> None:
        """A5. Two cards more are pending for the next seat."""
        self.fine += FINE
        self.end_turn(self.next_of(self.active))

    def reverse(self) -> None:
        """A6. Play goes the other way round from here."""
        self.direction = -self.direction
        self.end_turn(self.next_of(self.active))

    def skip_next_seat(self) -> None:
        """A7, A10. The next seat misses its turn."""
        self.end_turn(self.next_of(self.next_of(self.active)))

    def let_all_others_draw(self) -> None:
        """A9. Each of the others draws three, in turn order; a pending fine waits."""
        for seat in self.others_in_turn_order(self.active):
            self.draw_cards(seat, POLLEN)
        self.end_turn(self.next_of(self.active))

    def accept_or_say_liar(self, action: str) -> None:
        """A10, A11. The seat after a +4 draws four, or doubts it; then one of the two draws six."""
        challenger = self.next_of(self.active)
        if action == DRAW:
            self.draw_cards(challenger, ALLERGY)
            self.skip_next_seat()
        elif self.bluff:
            self.draw_cards(self.active, LIE)
            self.end_turn(challenger)
        else:
            self.draw_cards(challenger, LIE)
            self.skip_next_seat()

    # The end of a turn, of a round, of the game

    def end_turn(self, next_seat: int) -> None:
        """A18. A round that has used up its turns is scored as it stands; else play goes on."""
        if self.turn >= self.turn_limit:
            self.end_round()
        else:
            self.begin_turn(next_seat)

    def end_round(self) -> None:
        """A3, A17. Everyone scores the cards left; then the game ends or a new round starts."""
        round_scores = [sum(cost_of(card) for card in hand) for hand in self.hands]
        for seat in self.seats:
            self.scores[seat] += round_scores[seat]
            self.rewards[seat] = -round_scores[seat]
        if self.game_is_over():
            self.close_game()
        else:
            self.start_round()

    def game_is_over(self) -> bool:
        """A17. Over by target or rounds, or when the turns agreed on are used up."""
        if self.turn_budget is not None and self.turns_in_game >= self.turn_budget:
            return True
        if self.rounds is not None:
            return self.round >= self.rounds
        return max(self.scores) >= self.target

    def close_game(self) -> None:
        """The table stays as it was scored and nobody is asked any more."""
        self.phase = OVER
        self.to_act = None

    # The table

    def ask(self, seat: int, phase: str) -> None:
        """It is up to this seat now."""
        self.to_act = seat
        self.phase = phase

    def top(self) -> str:
        """The card that lies on top of the discard."""
        return self.discard[-1]

    def left_of(self, seat: int) -> int:
        """The left neighbour: the next seat clockwise."""
        return (seat + CLOCKWISE) % len(self.seats)

    def next_of(self, seat: int) -> int:
        """The next seat in the direction of play."""
        return (seat + self.direction) % len(self.seats)

    def others_clockwise(self, seat: int) -> list[int]:
        """Every other seat, from the left neighbour on."""
        return [(seat + steps) % len(self.seats) for steps in self.seats[1:]]

    def others_in_turn_order(self, seat: int) -> list[int]:
        """Every other seat, from the next one on in the direction of play."""
        return [(seat + self.direction * steps) % len(self.seats) for steps in self.seats[1:]]

    def snapshot(self) -> dict[str, Any]:
        """The full truth as plain JSON-able Python, in the words of docs/rules/allergo.md."""
        return {
            "hands": [sorted(hand, key=CARDS.index) for hand in self.hands],
            "draw_pile": list(self.draw_pile),
            "discard": list(self.discard),
            "scores": list(self.scores),
            "round": self.round,
            "turn": self.turn,
            "phase": self.phase,
            "to_act": self.to_act,
            "top": self.top(),
            "colour": self.colour,
            "kind": self.kind,
            "direction": self.direction,
            "fine": self.fine,
            "active": self.active,
            "drawn": self.drawn,
            "dealer": self.dealer,
        }
