"""Players of Cabanga without learning: they price every card and side, and lay the cheapest.

Both throw whatever fits: a card that is thrown is gone without a turn, and somebody else draws. How
they were tuned and how strong they are is in docs/players/cabanga.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import cabanga_env
from agents.players import KernelPlayer, Options, TunedPlayer
from cabanga_env.actions import LEFT, N_ACTIONS, N_SIDES, PASS, PLAY, RIGHT, THROW
from cabanga_env.cards import N_COLOURS, N_VALUES
from cabanga_env.observation import BLOCKS, FEWEST_SEATS, MOST_IN_HAND, OBS_SIZE, TABLES
from cabanga_env.rules import bit, inside_gap
from cardcore.bits import WORD, count_bits, lowest_bit, read_word, row_of
from cardcore.blocks import places
from cardcore.jit import kernels_of

kernel = kernels_of(Path(__file__).parent, Path(cabanga_env.__file__).parent)

AT = places(BLOCKS)
OWN_HAND, TOPS, HAND_SIZES = AT["own_hand"], AT["tops"], AT["hand_sizes"]
LAID_LEFT, LAID_RIGHT, DISCARD = AT["laid_left"], AT["laid_right"], AT["discard"]
RECYCLED, LAST_COLOUR, TABLE = AT["recycled"], AT["last_colour"], AT["table"]
LAST_WORD = OBS_SIZE - WORD  # the small blocks at the end are read from here, never beyond the end
LAST_MASK_WORD = N_ACTIONS - WORD
ALL_VALUES = (1 << N_VALUES) - 1
FULL_HAND = (1 << MOST_IN_HAND) - 1
ALL_TABLES = (1 << len(TABLES)) - 1
DEAREST = np.inf
FEWEST_CARDS = 1  # of a hand or a heap that something is divided by

# What Basic minds.
COLOUR_IN_VALUES = 18.0  # the colour penalty as a gap: wider than any, so it comes first

# What Tuned minds, in cards to draw: one card thrown at me, early in a round, costs 1. "Late" is 1
# divided by the fewest cards that an opponent holds, so it grows to 1 as somebody is nearly out.
TERMS = (  # where the search starts, and what it found, for each group of tables
    # to repeat the last colour
    ("colour", (2.0, 1.0, 1.0, 2.0, 2.0), (2.1, 1.3, 1.9, 1.3, 1.6)),
    # more for each card thrown at me, late
    ("thrown_late", (0.5, 0.9, 0.8, 1.0, 1.0), (0.52, 1.3, 3.1, 1.1, 1.5)),
    # to be rid of a point, early
    ("points", (-0.1, -0.2, -0.2, -0.3, 0.06), (-0.085, -0.27, -0.19, -0.33, 0.046)),
    # and more of it, late
    ("points_late", (0.3, 0.5, 0.7, 0.8, 0.5), (0.24, 0.76, 1.2, 1.2, 0.56)),
    # a throw that a card I keep would draw later
    ("ahead", (0.3, 0.4, 0.3, 0.3, 0.2), (0.39, 0.41, 0.41, 0.19, 0.2)),
    # an opponent's card that lets me throw mine
    ("catch", (0.9, 0.7, 0.5, 0.5, 0.5), (0.91, 0.62, 0.95, 0.53, 0.4)),
)
COLOUR, THROWN_LATE, POINTS, POINTS_LATE, AHEAD, CATCH = range(len(TERMS))
CARD_POINTS = len(TERMS)  # the points of the values 1 to 18 follow the weights


def nearer_top(value: int, left: int, right: int) -> int:
    """The top that leaves the smaller gap beside a value, which is where a sane player lays it."""
    return left if abs(value - left) < abs(value - right) else right


def catchers_of_rows() -> NDArray[np.int64]:
    """For tops and a card of mine: the values that somebody lays so that mine can be thrown."""
    catchers = np.zeros((N_VALUES + 1,) * 3, np.int64)  # [left, right, mine] sets of values
    for left, right, laid in np.ndindex((N_VALUES,) * 3):
        low, high = sorted((laid, nearer_top(laid, left, right)))
        catchers[left + 1, right + 1, low + 2 : high + 1] |= 1 << laid
    return catchers


CATCHERS = catchers_of_rows()


# What the observation says.


@kernel
def cards_of(row, at, colour):
    """The values of one colour in a block of cards, as a set."""
    return read_word(row, at + N_VALUES * colour) & ALL_VALUES


@kernel
def top_of(row, colour, side):
    """The top value of a pile."""
    return count_bits(cards_of(row, TOPS, N_SIDES * colour + side))


@kernel
def hand_size(row, seat):
    """How many cards a seat holds, seats in order from mine."""
    return count_bits(read_word(row, HAND_SIZES + MOST_IN_HAND * seat) & FULL_HAND)


@kernel
def n_seats_of(row):
    """How many sit at the table."""
    flags = read_word(row, LAST_WORD) >> (TABLE - LAST_WORD) & ALL_TABLES
    return lowest_bit(flags) + FEWEST_SEATS


@kernel
def is_last_colour(row, colour):
    """Whether a card of this colour costs the colour penalty now."""
    return read_word(row, LAST_WORD) >> (LAST_COLOUR - LAST_WORD + colour) & 1


@kernel
def unseen_of(row, colour):
    """The cards of a colour that I have not seen: they are in a hand or in the penalty pile."""
    laid = cards_of(row, LAID_LEFT, colour) | cards_of(row, LAID_RIGHT, colour)
    seen = cards_of(row, OWN_HAND, colour) | laid | cards_of(row, DISCARD, colour)
    return ALL_VALUES & ~seen


@kernel
def is_throwing(mask):
    """Whether I am asked to throw: only then can I pass."""
    return read_word(mask, LAST_MASK_WORD) >> (PASS - LAST_MASK_WORD) & 1


@kernel
def throw_what_fits(mask):
    """The lowest card that fits; who is asked again throws the next."""
    return THROW + lowest_bit(read_word(mask, LAST_MASK_WORD) >> (THROW - LAST_MASK_WORD))


# What both know.


@kernel
def gap_of(value, top):
    """The values strictly between a card and the top of the other pile."""
    return inside_gap(min(value, top), max(value, top))


@kernel
def play_of(colour, value, side):
    """The action that lays a card."""
    return PLAY + N_SIDES * (N_VALUES * colour + value - 1) + side


# Basic: the least gap, but another colour if there is one.


@kernel
def lay_least_gap(row, colour_price):
    """The card and side with the least gap, a repeated colour counting as a wide one."""
    best, action = DEAREST, PASS
    for colour in range(N_COLOURS):
        held = cards_of(row, OWN_HAND, colour)
        left, right = top_of(row, colour, LEFT), top_of(row, colour, RIGHT)
        penalty = colour_price * is_last_colour(row, colour)
        while held:
            value = lowest_bit(held) + 1
            held &= held - 1
            for side in range(N_SIDES):
                price = penalty + count_bits(gap_of(value, right if side == LEFT else left))
                if price < best:
                    best, action = price, play_of(colour, value, side)
    return action


@kernel
def basic_all(observation, mask, weights, generators, actions):
    """Basic's actions."""
    for i in range(actions.shape[0]):
        asked = row_of(mask, i)
        if is_throwing(asked):
            actions[i] = throw_what_fits(asked)
        else:
            actions[i] = lay_least_gap(row_of(observation, i), weights[0])


# Tuned: what comes back at once, and what the rest of the hand is worth beside the new tops.


@kernel
def n_cards_of_others(row, n_seats):
    """How many cards all opponents hold, and the fewest that one of them holds."""
    total, fewest = 0, MOST_IN_HAND
    for seat in range(1, n_seats):
        size = hand_size(row, seat)
        total += size
        fewest = min(fewest, size)
    return total, max(fewest, FEWEST_CARDS)


@kernel
def n_unseen_cards(row):
    """How many cards are unseen, how many of them were in the last reshuffle, how many that had."""
    n_unseen, n_back, n_recycled = 0, 0, 0
    for colour in range(N_COLOURS):
        unseen, recycled = unseen_of(row, colour), cards_of(row, RECYCLED, colour)
        n_unseen += count_bits(unseen)
        n_back += count_bits(unseen & recycled)
        n_recycled += count_bits(recycled)
    return n_unseen, n_back, n_recycled


@kernel
def share_in_hands(row, n_theirs):
    """How likely an unseen card that may be in the pile is held, and whether there was a reshuffle.

    After a reshuffle the pile is made of the cards that went into it: all others are in hands.
    """
    n_unseen, n_back, n_recycled = n_unseen_cards(row)
    reshuffled = n_recycled > 0
    n_doubtful = n_back if reshuffled else n_unseen
    n_doubtful_held = max(n_theirs - (n_unseen - n_doubtful), 0)
    return min(n_doubtful_held / max(n_doubtful, FEWEST_CARDS), 1.0), reshuffled


@kernel
def doubtful_of(row, colour, reshuffled):
    """The unseen cards of a colour that may as well be in the penalty pile."""
    unseen = unseen_of(row, colour)
    return unseen & cards_of(row, RECYCLED, colour) if reshuffled else unseen


@kernel
def expected_throws(gap, unseen, doubtful, share):
    """How many cards will be thrown into a gap: those surely held, and a share of the others."""
    inside, in_doubt = count_bits(gap & unseen), count_bits(gap & doubtful)
    return inside - in_doubt + share * in_doubt


@kernel
def cost_of_keeping(held, left, right, unseen, doubtful, share, ahead, catch):
    """What holding cards beside these tops costs: to lay each later, less the hope to throw it."""
    cost = 0.0
    while held:
        value = lowest_bit(held) + 1
        held &= held - 1
        on_left = expected_throws(gap_of(value, right), unseen, doubtful, share)
        on_right = expected_throws(gap_of(value, left), unseen, doubtful, share)
        n_catchers = count_bits(CATCHERS[left, right, value] & unseen)
        cost += ahead * min(on_left, on_right) - catch * share * n_catchers
    return cost


@kernel
def lay_cheapest_of(row, colour, held, weights, share, reshuffled, late):
    """The price and the action of the best play of one colour."""
    left, right = top_of(row, colour, LEFT), top_of(row, colour, RIGHT)
    unseen, doubtful = unseen_of(row, colour), doubtful_of(row, colour, reshuffled)
    ahead, catch = weights[AHEAD], weights[CATCH]
    a_throw = 1.0 + weights[THROWN_LATE] * late
    a_point = weights[POINTS] + weights[POINTS_LATE] * late
    always = weights[COLOUR] * is_last_colour(row, colour)
    always -= cost_of_keeping(held, left, right, unseen, doubtful, share, ahead, catch)
    best, action, rest = DEAREST, PASS, held
    while rest:
        value = lowest_bit(rest) + 1
        rest &= rest - 1
        kept = held & ~bit(value)
        for side in range(N_SIDES):
            other = right if side == LEFT else left
            throws = expected_throws(gap_of(value, other), unseen, doubtful, share)
            price = always + a_throw * throws - a_point * weights[CARD_POINTS + value - 1]
            price += cost_of_keeping(kept, value, other, unseen, doubtful, share, ahead, catch)
            if price < best:
                best, action = price, play_of(colour, value, side)
    return best, action


@kernel
def lay_cheapest(row, weights):
    """The play with the lowest price."""
    n_theirs, fewest = n_cards_of_others(row, n_seats_of(row))
    share, reshuffled = share_in_hands(row, n_theirs)
    best, action = DEAREST, PASS
    for colour in range(N_COLOURS):
        held = cards_of(row, OWN_HAND, colour)
        if held:
            price, play = lay_cheapest_of(
                row, colour, held, weights, share, reshuffled, 1.0 / fewest
            )
            if price < best:
                best, action = price, play
    return action


@kernel
def tuned_all(observation, mask, weights, generators, actions):
    """Tuned's actions."""
    for i in range(actions.shape[0]):
        asked = row_of(mask, i)
        if is_throwing(asked):
            actions[i] = throw_what_fits(asked)
        else:
            actions[i] = lay_cheapest(row_of(observation, i), weights)


# The two as players.


class Basic(KernelPlayer):
    """Avoids the colour penalty, then takes the least gap, and throws whatever fits."""

    choose_all = staticmethod(basic_all)

    @classmethod
    def usual(cls, options: Options) -> Sequence[float]:
        """What the colour penalty is worth in values of gap."""
        return (COLOUR_IN_VALUES,)


class Tuned(TunedPlayer):
    """Counts what can be thrown at it now and later, and what it can hope to throw itself."""

    choose_all = staticmethod(tuned_all)
    version, terms, tables = 1, TERMS, ((2,), (3,), (4,), (5,), (6,))
    step, among_itself, n_games = 0.15, 0.5, 1800

    def prepared(self, weights: Sequence[float]) -> NDArray[np.float64]:
        """The weights, and then the points of the cards."""
        return np.concatenate([weights, self.options["points"]]).astype(np.float64)
