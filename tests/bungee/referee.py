"""A slow, obvious referee of Bungee: the oracle that the fast implementation is compared with.

It is written from the printed rules, one small method a rule, on plain lists of card codes: "1" to
"10" and "J". Rule numbers (B1 to B15) are those of docs/rules/bungee.md; lay the two side by side.

How a round runs:

    deal (B1) -> may the dealer swap a lucky J? (B2)
        -> turns (B3-B6), until somebody calls (B7)
        -> the last lap (B8), which a six can turn into extra laps (B9)
        -> score (B10, B11) -> game over (B12), or a new round (B1, B14)

    In a lap a turn runs: play -> may the seat call? (B8) -> skips (B6, B9) -> the next seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

KINDS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J"]  # the order of cards
COPIES = [5, 5, 5, 5, 5, 5, 5, 5, 5, 8, 3]  # of each kind
DECK = [kind for kind, n in zip(KINDS, COPIES, strict=True) for _ in range(n)]  # in card order
BUNGEE = "J"
SKIP = "6"

HAND_SIZE = 5
MOST_TO_CALL = 5  # points
BUNGEE_POINTS = 10  # for everyone but the winner
WINNER_SCORE = -10

FIRST_PLAY = 0  # 0 to 54: play and draw
FIRST_TAKE = FIRST_PLAY + len(KINDS) * HAND_SIZE  # 55 to 109: take the discard and play
FIRST_SWAP = FIRST_TAKE + len(KINDS) * HAND_SIZE  # 110 to 120: take the lucky J, discard a card
CALL = FIRST_SWAP + len(KINDS)  # 121
PASS = CALL + 1  # 122

LUCKY, TURN, AFTER_PLAY, OVER = "lucky", "turn", "call", "over"

Deal = Mapping[str, Any]


def play_action(kind: str, n: int) -> int:
    """The action that plays n cards of a kind and draws one (0 to 54)."""
    return FIRST_PLAY + HAND_SIZE * KINDS.index(kind) + n - 1


def take_action(kind: str, n: int) -> int:
    """The action that takes the top discard and plays n cards of a kind (55 to 109)."""
    return FIRST_TAKE + HAND_SIZE * KINDS.index(kind) + n - 1


def swap_action(kind: str) -> int:
    """The action that takes the lucky J and discards one card of a kind (110 to 120)."""
    return FIRST_SWAP + KINDS.index(kind)


class Referee:
    """One game of Bungee, from the first deal to the final score.

    deal(round_number) says how a round is dealt. Keys:
        deck     56 card codes, next to be drawn first; dealt in blocks, player_0's five first,
                 and the lucky card is turned up after the last hand
        starter  the seat that begins (looked at in round 1 only)
        hands    if given, nothing is dealt: these are the hands and `deck` is the draw pile
        discard  with `hands`: the discard, top last (default empty)
        lucky    with `hands`: the lucky card
    reshuffle(codes, oldest first) returns the same codes in drawing order, next first.
    It is called only when there is something to shuffle.
    """

    hands: list[list[str]]  # of each seat, in the order in which the cards came
    draw_pile: list[str]  # next to be drawn first
    discard: list[str]  # oldest first, top last
    lucky: str | None  # the lucky card; nothing if there was no card left to turn up
    scores: list[int]  # totals over the rounds scored so far
    round: int  # from 1
    turn: int  # turns taken in this round
    starter: int  # of this round
    active: int  # whose turn it is, or was last
    to_act: int | None  # who is asked; nobody when the game is over
    phase: str  # what that seat is asked: LUCKY, TURN or AFTER_PLAY
    n_sixes: int  # played in this turn, their skips not yet worked out
    callers: list[int]  # seats whose call stands, in order of calling
    last_lap: bool  # whether somebody has called
    extra_lap: bool  # whether the lap is an extra one, in which seats may pass
    lap_left: list[int]  # seats that still have a turn in the lap, in order

    def __init__(
        self,
        deal: Callable[[int], Deal],
        reshuffle: Callable[[list[str]], Sequence[str]],
        num_players: int = 4,
        rounds: int = 6,
        turn_limit: int = 200,
    ) -> None:
        """Start a game with its first round."""
        self.deal = deal
        self.reshuffle = reshuffle
        self.seats = list(range(num_players))
        self.rounds = rounds
        self.turn_limit = turn_limit

        self.scores = [0 for _ in self.seats]
        self.rewards = [0 for _ in self.seats]  # of the step that is being taken
        self.round = 0
        self.start_round()

    # Set-up

    def start_round(self) -> None:
        """B1. Deal the hands, turn up the lucky card and ask the dealer or the starter."""
        self.round += 1
        deal = self.deal(self.round)
        if "hands" in deal:
            self.take_fixed_table(deal)
        else:
            self.deal_hands(list(deal["deck"]))
        self.starter = self.next_starter(deal)
        self.turn = 0
        self.n_sixes = 0
        self.callers = []
        self.last_lap = False
        self.extra_lap = False
        self.lap_left = []
        self.ask_dealer_or_starter()

    def deal_hands(self, deck: list[str]) -> None:
        """B1. Five cards each, the next one is the lucky card, and the rest is the draw pile."""
        self.hands = []
        for _ in self.seats:
            self.hands.append(deck[:HAND_SIZE])
            deck = deck[HAND_SIZE:]
        self.lucky = deck[0]
        self.draw_pile = deck[1:]
        self.discard = []

    def take_fixed_table(self, deal: Deal) -> None:
        """A round laid out by hand: nothing is dealt, the deck is just the draw pile."""
        self.hands = [list(hand) for hand in deal["hands"]]
        self.draw_pile = list(deal.get("deck", []))
        self.discard = list(deal.get("discard", []))
        self.lucky = deal["lucky"]

    def next_starter(self, deal: Deal) -> int:
        """B14. The starter moves one seat left each round; round 1's is dealt."""
        if self.round == 1:
            return int(deal["starter"])
        return self.after(self.starter)

    def dealer(self) -> int:
        """B14. The dealer is the seat right of the starter."""
        return (self.starter - 1) % len(self.seats)

    def ask_dealer_or_starter(self) -> None:
        """B2. While the lucky card is a J the dealer is asked; then the starter has its turn."""
        if self.lucky == BUNGEE:
            self.to_act = self.dealer()
            self.active = self.dealer()
            self.phase = LUCKY
        else:
            self.ask_for_turn(self.starter)

    # What the seat that is asked may do

    def legal(self) -> list[int]:
        """The actions allowed to the seat that is asked, in order; none when the game is over."""
        if self.to_act is None:
            return []
        if self.phase == LUCKY:
            return sorted(self.legal_swaps(self.to_act))
        if self.phase == AFTER_PLAY:
            return [CALL, PASS]
        return sorted(self.legal_turns(self.to_act))

    def legal_swaps(self, seat: int) -> set[int]:
        """B2. Take the lucky J and put down any card, that J included; or leave it there."""
        return {swap_action(kind) for kind in [*self.hands[seat], BUNGEE]} | {PASS}

    def legal_turns(self, seat: int) -> set[int]:
        """B3, B4. Play and draw, take and play, or call; with nothing discarded the first only."""
        actions = {play_action(kind, n) for kind, n in self.sets_in_hand(seat)}
        if self.discard:
            actions |= {take_action(kind, n) for kind, n in self.sets_in_hand(seat)}
        if self.discard and self.may_call(seat):
            actions.add(CALL)
        if self.extra_lap:  # B9
            actions.add(PASS)
        return actions

    def sets_in_hand(self, seat: int) -> list[tuple[str, int]]:
        """B3. One or more cards of one value: each kind in hand with each number up to all."""
        hand = self.hands[seat]
        return [(kind, n + 1) for kind in set(hand) for n in range(hand.count(kind))]

    def may_call(self, seat: int) -> bool:
        """B3, B9. With five points or fewer, unless the call from before still stands."""
        return self.is_low(seat) and seat not in self.callers

    def is_low(self, seat: int) -> bool:
        """B3, B5. Whether a hand has five points or fewer, a J counting nothing."""
        return self.points(seat, bungee=0) <= MOST_TO_CALL

    def step(self, action: int) -> list[int]:
        """Carry out one action; the rewards are minus the round's scores when one is scored."""
        if action not in self.legal():
            raise ValueError(f"action {action} is not legal for seat {self.to_act} ({self.phase})")
        self.rewards = [0 for _ in self.seats]
        if self.phase == LUCKY:
            self.settle_lucky(action)
        elif self.phase == AFTER_PLAY:
            self.settle_call(action)
        else:
            self.take_turn(action)
        return self.rewards

    # The lucky J

    def settle_lucky(self, action: int) -> None:
        """B2. Declined, the J stays the lucky card; taken, a new one is turned up."""
        if action == PASS:
            self.ask_for_turn(self.starter)
        else:
            self.swap_lucky(KINDS[action - FIRST_SWAP])
            self.ask_dealer_or_starter()

    def swap_lucky(self, kind: str) -> None:
        """B2. The dealer takes the J, puts a card on the discard and turns a new lucky card."""
        hand = self.hands[self.dealer()]
        hand.append(BUNGEE)
        hand.remove(kind)
        self.discard.append(kind)
        self.lucky = self.next_card()

    # A turn

    def ask_for_turn(self, seat: int) -> None:
        """B3. It is this seat's turn."""
        self.active = seat
        self.to_act = seat
        self.phase = TURN

    def take_turn(self, action: int) -> None:
        """B3. One turn: play and draw, take and play, call, or (B9) pass."""
        self.turn += 1
        if self.last_lap:
            self.lap_left.pop(0)
        if action == CALL:
            self.call()
            self.end_turn()
        elif action == PASS:
            self.end_turn()
        else:
            self.play_cards(action)
            self.ask_to_call()

    def play_cards(self, action: int) -> None:
        """B3. Play and draw one card, or take the top discard first and draw nothing."""
        takes = action >= FIRST_TAKE
        kind_number, more = divmod(action - (FIRST_TAKE if takes else FIRST_PLAY), HAND_SIZE)
        kind, n = KINDS[kind_number], more + 1
        taken = [self.discard.pop()] if takes else []
        self.put_down(kind, n)
        self.hands[self.active] += taken if takes else self.draw()
        self.n_sixes = n if kind == SKIP else 0
        self.withdraw_call()

    def put_down(self, kind: str, n: int) -> None:
        """B3. So many cards of a kind go from the hand onto the discard."""
        for _ in range(n):
            self.hands[self.active].remove(kind)
            self.discard.append(kind)

    def draw(self) -> list[str]:
        """B3. One card from the pile, or none if none is left anywhere."""
        card = self.next_card()
        return [] if card is None else [card]

    def next_card(self) -> str | None:
        """B13. The pile's next card; an empty pile is rebuilt from the discard without its top."""
        if not self.draw_pile and len(self.discard) > 1:
            self.draw_pile = list(self.reshuffle(self.discard[:-1]))
            self.discard = self.discard[-1:]
        return self.draw_pile.pop(0) if self.draw_pile else None

    # Calls

    def call(self) -> None:
        """B7. The first call opens the last lap: every other seat has one turn left, clockwise."""
        self.callers.append(self.active)
        if not self.last_lap:
            self.last_lap = True
            self.lap_left = self.others_clockwise(self.active)

    def withdraw_call(self) -> None:
        """B9. A seat that plays after having called withdraws its call."""
        if self.active in self.callers:
            self.callers.remove(self.active)

    def ask_to_call(self) -> None:
        """B8. In a lap, a seat whose play leaves it with five points or fewer may call at once."""
        if self.last_lap and self.is_low(self.active):
            self.phase = AFTER_PLAY
        else:
            self.end_turn()

    def settle_call(self, action: int) -> None:
        """B8. Nobody must call."""
        if action == CALL:
            self.call()
        self.end_turn()

    # Whose turn is next

    def end_turn(self) -> None:
        """B6, B7, B15. Work out the skips, then go on, score by the rules, or stop at the limit."""
        follower = self.follower()
        self.n_sixes = 0
        if follower is None:
            self.score_lap()
        elif self.turn >= self.turn_limit:
            self.score_without_winner()
        else:
            self.ask_for_turn(follower)

    def follower(self) -> int | None:
        """B6. The seat whose turn is next; nobody when a lap is over."""
        skipped = self.skipped_seats()
        if not self.last_lap:
            return self.after(skipped[-1] if skipped else self.active)
        if self.callers[0] in skipped:
            self.open_extra_lap(skipped)
        else:
            self.lap_left = [seat for seat in self.lap_left if seat not in skipped]
        return self.lap_left[0] if self.lap_left else None

    def skipped_seats(self) -> list[int]:
        """B6. Each six skips one seat, clockwise from the one who played, callers included."""
        skipped = []
        seat = self.active
        for _ in range(self.n_sixes):
            seat = self.after(seat)
            skipped.append(seat)
        return skipped

    def open_extra_lap(self, skipped: list[int]) -> None:
        """B9. All but the first caller have one more turn, and those skipped beyond it lose it."""
        first_caller = self.callers[0]
        beyond = skipped[skipped.index(first_caller) + 1 :]
        order = self.others_clockwise(first_caller)
        self.lap_left = [seat for seat in order if seat not in beyond]
        self.extra_lap = True

    # The end of a round and of the game

    def score_lap(self) -> None:
        """B11. The winner scores -10, everyone else the hand with 10 for each J."""
        round_scores = self.hand_scores()
        round_scores[self.winner()] = WINNER_SCORE
        self.end_round(round_scores)

    def score_without_winner(self) -> None:
        """B15. At the limit of turns everyone scores the hand and nobody wins."""
        self.end_round(self.hand_scores())

    def winner(self) -> int:
        """B10. The caller with the fewest points, a J counting nothing; on a tie the later call."""
        fewest = min(self.points(seat, bungee=0) for seat in self.callers)
        return [seat for seat in self.callers if self.points(seat, bungee=0) == fewest][-1]

    def hand_scores(self) -> list[int]:
        """B11. What each hand costs those who do not win."""
        return [self.points(seat, bungee=BUNGEE_POINTS) for seat in self.seats]

    def points(self, seat: int, bungee: int) -> int:
        """B1, B5. The sum of a hand: lucky cards count 0, a J as is said, others their value."""
        total = 0
        for card in self.hands[seat]:
            if card == self.lucky:
                total += 0
            elif card == BUNGEE:
                total += bungee
            else:
                total += int(card)
        return total

    def end_round(self, round_scores: list[int]) -> None:
        """B12. The scores are added; the game ends after `rounds` rounds."""
        for seat in self.seats:
            self.scores[seat] += round_scores[seat]
            self.rewards[seat] = -round_scores[seat]
        if self.round >= self.rounds:
            self.close_game()
        else:
            self.start_round()

    def close_game(self) -> None:
        """The table stays as it was scored and nobody is asked any more."""
        self.phase = OVER
        self.to_act = None
        self.lap_left = []

    # The table

    def after(self, seat: int) -> int:
        """The left neighbour: the next seat clockwise."""
        return (seat + 1) % len(self.seats)

    def others_clockwise(self, seat: int) -> list[int]:
        """Every other seat, from the left neighbour on."""
        others = []
        other = self.after(seat)
        while other != seat:
            others.append(other)
            other = self.after(other)
        return others

    def snapshot(self) -> dict[str, Any]:
        """The full truth as plain JSON-able Python, in the words of docs/rules/bungee.md."""
        return {
            "hands": [sorted(hand, key=KINDS.index) for hand in self.hands],
            "draw_pile": list(self.draw_pile),
            "discard": list(self.discard),
            "scores": list(self.scores),
            "round": self.round,
            "turn": self.turn,
            "phase": self.phase,
            "to_act": self.to_act,
            "lucky": self.lucky,
            "top": self.discard[-1] if self.discard else None,
            "callers": list(self.callers),
            "dealer": self.dealer(),
            "last_lap": self.last_lap,
            "lap_left": list(self.lap_left),
        }
