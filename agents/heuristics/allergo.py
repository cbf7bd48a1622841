"""Two players of Allergo without learning: a casual one, and one that weighs what a card does.

Both read the observation through its table of blocks and know nothing else. A stretch of cards has
four places a card, so one word holds all cards of a colour, four bits a kind.
"""

from pathlib import Path

import numpy as np

import allergo_env
from agents.players import KernelPlayer, TunedPlayer
from allergo_env.actions import (
    ANNOUNCE,
    CARD_PLAYED,
    DENOUNCE,
    DRAW,
    LIAR,
    N_ACTIONS,
    NAME,
    PASS,
    PLAY_CAPTAIN,
    PLAY_PLUS_4,
)
from allergo_env.cards import (
    CAPTAIN,
    COSTS,
    DEFAULT_COPIES,
    MOST_COPIES,
    N_COLOURED,
    N_COLOURS,
    N_KINDS,
    PLUS_2,
    PLUS_3,
    PLUS_4,
    REVERSE,
    SKIP,
)
from allergo_env.observation import (
    BLOCKS,
    DOUBLINGS,
    FEWEST_SEATS,
    FINE_STEP,
    MOST_IN_HAND,
    N_DOUBLINGS,
    N_FINES,
    OBS_SIZE,
)
from allergo_env.rules import ALLERGY, FINE, LIE, POLLEN
from allergo_env.state import MAX_SEATS, NONE
from cardcore.bits import WORD, count_bits, lowest_bit, read_word, row_of, word_of_row
from cardcore.blocks import places
from cardcore.jit import kernels_of

kernel = kernels_of(Path(__file__).parent, Path(allergo_env.__file__).parent)

AT = places(BLOCKS)
HAND, DISCARD, SIZES = AT["own_hand"], AT["discard"], AT["hand_sizes"]
FINE_DUE, TOP = AT["fine"], AT["top"]
IN_FORCE = AT["colour"]  # the word from here on holds all that is small
KIND_BIT, DIRECTION_BIT = AT["kind"] - IN_FORCE, AT["direction"] - IN_FORCE
PLUS_4_BIT, TABLE_BIT = AT["plus_4_by"] - IN_FORCE, AT["table"] - IN_FORCE
LIMITS = OBS_SIZE - WORD  # the last word
TURNS_BIT = AT["turns_left"] - LIMITS

EACH_COLOUR = N_KINDS * MOST_COPIES  # places
MAUVE_AT = N_COLOURS * EACH_COLOUR
N_MAUVE = 3
MAUVE_PLACES = N_MAUVE * MOST_COPIES
COPIES_OF_ONE = (1 << MOST_COPIES) - 1
PLAYS = (1 << DRAW) - 1  # the actions that lay a card
BLUFFS = ((1 << N_COLOURS) - 1) << PLAY_PLUS_4  # those that lay a +4
PER_KIND = DEFAULT_COPIES[0]  # equal cards in the box
PER_COLOUR = sum(DEFAULT_COPIES[:N_KINDS])
IN_BOX = sum(DEFAULT_COPIES)
# The part of the box that fits an average card: its colour, its kind, C and +3.
FIT_AT_RANDOM = (PER_COLOUR + PER_KIND * (N_COLOURS - 1) + DEFAULT_COPIES[-1] * 2) / IN_BOX
ONE_TURN_IN = np.array([1.0, *(1.0 / turns for turns in DOUBLINGS)])  # by doublings
ROUND_WON = 1e6  # more than all else together
NOTHING_YET = -1e9

# What things are worth, in minus points.
TERMS = (  # where the search starts, and what it found, for each group of tables
    ("cost", (-0.6, -0.4, 0.3), (-0.69, -0.34, 0.14)),  # a point of the card that I lay
    ("cost_late", (3.0, 3.0, 2.0), (2.7, 3.4, 1.8)),  # that, times the nearness of the end
    ("limit", (1.0, 2.0, 3.0), (1.2, 1.1, 3.2)),  # nearness of the end, one turn before it
    ("keep_captain", (20.0, 40.0, 5.0), (11.0, 36.0, 0.026)),  # C, held for later
    ("keep_plus_3", (30.0, 60.0, 70.0), (34.0, 65.0, 64.0)),  # +3, held for later
    ("keep_plus_4", (60.0, 60.0, 40.0), (55.0, 65.0, 32.0)),  # +4, held for later
    ("keep_plus_2", (6.0, 20.0, 20.0), (4.5, 18.0, 21.0)),  # +2, held for later
    ("keep_turn", (-20.0, -9.0, -20.0), (-7.8, -6.5, -5.4)),  # ~ and /, held for later
    ("follow", (10.0, 9.0, 9.0), (8.2, 9.5, 13.0)),  # if a card that I keep fits what lies there
    ("finish", (40.0, 20.0, 20.0), (68.0, 37.0, 30.0)),  # if that is my last card
    ("trap", (30.0, 40.0, 30.0), (32.0, 44.0, 27.0)),  # if only mauve cards are left
    ("hit", (4.0, 3.0, 2.0), (6.7, 4.2, 2.6)),  # a card drawn by the next, × its nearness
    ("hit_all", (10.0, 10.0, 10.0), (14.0, 9.4, 11.0)),  # a card drawn by all, × nearness
    ("miss", (30.0, 20.0, 30.0), (31.0, 15.0, 27.0)),  # a turn lost by the next, × its nearness
    ("scarce", (20.0, 40.0, 40.0), (32.0, 61.0, 53.0)),  # part of the unseen that doesn't fit
    ("bluff", (40.0, 40.0, 40.0), (51.0, 42.0, 64.0)),  # what a bluff risks if seen through
    ("wait", (20.0, 30.0, 30.0), (12.0, 41.0, 38.0)),  # what it loses to draw or keep a card
    ("liars", (0.05, 0.02, 0.02), (0.052, 0.013, 0.008)),  # how often a +4 is a lie
)
(
    COST,
    COST_LATE,
    LIMIT,
    KEEP_CAPTAIN,
    KEEP_PLUS_3,
    KEEP_PLUS_4,
    KEEP_PLUS_2,
    KEEP_TURN,
    FOLLOW,
    FINISH,
    TRAP,
    HIT,
    HIT_ALL,
    MISS,
    SCARCE,
    BLUFF,
    WAIT,
    LIARS,
) = range(len(TERMS))


# What lies on the table.


@kernel
def of_colour(row, at, colour):
    """The cards of a colour in a stretch of cards, as a set of four bits a kind."""
    return read_word(row, at + EACH_COLOUR * colour) & ((1 << EACH_COLOUR) - 1)


@kernel
def of_kind(kind):
    """The places of a kind among those of a colour, or none."""
    return COPIES_OF_ONE << MOST_COPIES * kind if kind != NONE else 0


@kernel
def n_of(row, card):
    """How many of a mauve card I hold."""
    at = HAND + MAUVE_AT + MOST_COPIES * (card - N_COLOURED)
    return count_bits(read_word(row, at) & COPIES_OF_ONE)


@kernel
def n_mauve(row):
    """How many mauve cards I hold."""
    return count_bits(read_word(row, HAND + MAUVE_AT) & ((1 << MAUVE_PLACES) - 1))


@kernel
def n_fitting(row, at, colour, kind):
    """How many coloured cards of a stretch are of this colour or of this kind."""
    n = 0
    for one in range(N_COLOURS):
        cards = of_colour(row, at, one)
        n += count_bits(cards if one == colour else cards & of_kind(kind))
    return n


@kernel
def size_of(row, place):
    """The cards in the hand of a seat, counted from mine."""
    at = SIZES + MOST_IN_HAND * place
    return count_bits(read_word(row, at) & ((1 << MOST_IN_HAND) - 1))


@kernel
def n_seats_of(row):
    """The seats at the table."""
    return lowest_bit(read_word(row, IN_FORCE) >> TABLE_BIT) + FEWEST_SEATS


@kernel
def next_place(row):
    """The seat that plays after mine, counted from mine."""
    clockwise = read_word(row, IN_FORCE) >> DIRECTION_BIT & 1
    return 1 if clockwise else n_seats_of(row) - 1


@kernel
def colour_in_force(row):
    """The colour that a card must match, or none."""
    bits = read_word(row, IN_FORCE) & ((1 << N_COLOURS) - 1)
    return lowest_bit(bits) if bits else NONE


@kernel
def kind_in_force(row):
    """The kind that a card must match, or none."""
    bits = read_word(row, IN_FORCE) >> KIND_BIT & ((1 << N_KINDS) - 1)
    return lowest_bit(bits) if bits else NONE


@kernel
def fine_due(row):
    """The cards pending from +2."""
    return FINE_STEP * count_bits(read_word(row, FINE_DUE) & ((1 << N_FINES) - 1))


@kernel
def nearness(size):
    """How near a hand is to its end: 1 with one card, a half with two, and so on."""
    return 1.0 / max(size, 1)


@kernel
def nearest(row):
    """The nearness of the other seat that is nearest to its end."""
    least = size_of(row, 1)
    for place in range(2, n_seats_of(row)):
        least = min(least, size_of(row, place))
    return nearness(least)


@kernel
def would_bluff(row):
    """Whether a +4 would be a bluff: something else in my hand fits."""
    top = read_word(row, TOP)
    captain = n_of(row, CAPTAIN) > 0 and not top >> PLUS_3 & 1
    coloured = n_fitting(row, HAND, colour_in_force(row), kind_in_force(row)) > 0
    return coloured or captain or n_of(row, PLUS_3) > 0


@kernel
def nearness_of_end(row, w):
    """How near the round is to its end: by the shortest other hand, or by its limit of turns."""
    doublings = count_bits(read_word(row, LIMITS) >> TURNS_BIT & ((1 << N_DOUBLINGS) - 1))
    by_limit = w[LIMIT] * n_seats_of(row) * ONE_TURN_IN[doublings]
    return max(nearest(row), min(by_limit, 1.0))


# The casual player.


@kernel
def commonest_colour(row):
    """The colour of which I hold most."""
    best, most = 0, -1
    for colour in range(N_COLOURS):
        n = count_bits(of_colour(row, HAND, colour))
        if n > most:
            best, most = colour, n
    return best


@kernel
def dearest_play(row, plays):
    """The play that rids me of most points, or no play."""
    best, most = NONE, -1
    while plays:
        action = lowest_bit(plays)
        plays &= plays - 1
        if COSTS[CARD_PLAYED[action]] > most:
            best, most = action, COSTS[CARD_PLAYED[action]]
    if best in (PLAY_CAPTAIN, PLAY_PLUS_4):
        best += commonest_colour(row)
    return best


@kernel
def basic_choice(row, mask):
    """Announce, denounce and accept; else lay the dearest card, a +4 only if nothing else fits."""
    answers = read_word(mask, 0)
    more = word_of_row(mask, N_ACTIONS, 1)
    if more >> (DENOUNCE - WORD) & 1:
        return DENOUNCE
    if more >> (NAME - WORD) & 1:
        return NAME + commonest_colour(row)
    if answers >> ANNOUNCE & 1:
        return ANNOUNCE
    plays = answers & PLAYS
    if plays & BLUFFS and would_bluff(row):
        plays &= ~BLUFFS
    if plays:
        return dearest_play(row, plays)
    return PASS if answers >> PASS & 1 else DRAW


@kernel
def basic_all(observation, mask, weights, generators, actions):
    """The casual player's choice for each decision."""
    for i in range(actions.shape[0]):
        actions[i] = basic_choice(row_of(observation, i), row_of(mask, i))


# The strong player: a card is worth what it costs, what it does and what it leaves.


@kernel
def relief(row, card, late, w):
    """Rid of its points, which cost more the nearer the round is to its end; some are kept."""
    worth = (w[COST] + w[COST_LATE] * late) * COSTS[card]
    if card >= N_COLOURED:
        worth -= w[KEEP_CAPTAIN + card - CAPTAIN]
    elif card % N_KINDS == PLUS_2:
        worth -= w[KEEP_PLUS_2]
    elif card % N_KINDS >= REVERSE:
        worth -= w[KEEP_TURN]
    return worth


@kernel
def hit(n_cards, near, w):
    """The next seat draws so many and misses its turn, which matters if it is near its end."""
    return (n_cards * w[HIT] + w[MISS]) * near


@kernel
def honest(n_left):
    """How likely a hand of so many cards is to have had nothing that fitted but a +4."""
    return (1.0 - FIT_AT_RANDOM) ** n_left


@kernel
def plus_4(row, near, w):
    """The next seat draws four; a bluff is the riskier the more cards speak against me."""
    worth = hit(ALLERGY, near, w)
    if would_bluff(row):
        worth -= w[BLUFF] * (1.0 - honest(size_of(row, 0) - 1))
    return worth


@kernel
def effect(row, card, late, w):
    """What the card does to the seats that follow."""
    near = nearness(size_of(row, next_place(row)))
    kind = card % N_KINDS if card < N_COLOURED else NONE
    worth = 0.0
    if card == PLUS_3:
        worth = POLLEN * w[HIT_ALL] * late
        worth += hit(fine_due(row), near, w) if fine_due(row) else 0.0
    elif card == PLUS_4:
        worth = plus_4(row, near, w)
    elif kind == PLUS_2:
        worth = hit(fine_due(row) + FINE, near, w)
    elif kind == SKIP:
        worth = hit(0, near, w)
    return worth


@kernel
def hand_left(row, card, colour, kind, n_left, w):
    """How well the rest of my hand can go on from this colour and kind."""
    n_fit = n_fitting(row, HAND, colour, kind) - (card < N_COLOURED)
    mauve = n_mauve(row) - (card >= N_COLOURED)
    worth = 0.0
    if n_fit:
        worth = w[FOLLOW] + (w[FINISH] if n_left == 1 else 0.0)
    return worth - (w[TRAP] if mauve == n_left else 0.0)


@kernel
def n_unseen_fitting(row, colour, kind):
    """The coloured cards of this colour or kind that are in no place that I can see."""
    in_box = PER_COLOUR + (PER_KIND * (N_COLOURS - 1) if kind != NONE else 0)
    seen = n_fitting(row, HAND, colour, kind) + n_fitting(row, DISCARD, colour, kind)
    return max(0, in_box - seen)


@kernel
def n_unseen(row):
    """All coloured cards that are in no place that I can see."""
    n = N_COLOURS * PER_COLOUR
    for colour in range(N_COLOURS):
        n -= count_bits(of_colour(row, HAND, colour)) + count_bits(of_colour(row, DISCARD, colour))
    return max(1, n)


@kernel
def left_to_others(row, colour, kind, w):
    """How badly the cards that I don't see fit what I leave."""
    return w[SCARCE] * (1.0 - n_unseen_fitting(row, colour, kind) / n_unseen(row))


@kernel
def worth_of(row, action, late, w):
    """What laying a card is worth, all in all."""
    card = CARD_PLAYED[action]
    n_left = size_of(row, 0) - 1
    if n_left == 0:
        return ROUND_WON
    if card < N_COLOURED:
        colour, kind = card // N_KINDS, card % N_KINDS
    elif card == PLUS_3:
        colour, kind = colour_in_force(row), kind_in_force(row)
    else:
        colour, kind = (action - PLAY_CAPTAIN) % N_COLOURS, NONE
    worth = relief(row, card, late, w) + effect(row, card, late, w)
    worth += hand_left(row, card, colour, kind, n_left, w)
    return worth + left_to_others(row, colour, kind, w)


@kernel
def best_play(row, answers, w):
    """The card that is worth most, or none if waiting is worth more."""
    best = PASS if answers >> PASS & 1 else DRAW
    plays, late = answers & PLAYS, nearness_of_end(row, w)
    most = -w[WAIT]
    while plays:
        action = lowest_bit(plays)
        plays &= plays - 1
        worth = worth_of(row, action, late, w)
        if worth > most:
            best, most = action, worth
    return best


@kernel
def best_colour(row, w):
    """The colour to name as dealer: the one that I can follow and the others cannot."""
    best, most = 0, NOTHING_YET
    for colour in range(N_COLOURS):
        share = n_fitting(row, HAND, colour, NONE) / max(1, size_of(row, 0))
        worth = w[FOLLOW] * share + left_to_others(row, colour, NONE, w)
        if worth > most:
            best, most = colour, worth
    return best


@kernel
def doubts(row, w):
    """Whether the +4 before me is so likely a lie that a doubt pays."""
    layer = lowest_bit(read_word(row, IN_FORCE) >> PLUS_4_BIT & ((1 << MAX_SEATS) - 1))
    truth = honest(size_of(row, layer))
    lie = w[LIARS] * (1.0 - truth)
    gain = ALLERGY + LIE  # I am spared four and it draws six
    loss = LIE - ALLERGY  # I draw two more
    return lie * gain > truth * loss


@kernel
def tuned_choice(row, mask, w):
    """Announce and denounce always, doubt a likely lie; else lay what is worth most."""
    answers = read_word(mask, 0)
    more = word_of_row(mask, N_ACTIONS, 1)
    if more >> (DENOUNCE - WORD) & 1:
        return DENOUNCE
    if more >> (NAME - WORD) & 1:
        return NAME + best_colour(row, w)
    if more >> (LIAR - WORD) & 1:
        return LIAR if doubts(row, w) else DRAW
    if answers >> ANNOUNCE & 1:
        return ANNOUNCE
    return best_play(row, answers, w)


@kernel
def tuned_all(observation, mask, weights, generators, actions):
    """The strong player's choice for each decision."""
    for i in range(actions.shape[0]):
        actions[i] = tuned_choice(row_of(observation, i), row_of(mask, i), weights)


# The players.


class Basic(KernelPlayer):
    """A casual player: the dearest card that fits, its commonest colour, no bluffs, no doubts."""

    choose_all = staticmethod(basic_all)


class Tuned(TunedPlayer):
    """A strong player: what the card costs and does, and what it leaves to me and to the others."""

    choose_all = staticmethod(tuned_all)
    version, terms, tables = 1, TERMS, ((2,), (3, 4), (5, 6))
    step, among_itself, n_games = 0.15, 0.75, 400
