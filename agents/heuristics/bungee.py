"""Players of Bungee without learning.

`Basic` calls at once, dumps its dearest set and takes a top card that costs next to nothing.
`Tuned` looks one play ahead: it lays each set down in its head, takes the top card or draws every
card it has not seen, and asks what the hand is then worth. While nobody has called, that is the
chance of winning the round, judged by what is left after the next two dumps; in a lap, where the
play is its last, the chance that its call wins, and the cost of the hand, ten for a J, if not.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import bungee_env
from agents.players import KernelPlayer, TunedPlayer
from bungee_env.actions import CALL, MOST_PLAYED, N_ACTIONS, PASS, PLAY, SWAP, TAKE
from bungee_env.cards import BUNGEE, BUNGEE_POINTS, COPIES, MOST_COPIES, N_KINDS, SIX
from bungee_env.observation import BLOCKS, FEWEST_SEATS
from bungee_env.rules import MOST_TO_CALL
from bungee_env.state import MAX_SEATS, MOST_IN_HAND
from cardcore.bits import WORD, count_bits, lowest_bit, read_word, row_of
from cardcore.blocks import places
from cardcore.jit import kernels_of

kernel = kernels_of(Path(__file__).parent, Path(bungee_env.__file__).parent)

AT = places(BLOCKS)
OWN_HAND = AT["own_hand"]
TOP = AT["top"]
LUCKY = AT["lucky"]
DISCARD = AT["discard"]
RECYCLED = AT["recycled"]
KNOWN = AT["known"]
HAND_SIZES = AT["hand_sizes"]
CALLERS = AT["callers"]
LAP_LEFT = AT["lap_left"]
TABLE = AT["table"]

NONE = -1  # no card, no seat
KINDS_IN_HAND = N_KINDS * MOST_IN_HAND
ME = 1  # my seat in a set of seats
FULL_HAND = (1 << MOST_IN_HAND) - 1
ALL_KINDS = (1 << N_KINDS) - 1
ALL_SEATS = (1 << MAX_SEATS) - 1
ALL_TABLES = (1 << (MAX_SEATS - FEWEST_SEATS + 1)) - 1
CARDS_BITS = 4  # of a word of counts: so many binary digits for each kind
CARDS_MASK = (1 << CARDS_BITS) - 1
BOX = sum(n << CARDS_BITS * kind for kind, n in enumerate(COPIES))
CHEAP = 3  # points: what `Basic` takes from the discard

# The weights of `Tuned`. The first are points of a round. The next make up the log odds of winning
# it with the hand that a play leaves; the last are the chances that others have fewer points.
TERMS = (  # where the search starts, and what it found, for each group of tables
    ("win", (30.0,), (17.0,)),  # points that winning the round is worth
    ("call_now", (3.0,), (-0.5,)),  # points for calling first rather than playing on
    ("extra_turn", (5.0,), (6.6,)),  # points for another turn, by sixes that skip a caller
    ("even", (1.0,), (1.1,)),  # log odds of an empty hand
    ("points", (-0.02,), (0.0097,)),  # for each point in hand
    ("next_dump", (-0.2,), (-0.26,)),  # for each point left when the dearest set is gone
    ("second_dump", (-0.2,), (-0.42,)),  # for each point left when two sets are gone
    ("cards", (-0.2,), (-0.13,)),  # for each card in hand
    ("ready", (0.5,), (0.6,)),  # for a hand that can call
    ("ready_points", (-0.1,), (-0.14,)),  # and for each point of such a hand
    ("turns", (-0.1,), (-0.019,)),  # for each turn that others have before mine
    ("free_turn", (0.5,), (0.49,)),  # if sixes bring my turn back at once
    ("beaten", (-0.4,), (-0.67,)),  # chance that five cards get down to no points in a turn
    ("beaten_points", (0.1,), (0.13,)),  # more of it for each point that I show
    ("beaten_cards", (0.1,), (0.16,)),  # more of it for each card fewer than five
    ("caller_low", (1.0,), (0.8,)),  # 1 if a caller has 0 to 5 points all alike likely
)
(
    WIN,
    CALL_NOW,
    EXTRA_TURN,
    EVEN,
    POINTS,
    NEXT_DUMP,
    SECOND_DUMP,
    CARDS,
    READY,
    READY_POINTS,
    TURNS,
    FREE_TURN,
    BEATEN,
    BEATEN_POINTS,
    BEATEN_CARDS,
    CALLER_LOW,
) = range(len(TERMS))

# The log odds are sums, one part for each of a few small numbers: the odds are products of what is
# looked up behind the weights, where the odds against that come with each number are laid out.
MOST_POINTS = MOST_IN_HAND * BUNGEE  # a hand of tens
BY_POINTS = len(TERMS)  # points in hand
BY_LEFT = BY_POINTS + MOST_POINTS + 1  # points that the next dump leaves
BY_REST = BY_LEFT + MOST_POINTS + 1  # points that the two next dumps leave
BY_CARDS = BY_REST + MOST_POINTS + 1  # cards in hand
BY_TURNS = BY_CARDS + MOST_IN_HAND + 1  # turns that others have before mine
LARGEST_PART = 100.0  # of log odds: the product of all parts is a number yet


class Seen(NamedTuple):
    """What the table shows me; seats are counted from mine to the left."""

    hand: int  # counts of my cards
    unseen: int  # counts of the cards that the next draw may bring
    n_unseen: int
    lucky: int  # kind, or NONE
    top: int  # kind, or NONE
    n_seats: int
    first_caller: int  # seat, or NONE while there is no lap
    later: int  # set of the other seats that have a turn left in the lap
    callers: int  # for each seat a set with its place among the callers
    sizes: int  # for each seat a thermometer of its cards
    shown: Any  # the observation itself, for the cards that a caller was seen to take


class Sets(NamedTuple):
    """A hand by what it costs, and its two dearest sets."""

    points: int  # as the call counts them
    n_cards: int
    n_bungees: int  # that cost ten unless I win
    kind: int  # of the dearest set
    dearest: int  # its points
    second: int


# Reading the table. Counts of cards are kept in one word, a few binary digits for each kind.


@kernel
def count_of(counts, kind):
    """How many cards of a kind there are."""
    return counts >> CARDS_BITS * kind & CARDS_MASK


@kernel
def cards_of(n, kind):
    """So many cards of a kind, as counts."""
    return n << CARDS_BITS * kind


@kernel
def counts_at(row, at, width):
    """Counts out of a block of thermometers, so many places for each kind."""
    counts = 0
    for first in range(0, N_KINDS, WORD // width):
        levels = read_word(row, at + width * first)
        for kind in range(first, min(first + WORD // width, N_KINDS)):
            level = levels >> width * (kind - first) & ((1 << width) - 1)
            counts += cards_of(count_bits(level), kind)
    return counts


@kernel
def kind_at(row, at):
    """The kind that a block of flags shows, or NONE."""
    flags = read_word(row, at) & ALL_KINDS
    return lowest_bit(flags) if flags else NONE


@kernel
def known_cards(row, seat):
    """Counts of the cards that a seat was seen to take; mostly there are none."""
    at = KNOWN + KINDS_IN_HAND * seat
    some = read_word(row, at) & ((1 << KINDS_IN_HAND) - 1)
    return counts_at(row, at, MOST_IN_HAND) if some else 0


@kernel
def place_among(callers, seat):
    """Which call was this seat's, from 0, or NONE."""
    flags = callers >> MAX_SEATS * seat & ALL_SEATS
    return lowest_bit(flags) if flags else NONE


@kernel
def drawable(row, hand, lucky, n_seats):
    """Counts of the cards that a draw may bring: unseen, and recycled if the pile is a new one."""
    unseen = BOX - hand - counts_at(row, DISCARD, MOST_COPIES)
    if lucky != NONE:
        unseen -= cards_of(1, lucky)
    for seat in range(1, n_seats):
        unseen -= known_cards(row, seat)
    recycled, both = counts_at(row, RECYCLED, MOST_COPIES), 0
    if recycled == 0:
        return unseen
    for kind in range(N_KINDS):
        both += cards_of(min(count_of(unseen, kind), count_of(recycled, kind)), kind)
    return both


@kernel
def look(row):
    """Everything that a decision needs."""
    tail = read_word(row, CALLERS)
    n_seats = FEWEST_SEATS + lowest_bit(tail >> (TABLE - CALLERS) & ALL_TABLES)
    hand, lucky = counts_at(row, OWN_HAND, MOST_IN_HAND), kind_at(row, LUCKY)
    unseen = drawable(row, hand, lucky, n_seats)
    first_caller = NONE
    for seat in range(1, n_seats):
        if place_among(tail, seat) == 0:
            first_caller = seat
    return Seen(
        hand=hand,
        unseen=unseen,
        n_unseen=cards_in(unseen),
        lucky=lucky,
        top=kind_at(row, TOP),
        n_seats=n_seats,
        first_caller=first_caller,
        later=tail >> (LAP_LEFT - CALLERS) & ALL_SEATS & ~ME,
        callers=tail,
        sizes=read_word(row, HAND_SIZES),
        shown=row,
    )


@kernel
def cards_in(counts):
    """How many cards these are."""
    n = 0
    for kind in range(N_KINDS):
        n += count_of(counts, kind)
    return n


@kernel
def points_of(kind, lucky):
    """What a card counts for the call: nothing if it is lucky or a J."""
    return 0 if kind in (lucky, BUNGEE) else kind + 1


# Hands, and what a card more makes of them.


@kernel
def sets_of(hand, lucky):
    """A hand by what it costs."""
    points = n_cards = dearest = second = 0
    dearest_kind = NONE
    for kind in range(N_KINDS):
        n = count_of(hand, kind)
        n_cards += n
        worth = n * points_of(kind, lucky)
        points += worth
        second = max(second, min(worth, dearest))
        if worth > dearest:
            dearest, dearest_kind = worth, kind
    bungees = count_of(hand, BUNGEE) if lucky != BUNGEE else 0
    return Sets(points, n_cards, bungees, dearest_kind, dearest, second)


@kernel
def sets_with(hand, sets, kind, lucky):
    """The same with one card more."""
    more = points_of(kind, lucky)
    worth = more * (count_of(hand, kind) + 1)
    other = 0 if kind == sets.kind else sets.dearest
    return Sets(
        points=sets.points + more,
        n_cards=sets.n_cards + 1,
        n_bungees=sets.n_bungees + int(kind == BUNGEE and lucky != BUNGEE),
        kind=kind if worth > other else sets.kind,
        dearest=max(worth, other),
        second=max(sets.second, min(worth, other)),
    )


@kernel
def cost(sets):
    """What a hand scores that does not win."""
    return sets.points + BUNGEE_POINTS * sets.n_bungees


# While nobody has called.


def odds_against(weights: Sequence[float]) -> list[NDArray[np.float64]]:
    """The odds against winning the round that each number brings, one table after another."""
    points, cards = np.arange(MOST_POINTS + 1), np.arange(MOST_IN_HAND + 1)
    turns = np.arange(MAX_SEATS)
    ready = weights[READY] + weights[READY_POINTS] * points
    parts = (
        weights[POINTS] * points + np.where(points <= MOST_TO_CALL, ready, 0.0),
        weights[NEXT_DUMP] * points,
        weights[SECOND_DUMP] * points,
        weights[EVEN] + weights[CARDS] * cards,
        weights[TURNS] * turns + np.where(turns == 0, weights[FREE_TURN], 0.0),
    )
    return [np.exp(-np.clip(part, -LARGEST_PART, LARGEST_PART)) for part in parts]


@kernel
def turns_between(seen, kind, n):
    """How many turns others have after this play before it is mine again."""
    n_skipped = n if kind == SIX else 0
    return (seen.n_seats - 1 - n_skipped) % seen.n_seats


@kernel
def hope(weights, sets, odds):
    """What a hand is worth while the round goes on: its chance to win it.

    It comes with odds against it for what was played to get it.
    """
    left = sets.points - sets.dearest
    odds *= weights[BY_CARDS + sets.n_cards]
    odds *= weights[BY_POINTS + sets.points] * weights[BY_LEFT + left]
    return weights[WIN] / (1.0 + odds * weights[BY_REST + left - sets.second])


# In a lap, and for the call that begins one.


@kernel
def beaten_by(seen, weights, seat, points):
    """The chance that a seat with a turn left gets down to these points or fewer."""
    n_short = MOST_IN_HAND - count_bits(seen.sizes >> MOST_IN_HAND * seat & FULL_HAND)
    chance = weights[BEATEN] + weights[BEATEN_POINTS] * points
    chance += weights[BEATEN_CARDS] * n_short
    return min(max(chance, 0.0), 1.0)


@kernel
def caller_is_below(seen, weights, seat, points):
    """The chance that a caller has fewer points than these; it shows some of its cards."""
    known, least = known_cards(seen.shown, seat), 0
    if known:
        least = min(sets_of(known, seen.lucky).points, MOST_TO_CALL)
    chance = weights[CALLER_LOW] * (points - least) / (MOST_TO_CALL + 1 - least)
    return min(max(chance, 0.0), 1.0)


@kernel
def chance_to_win(seen, weights, points, later, my_place):
    """The chance that a call with these points wins, against callers and those still to play."""
    chance = 1.0
    for seat in range(1, seen.n_seats):
        place = place_among(seen.callers, seat)
        if place != NONE:
            tie = int(my_place != NONE and place > my_place)  # of equal calls the later wins
            chance *= 1.0 - caller_is_below(seen, weights, seat, points + tie)
        elif later >> seat & 1:
            chance *= 1.0 - beaten_by(seen, weights, seat, points)
    return chance


@kernel
def value_of_call(seen, weights, sets, later, my_place):
    """What a call is worth: the win, or the hand with ten for each J."""
    if sets.points > MOST_TO_CALL:
        return -float(cost(sets))
    chance = chance_to_win(seen, weights, sets.points, later, my_place)
    return chance * weights[WIN] - (1.0 - chance) * cost(sets)


@kernel
def others(seen):
    """The set of all seats but mine."""
    return ((1 << seen.n_seats) - 1) & ~ME


@kernel
def later_after(seen, kind, n):
    """Who has a turn left after this play in a lap; seat 0 is me, and in it after an extra lap."""
    n_skipped = n if kind == SIX else 0
    if n_skipped < seen.first_caller:
        return seen.later & -(2 << n_skipped)
    n_beyond = n_skipped - seen.first_caller  # skipped in the extra lap, from the caller's left on
    lap = 0
    for place in range(n_beyond, seen.n_seats - 1):
        lap |= 1 << (seen.first_caller + 1 + place) % seen.n_seats
    return lap


# The choice.


@kernel
def value_in_lap(seen, weights, sets, later):
    """What a hand is worth after a play in a lap: a call, and a further turn if I have one."""
    value = value_of_call(seen, weights, sets, later, NONE)
    return value + weights[EXTRA_TURN] if later & ME else value


@kernel
def value_of_hand(seen, weights, sets, later, odds):
    """What a hand is worth after a play."""
    if seen.first_caller == NONE:
        return hope(weights, sets, odds)
    return value_in_lap(seen, weights, sets, later)


@kernel
def value_of_draw(seen, weights, hand, sets, later, odds):
    """The mean over all cards that may be drawn."""
    if seen.n_unseen == 0:
        return value_of_hand(seen, weights, sets, later, odds)
    value = 0.0
    if seen.first_caller == NONE:  # asked once, not for each card: this is where the time goes
        for kind in range(N_KINDS):
            drawn = sets_with(hand, sets, kind, seen.lucky)
            value += count_of(seen.unseen, kind) * hope(weights, drawn, odds)
    else:
        for kind in range(N_KINDS):
            drawn = sets_with(hand, sets, kind, seen.lucky)
            value += count_of(seen.unseen, kind) * value_in_lap(seen, weights, drawn, later)
    return value / seen.n_unseen


@kernel
def best_play(seen, weights, may_take):
    """The best set to lay down, with a draw or with the top card, and its value."""
    best, best_value = NONE, -np.inf
    for kind in range(N_KINDS):
        for n in range(1, count_of(seen.hand, kind) + 1):
            hand = seen.hand - cards_of(n, kind)
            sets, odds, later = sets_of(hand, seen.lucky), 0.0, 0
            if seen.first_caller == NONE:
                odds = weights[BY_TURNS + turns_between(seen, kind, n)]
            else:
                later = later_after(seen, kind, n)
            action = MOST_PLAYED * kind + n - 1
            value = value_of_draw(seen, weights, hand, sets, later, odds)
            if value > best_value:
                best, best_value = PLAY + action, value
            if may_take:
                taken = sets_with(hand, sets, seen.top, seen.lucky)
                value = value_of_hand(seen, weights, taken, later, odds)
                if value > best_value:
                    best, best_value = TAKE + action, value
    return best, best_value


@kernel
def choose_turn(seen, weights, may_call, may_pass):
    """A turn: the best play, unless calling or passing is worth more."""
    best, best_value = best_play(seen, weights, seen.top != NONE)
    sets = sets_of(seen.hand, seen.lucky)
    if may_call:
        later = others(seen) if seen.first_caller == NONE else seen.later
        value = value_of_call(seen, weights, sets, later, NONE)
        if seen.first_caller == NONE:
            value += weights[CALL_NOW]
        if value >= best_value:
            best, best_value = CALL, value
    if may_pass:
        my_place = place_among(seen.callers, 0)
        value = -float(cost(sets))
        if my_place != NONE:
            value = value_of_call(seen, weights, sets, seen.later, my_place)
        if value >= best_value:
            best = PASS
    return best


@kernel
def choose_swap(seen, weights):
    """The dealer takes a lucky J and puts down what leaves the best hand, or declines."""
    best, best_value = PASS, hope(weights, sets_of(seen.hand, seen.lucky), 1.0)
    hand = seen.hand + cards_of(1, BUNGEE)
    for kind in range(N_KINDS):
        if count_of(hand, kind) > 0:
            sets = sets_of(hand - cards_of(1, kind), NONE)
            value = hope(weights, sets, 1.0)
            if value > best_value:
                best, best_value = SWAP + kind, value
    return best


@kernel
def choose_tuned(row, mask, weights):
    """One decision of `Tuned`."""
    rest = read_word(mask, N_ACTIONS - WORD) >> (SWAP - N_ACTIONS + WORD)
    may_call, may_pass = rest >> (CALL - SWAP) & 1, rest >> (PASS - SWAP) & 1
    plays = read_word(mask, PLAY) & ((1 << KINDS_IN_HAND) - 1)
    seen = look(row)
    if rest & ALL_KINDS:
        return choose_swap(seen, weights)
    if plays:
        return choose_turn(seen, weights, may_call, may_pass)
    return CALL if may_call else PASS


@kernel
def choose_tuned_all(observation, mask, weights, generators, actions):
    """The decisions of `Tuned`."""
    for i in range(actions.shape[0]):
        actions[i] = choose_tuned(row_of(observation, i), row_of(mask, i), weights)


# Basic.


@kernel
def dearest_kind(hand, lucky):
    """The kind whose cards in hand count most, of equal ones the lowest."""
    best, most = NONE, NONE
    for kind in range(N_KINDS):
        worth = count_of(hand, kind) * points_of(kind, lucky)
        if count_of(hand, kind) > 0 and worth > most:
            best, most = kind, worth
    return best


@kernel
def choose_basic(row, mask):
    """One decision of `Basic`: call if it can, else lay down the dearest set."""
    rest = read_word(mask, N_ACTIONS - WORD) >> (SWAP - N_ACTIONS + WORD)
    if rest >> (CALL - SWAP) & 1:
        return CALL
    hand, lucky = counts_at(row, OWN_HAND, MOST_IN_HAND), kind_at(row, LUCKY)
    kind, top = dearest_kind(hand, lucky), kind_at(row, TOP)
    if rest & ALL_KINDS:
        return SWAP + kind
    if rest >> (PASS - SWAP) & 1 and place_among(read_word(row, CALLERS), 0) != NONE:
        return PASS
    takes = top != NONE and points_of(top, lucky) <= CHEAP
    return (TAKE if takes else PLAY) + MOST_PLAYED * kind + count_of(hand, kind) - 1


@kernel
def choose_basic_all(observation, mask, weights, generators, actions):
    """The decisions of `Basic`."""
    for i in range(actions.shape[0]):
        actions[i] = choose_basic(row_of(observation, i), row_of(mask, i))


class Basic(KernelPlayer):
    """Calls at once, dumps the dearest set, takes a top card of 3 points or fewer."""

    choose_all = staticmethod(choose_basic_all)


class Tuned(TunedPlayer):
    """Weighs every play by what the hand is worth after the draw, and calls when that is better."""

    choose_all = staticmethod(choose_tuned_all)
    version, terms, tables = 1, TERMS, ((2, 3, 4, 5),)
    step, among_itself, n_games = 0.3, 0.5, 2800

    def prepared(self, weights: Sequence[float]) -> NDArray[np.float64]:
        """The weights, and behind them the odds that the kernel looks up."""
        return np.concatenate([np.array(weights, np.float64), *odds_against(weights)])
