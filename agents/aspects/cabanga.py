"""What each action of Cabanga would do: the cards it invites, and what the hand is worth after it.

Cards are told by what they are beside the tops, not by their colour and side: what is learned of
one row holds for all.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cabanga_env
from agents import heuristics
from agents.aspects import Aspect, starts_of
from agents.heuristics.cabanga import AT as SEEN_AT
from agents.heuristics.cabanga import (
    CATCHERS,
    FEWEST_CARDS,
    LAST_COLOUR,
    LAST_WORD,
    OWN_HAND,
    cards_of,
    doubtful_of,
    gap_of,
    hand_size,
    n_cards_of_others,
    n_seats_of,
    share_in_hands,
    top_of,
    unseen_of,
)
from cabanga_env.actions import LEFT, N_SIDES, PASS, RIGHT, THROW
from cabanga_env.cards import N_COLOURS, N_VALUES
from cabanga_env.rules import bit
from cardcore.bits import count_bits, lowest_bit, read_word, row_of
from cardcore.jit import kernels_of

kernel = kernels_of(
    Path(__file__).parent, Path(str(heuristics.__file__)).parent, Path(cabanga_env.__file__).parent
)

N_DISTANCES = N_VALUES - 1
N_MIDDLES = N_VALUES // 2
MOST_LEFT = 9  # cards in hand that are told apart
ALL_COLOURS = (1 << N_COLOURS) - 1
NO_COLOUR = -1
OFFERED, OFFERED_TO_ALL = SEEN_AT["offered"], SEEN_AT["offered_to_all"]
# How likely opponents hold a card that they let pass, beside one that never fitted: it was drawn
# since, or somebody did not throw it. What is best for a player like `tuned`.
LET_PASS, LET_PASS_BY_ALL = 0.4, 0.15

ASPECTS: Sequence[Aspect] = (
    Aspect("kind", 3, "flags: lays a card, throws one, passes"),
    Aspect("opens", 1, "nobody has laid a card in this round"),
    Aspect("repeats", 1, "lays the last colour again"),
    Aspect("middle", N_MIDDLES, "flags: how far the card is from the middle of 1 to 18"),
    Aspect("throws", 1, "cards that will be thrown at me, expected, in twos"),
    Aspect("throws_late", 1, "the same, divided by the fewest cards that an opponent holds"),
    Aspect("sure", 1, "cards inside the gap that are in hands for certain, in twos"),
    Aspect("doubtful", 1, "and those that may be in the penalty pile, in fours"),
    Aspect("let_pass", 2, "of these, those that some opponent let pass; that all did; in fours"),
    Aspect("spared", 1, "chance that nothing is thrown"),
    Aspect("gap", 1, "width of the gap, of 17"),
    Aspect(
        "ahead_before", 1, "throws to expect when I lay my cards of this colour as it is, in fours"
    ),
    Aspect("ahead_after", 1, "and after the action"),
    Aspect("ahead_else", 1, "and those of other colours"),
    Aspect(
        "catch_before",
        1,
        "opponents' cards that let me throw mine of this colour as it is, in twos",
    ),
    Aspect("catch_after", 1, "and after the action"),
    Aspect("catch_else", 1, "and those of other colours"),
    Aspect("least_here", 1, "fewest throws to expect for a kept card of this colour, in twos"),
    Aspect("least_else", 1, "and of another colour"),
    Aspect("kept_here", 1, "cards of this colour that I keep, in sixes"),
    Aspect("colours", N_COLOURS + 1, "flags: number of colours that I keep"),
    Aspect("left", MOST_LEFT + 1, "flags: number of cards that I keep, 9 and more as 9"),
    Aspect("late", 1, "1 / the fewest cards that an opponent holds"),
    Aspect("next_late", 1, "1 / the cards of the seat to my left"),
    Aspect("my_late", 1, "1 / (1 + the cards that I keep)"),
    Aspect("theirs", 1, "cards of this colour that opponents hold, expected, in fours"),
    Aspect("share", 1, "chance that an unseen card that may be in the pile is in a hand"),
    Aspect("safe", 1, "cards of this colour that all opponents let pass, of 18"),
    Aspect("gap_theirs", N_DISTANCES, "chance that opponents hold the card so far into the gap"),
    Aspect("gap_mine", N_DISTANCES, "whether I keep the card so far into the gap"),
)
AT = starts_of(ASPECTS)
N_ASPECTS = sum(aspect.size for aspect in ASPECTS)

KIND, OPENS, REPEATS, MIDDLE = AT["kind"], AT["opens"], AT["repeats"], AT["middle"]
THROWS, THROWS_LATE, SURE = AT["throws"], AT["throws_late"], AT["sure"]
DOUBTFUL, PASSED, SPARED, GAP = AT["doubtful"], AT["let_pass"], AT["spared"], AT["gap"]
AHEAD_BEFORE, AHEAD_AFTER, AHEAD_ELSE = AT["ahead_before"], AT["ahead_after"], AT["ahead_else"]
CATCH_BEFORE, CATCH_AFTER, CATCH_ELSE = AT["catch_before"], AT["catch_after"], AT["catch_else"]
LEAST_HERE, LEAST_ELSE, KEPT_HERE = AT["least_here"], AT["least_else"], AT["kept_here"]
COLOURS, LEFT_IN_HAND, LATE = AT["colours"], AT["left"], AT["late"]
NEXT_LATE, MY_LATE, THEIRS, SHARE = AT["next_late"], AT["my_late"], AT["theirs"], AT["share"]
SAFE, GAP_THEIRS, GAP_MINE = AT["safe"], AT["gap_theirs"], AT["gap_mine"]
LAYS, THROWS_ONE, PASSES = KIND, KIND + 1, KIND + 2

# What makes a number about 1.
TWO, FOUR, SIX = 2.0, 4.0, 6.0
NOTHING_TO_LAY = 4.0  # in the place of throws, in twos, that a card would cost if there were one


class Table(NamedTuple):
    """What all actions of a decision have in common."""

    row: Any  # the observation
    share: float
    reshuffled: bool
    late: float
    next_late: float
    last_colour: int  # or NO_COLOUR
    n_cards: int  # in my hand
    n_colours: int  # of them
    ahead: float  # of all colours
    catch: float


class Pile(NamedTuple):
    """A row of two piles and what is known of its colour."""

    left: int
    right: int
    unseen: int
    doubtful: int
    let_pass: int  # unseen or not, by some opponent
    let_pass_by_all: int


@kernel
def pile_of(row, colour, reshuffled):
    """The row of a colour."""
    left, right = top_of(row, colour, LEFT), top_of(row, colour, RIGHT)
    unseen, doubtful = unseen_of(row, colour), doubtful_of(row, colour, reshuffled)
    some, all_others = cards_of(row, OFFERED, colour), cards_of(row, OFFERED_TO_ALL, colour)
    return Pile(left, right, unseen, doubtful, some, all_others)


@kernel
def n_alike(cards, pile):
    """Doubtful cards, each counted by how likely it is in a hand, beside one that never fitted."""
    cards &= pile.doubtful
    n_some, n_all = count_bits(cards & pile.let_pass), count_bits(cards & pile.let_pass_by_all)
    never = count_bits(cards) - n_some
    return never + LET_PASS * (n_some - n_all) + LET_PASS_BY_ALL * n_all


@kernel
def n_held(cards, pile, share):
    """How many of these cards are in opponents' hands, expected."""
    return count_bits(cards & pile.unseen & ~pile.doubtful) + share * n_alike(cards, pile)


@kernel
def share_of(row):
    """How likely a doubtful card that never fitted is in a hand, and if there was a reshuffle."""
    n_theirs, _ = n_cards_of_others(row, n_seats_of(row))
    share, reshuffled = share_in_hands(row, n_theirs)
    n_doubtful, n_counted = 0, 0.0
    for colour in range(N_COLOURS):
        pile = pile_of(row, colour, reshuffled)
        n_doubtful += count_bits(pile.doubtful)
        n_counted += n_alike(pile.doubtful, pile)
    return min(share * n_doubtful / n_counted, 1.0) if n_counted > 0 else share, reshuffled


@kernel
def throws_at(value, pile, share):
    """The throws to expect when a card is laid where it costs least."""
    on_left = n_held(gap_of(value, pile.right), pile, share)
    return min(on_left, n_held(gap_of(value, pile.left), pile, share))


@kernel
def ahead_of(held, pile, share):
    """The throws to expect when each of these cards is laid where it costs least."""
    ahead = 0.0
    while held:
        ahead += throws_at(lowest_bit(held) + 1, pile, share)
        held &= held - 1
    return ahead


@kernel
def catch_of(held, pile, share):
    """The opponents' cards that would let me throw these, each counted with its chance."""
    catch = 0.0
    while held:
        catch += n_held(CATCHERS[pile.left, pile.right, lowest_bit(held) + 1], pile, share)
        held &= held - 1
    return catch


@kernel
def least_of(held, pile, share):
    """The fewest throws, in twos, that one of these cards would cost."""
    least = NOTHING_TO_LAY
    while held:
        least = min(least, throws_at(lowest_bit(held) + 1, pile, share) / TWO)
        held &= held - 1
    return least


@kernel
def last_colour_of(row):
    """The colour to avoid, if there is one."""
    flags = read_word(row, LAST_WORD) >> (LAST_COLOUR - LAST_WORD) & ALL_COLOURS
    return lowest_bit(flags) if flags else NO_COLOUR


@kernel
def look(row, least):
    """What all actions have in common; `least` gets the cheapest lay of each colour."""
    _, fewest = n_cards_of_others(row, n_seats_of(row))
    share, reshuffled = share_of(row)
    n_cards, n_colours, ahead, catch = 0, 0, 0.0, 0.0
    for colour in range(N_COLOURS):
        held, pile = cards_of(row, OWN_HAND, colour), pile_of(row, colour, reshuffled)
        n_cards += count_bits(held)
        n_colours += held != 0
        ahead += ahead_of(held, pile, share)
        catch += catch_of(held, pile, share)
        least[colour] = least_of(held, pile, share)
    late, next_late = 1.0 / fewest, 1.0 / max(hand_size(row, 1), FEWEST_CARDS)
    last = last_colour_of(row)
    return Table(row, share, reshuffled, late, next_late, last, n_cards, n_colours, ahead, catch)


@kernel
def least_but(least, colour):
    """The cheapest lay of all colours but one."""
    found = NOTHING_TO_LAY
    for other in range(N_COLOURS):
        if other != colour:
            found = min(found, least[other])
    return found


@kernel
def write_gap(table, pile, kept, value, other, out):
    """What the gap invites, and which cards lie how far into it."""
    gap = gap_of(value, other)
    throws, doubtful = n_held(gap, pile, table.share), gap & pile.doubtful
    n_sure = count_bits(gap & pile.unseen & ~pile.doubtful)
    out[THROWS], out[THROWS_LATE] = throws / TWO, throws * table.late / TWO
    out[SURE], out[DOUBTFUL] = n_sure / TWO, count_bits(doubtful) / FOUR
    out[PASSED] = count_bits(doubtful & pile.let_pass) / FOUR
    out[PASSED + 1] = count_bits(doubtful & pile.let_pass_by_all) / FOUR
    spared = 1.0
    out[GAP] = abs(value - other) / N_DISTANCES
    while gap:
        inside = lowest_bit(gap) + 1
        gap &= gap - 1
        at, one = abs(inside - value) - 1, bit(inside)
        out[GAP_THEIRS + at] = n_held(one, pile, table.share)
        out[GAP_MINE + at] = kept & one != 0
        spared *= 1.0 - n_held(one, pile, table.share)
    out[SPARED] = spared


@kernel
def write_hand(table, least, colour, pile, kept, out):
    """What the hand is worth after the action, in the row of its colour and elsewhere."""
    held, before = (
        cards_of(table.row, OWN_HAND, colour),
        pile_of(table.row, colour, table.reshuffled),
    )
    ahead, catch = ahead_of(held, before, table.share), catch_of(held, before, table.share)
    out[AHEAD_BEFORE], out[CATCH_BEFORE] = ahead / FOUR, catch / TWO
    out[AHEAD_ELSE], out[CATCH_ELSE] = (table.ahead - ahead) / FOUR, (table.catch - catch) / TWO
    out[AHEAD_AFTER] = ahead_of(kept, pile, table.share) / FOUR
    out[CATCH_AFTER] = catch_of(kept, pile, table.share) / TWO
    out[LEAST_HERE], out[LEAST_ELSE] = least_of(kept, pile, table.share), least_but(least, colour)
    n_kept = table.n_cards - count_bits(held & ~kept)
    out[KEPT_HERE] = count_bits(kept) / SIX
    out[COLOURS + table.n_colours - (held != 0 and kept == 0)] = 1.0
    out[LEFT_IN_HAND + min(n_kept, MOST_LEFT)] = 1.0
    out[MY_LATE] = 1.0 / (1 + n_kept)


@kernel
def write_table(table, pile, out):
    """What is the same for all actions of one colour."""
    out[THEIRS] = n_held(pile.unseen, pile, table.share) / FOUR
    out[SAFE] = count_bits(pile.unseen & pile.let_pass_by_all) / N_VALUES
    out[LATE], out[NEXT_LATE], out[SHARE] = table.late, table.next_late, table.share
    out[OPENS] = table.last_colour == NO_COLOUR


@kernel
def write_lay(table, least, colour, value, side, out):
    """A card that is laid."""
    pile, held = pile_of(table.row, colour, table.reshuffled), cards_of(table.row, OWN_HAND, colour)
    kept, other = held & ~bit(value), pile.right if side == LEFT else pile.left
    left, right = (value, other) if side == LEFT else (other, value)
    after = Pile(left, right, pile.unseen, pile.doubtful, pile.let_pass, pile.let_pass_by_all)
    out[LAYS], out[REPEATS] = 1.0, colour == table.last_colour
    write_middle(value, out)
    write_gap(table, pile, kept, value, other, out)
    write_hand(table, least, colour, after, kept, out)
    write_table(table, pile, out)


@kernel
def write_answer(table, least, action, out):
    """A card that is thrown, or a pass."""
    colour = table.last_colour
    pile, kept = pile_of(table.row, colour, table.reshuffled), cards_of(table.row, OWN_HAND, colour)
    out[PASSES if action == PASS else THROWS_ONE] = 1.0
    if action != PASS:
        value = action - THROW + 1
        kept &= ~bit(value)
        write_middle(value, out)
    write_hand(table, least, colour, pile, kept, out)
    write_table(table, pile, out)


@kernel
def write_middle(value, out):
    """How far a value is from the middle."""
    out[MIDDLE + (abs(2 * value - N_VALUES - 1) - 1) // 2] = 1.0


@kernel
def write_aspects(table, least, action, out):
    """All aspects of an action."""
    for k in range(N_ASPECTS):
        out[k] = 0.0
    if action < THROW:
        card, side = action // N_SIDES, action % N_SIDES
        write_lay(table, least, card // N_VALUES, card % N_VALUES + 1, side, out)
    else:
        write_answer(table, least, action, out)


@kernel
def aspects_all(observation, mask, decision, action, aspects):
    """The allowed actions of every decision, and the aspects of each."""
    least, row = [NOTHING_TO_LAY] * N_COLOURS, 0
    for i in range(mask.shape[0]):
        table = look(row_of(observation, i), least)
        for one in range(mask.shape[1]):
            if mask[i, one] != 0:
                decision[row], action[row] = i, one
                write_aspects(table, least, one, aspects[row])
                row += 1
