"""Players of Bungee without learning.

`Basic` calls at once, dumps its dearest set and takes a top card that costs next to nothing.
`Tuned` looks one play ahead: it lays each set down in its head, takes the top card or draws every
card it has not seen, and asks what the hand is then worth. While nobody has called, that is the
chance of winning the round, judged by what is left after the next two dumps; in a lap, where the
play is its last, the chance that its call wins, and the cost of the hand, ten for a J, if not.
"""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

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


class Seen(NamedTuple):
    """What the table shows me; seats are counted from mine to the left."""

    row: Any  # the observation itself
    hand: int  # counts of my cards
    unseen: int  # counts of the cards that the next draw may bring
    n_unseen: int
    lucky: int  # kind, or NONE
    top: int  # kind, or NONE
    n_seats: int
    first_caller: int  # seat, or NONE while there is no lap
    later: int  # set of the other seats that have a turn left in the lap


class Sets(NamedTuple):
    """A hand by what it costs, and its two dearest sets."""

    points: int  # as the call counts them
    n_cards: int
    n_bungees: int  # that cost ten unless I win
    kind: int  # of the dearest set
    dearest: int  # its points
    second_kind: int
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
    for kind in range(N_KINDS):
        level = read_word(row, at + width * kind) & ((1 << width) - 1)
        counts += cards_of(count_bits(level), kind)
    return counts


@kernel
def kind_at(row, at):
    """The kind that a block of flags shows, or NONE."""
    flags = read_word(row, at) & ALL_KINDS
    return lowest_bit(flags) if flags else NONE


@kernel
def cards_held(row, seat):
    """How many cards a seat holds."""
    return count_bits(read_word(row, HAND_SIZES + MOST_IN_HAND * seat) & FULL_HAND)


@kernel
def known_cards(row, seat):
    """Counts of the cards that a seat was seen to take; mostly there are none."""
    at = KNOWN + KINDS_IN_HAND * seat
    some = read_word(row, at) & ((1 << KINDS_IN_HAND) - 1)
    return counts_at(row, at, MOST_IN_HAND) if some else 0


@kernel
def place_among_callers(row, seat):
    """Which call was this seat's, from 0, or NONE."""
    flags = read_word(row, CALLERS) >> MAX_SEATS * seat & ALL_SEATS
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
        if place_among_callers(row, seat) == 0:
            first_caller = seat
    return Seen(
        row=row,
        hand=hand,
        unseen=unseen,
        n_unseen=cards_in(unseen),
        lucky=lucky,
        top=kind_at(row, TOP),
        n_seats=n_seats,
        first_caller=first_caller,
        later=tail >> (LAP_LEFT - CALLERS) & ALL_SEATS & ~ME,
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
    kind_1 = kind_2 = NONE
    for kind in range(N_KINDS):
        n = count_of(hand, kind)
        n_cards += n
        worth = n * points_of(kind, lucky)
        points += worth
        if worth > dearest:
            second, kind_2 = dearest, kind_1
            dearest, kind_1 = worth, kind
        elif worth > second:
            second, kind_2 = worth, kind
    bungees = count_of(hand, BUNGEE) if lucky != BUNGEE else 0
    return Sets(points, n_cards, bungees, kind_1, dearest, kind_2, second)


@kernel
def sets_with(hand, sets, kind, lucky):
    """The same with one card more."""
    more = points_of(kind, lucky)
    worth = more * (count_of(hand, kind) + 1)
    bungees = sets.n_bungees + int(kind == BUNGEE and lucky != BUNGEE)
    points, n_cards = sets.points + more, sets.n_cards + 1
    if kind == sets.kind:
        return Sets(points, n_cards, bungees, kind, worth, sets.second_kind, sets.second)
    if worth > sets.dearest:
        return Sets(points, n_cards, bungees, kind, worth, sets.kind, sets.dearest)
    if kind == sets.second_kind or worth > sets.second:
        return Sets(points, n_cards, bungees, sets.kind, sets.dearest, kind, worth)
    return Sets(points, n_cards, bungees, sets.kind, sets.dearest, sets.second_kind, sets.second)


@kernel
def cost(sets):
    """What a hand scores that does not win."""
    return sets.points + BUNGEE_POINTS * sets.n_bungees


# While nobody has called.


@kernel
def winning_odds(weights, sets):
    """Log odds that this hand wins the round, leaving aside what was played to get it."""
    left = sets.points - sets.dearest
    odds = weights[POINTS] * sets.points + weights[NEXT_DUMP] * left
    odds += weights[SECOND_DUMP] * (left - sets.second) + weights[CARDS] * sets.n_cards
    if sets.points <= MOST_TO_CALL:
        odds += weights[READY] + weights[READY_POINTS] * sets.points
    return odds


@kernel
def odds_of_play(seen, weights, kind, n):
    """Log odds that come with a play: who has turns before it is mine again."""
    n_skipped = n if kind == SIX else 0
    n_between = (seen.n_seats - 1 - n_skipped) % seen.n_seats
    odds = weights[EVEN] + weights[TURNS] * n_between
    return odds + weights[FREE_TURN] if n_between == 0 else odds


@kernel
def hope(weights, sets, odds):
    """What a hand is worth while the round goes on: its chance to win it."""
    return weights[WIN] / (1.0 + math.exp(-odds - winning_odds(weights, sets)))


# In a lap, and for the call that begins one.


@kernel
def beaten_by(seen, weights, seat, points):
    """The chance that a seat with a turn left gets down to these points or fewer."""
    n_short = MOST_IN_HAND - cards_held(seen.row, seat)
    chance = weights[BEATEN] + weights[BEATEN_POINTS] * points
    chance += weights[BEATEN_CARDS] * n_short
    return min(max(chance, 0.0), 1.0)


@kernel
def caller_is_below(seen, weights, seat, points):
    """The chance that a caller has fewer points than these; it shows some of its cards."""
    known, least = known_cards(seen.row, seat), 0
    if known:
        least = min(sets_of(known, seen.lucky).points, MOST_TO_CALL)
    chance = weights[CALLER_LOW] * (points - least) / (MOST_TO_CALL + 1 - least)
    return min(max(chance, 0.0), 1.0)


@kernel
def chance_to_win(seen, weights, points, later, my_place):
    """The chance that a call with these points wins, against callers and those still to play."""
    chance = 1.0
    for seat in range(1, seen.n_seats):
        place = place_among_callers(seen.row, seat)
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
def value_of_hand(seen, weights, sets, later, odds):
    """What a hand is worth after a play."""
    if seen.first_caller == NONE:
        return hope(weights, sets, odds)
    value = value_of_call(seen, weights, sets, later, NONE)
    return value + weights[EXTRA_TURN] if later & ME else value


@kernel
def value_of_draw(seen, weights, hand, sets, later, odds):
    """The mean over all cards that may be drawn."""
    if seen.n_unseen == 0:
        return value_of_hand(seen, weights, sets, later, odds)
    value = 0.0
    for kind in range(N_KINDS):
        n = count_of(seen.unseen, kind)
        if n > 0:
            drawn = sets_with(hand, sets, kind, seen.lucky)
            value += n * value_of_hand(seen, weights, drawn, later, odds)
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
                odds = odds_of_play(seen, weights, kind, n)
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
        my_place = place_among_callers(seen.row, 0)
        value = -float(cost(sets))
        if my_place != NONE:
            value = value_of_call(seen, weights, sets, seen.later, my_place)
        if value >= best_value:
            best = PASS
    return best


@kernel
def choose_swap(seen, weights):
    """The dealer takes a lucky J and puts down what leaves the best hand, or declines."""
    best, best_value = PASS, hope(weights, sets_of(seen.hand, seen.lucky), weights[EVEN])
    hand = seen.hand + cards_of(1, BUNGEE)
    for kind in range(N_KINDS):
        if count_of(hand, kind) > 0:
            sets = sets_of(hand - cards_of(1, kind), NONE)
            value = hope(weights, sets, weights[EVEN])
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
    if rest >> (PASS - SWAP) & 1 and place_among_callers(row, 0) != NONE:
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
