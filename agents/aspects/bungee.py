"""What each action of Bungee would do and lead to, in numbers that all actions share.

Nothing here is weighed or tuned: a network learns what these are worth. Where a card is drawn, they
are means over the cards that the draw may bring. How low the others may get is a rough count that
takes their hidden cards for draws; they keep low cards, so they are rather lower.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import agents.heuristics.bungee
import bungee_env
from agents.aspects import Aspect, starts_of
from agents.heuristics.bungee import (
    CALLERS,
    FULL_HAND,
    LAP_LEFT,
    ME,
    MOST_POINTS,
    NONE,
    cards_of,
    cost,
    count_of,
    known_cards,
    later_after,
    look,
    others,
    place_among,
    points_of,
    sets_of,
    sets_with,
    turns_between,
)
from bungee_env.actions import CALL, MOST_PLAYED, N_ACTIONS, PASS, SWAP, TAKE
from bungee_env.cards import BUNGEE, BUNGEE_POINTS, MOST_COPIES, N_KINDS, SIX
from bungee_env.observation import (
    BLOCKS,
    LOWEST_TOTAL,
    MOST_IN_PILE,
    MOST_ROUNDS,
    N_ONES,
    N_TENS,
    TEN,
)
from bungee_env.rules import MOST_TO_CALL
from bungee_env.state import ABOUT_LUCKY, AFTER_PLAY, MAX_SEATS, MOST_IN_HAND
from cardcore.bits import WORD, count_bits, lowest_bit, read_word, row_of, word_of_row
from cardcore.blocks import places
from cardcore.jit import kernels_of

HEURISTICS = Path(agents.heuristics.bungee.__file__).parent
kernel = kernels_of(Path(__file__).parent, HEURISTICS, Path(bungee_env.__file__).parent)

POINT_STEPS = (0, 1, 2, 3, 4, 5, 8, 12, 16, 20)
LEFT_STEPS = (0, 1, 2, 3, 4, 5, 7, 10, 14)
REST_STEPS = (0, 1, 2, 3, 5, 8)
LOW_STEPS = (2, 5)
DRAW_STEPS = (0, 2, 5)


def listed(steps: tuple[int, ...]) -> str:
    """Steps in words."""
    return ", ".join(map(str, steps))


ASPECTS = (
    Aspect("way", 5, "play and draw, take and play, swap, call, pass: flags"),
    Aspect("kind", N_KINDS, "the kind played, or put down for the lucky J: flags"),
    Aspect("n_played", 1, "cards played, of 5"),
    Aspect("cards", MOST_IN_HAND + 1, "cards in hand after it, 0 to 5: flags"),
    Aspect(
        "points_at_most",
        len(POINT_STEPS),
        f"chance that the hand then has at most {listed(POINT_STEPS)} points for a call",
    ),
    Aspect("points", 1, "mean points of the hand, of 30"),
    Aspect("bungees", 1, "mean number of J that cost ten, of 3"),
    Aspect("cost", 1, "mean cost of the hand if it does not win, of 30"),
    Aspect("cost_unready", 1, "the same, counted only where the hand cannot call"),
    Aspect("left", 1, "mean points that the next dump of the dearest set leaves, of 30"),
    Aspect("left_at_most", len(LEFT_STEPS), f"chance that these are at most {listed(LEFT_STEPS)}"),
    Aspect("rest", 1, "mean points that the two next dumps leave, of 30"),
    Aspect("rest_at_most", len(REST_STEPS), f"chance that these are at most {listed(REST_STEPS)}"),
    Aspect(
        "low_next_turn",
        len(LOW_STEPS),
        f"chance of at most {listed(LOW_STEPS)} points after the next dump and its draw",
    ),
    Aspect("kept_points", 1, "points before the draw or the taken card, of 30"),
    Aspect("kept_left", 1, "what a dump would leave of those, of 30"),
    Aspect("kept_rest", 1, "what two dumps would leave of those, of 30"),
    Aspect("top_points", 1, "points of the card on top of the discard then, of 10"),
    Aspect("top_free", 1, "1 if that card is there and counts nothing"),
    Aspect("top_unseen", 1, "cards of its kind that may be drawn, of 8"),
    Aspect("top_known", 1, "cards of its kind that the next seat was seen to take, of 5"),
    Aspect("shown_cards", 1, "cards of my hand that all know then, of 5"),
    Aspect("shown_points", 1, "points of these, of 30"),
    Aspect("skips", 1, "seats skipped by sixes, of 5"),
    Aspect("turns", 1, "seats that have a turn before mine or the end, of 4"),
    Aspect("again", 1, "1 if my turn comes back at once, or in a lap once more"),
    Aspect("round_over", 1, "1 if nobody has a turn left"),
    Aspect("skips_caller", 1, "1 if sixes skip the first caller"),
    Aspect(
        "sizes_to_come",
        MOST_IN_HAND + 1,
        "share of the other seats that have a turn before mine or the end with 0 to 5 cards",
    ),
    Aspect(
        "threats",
        len(LOW_STEPS),
        f"rough chance that one of them gets to at most {listed(LOW_STEPS)} points in it",
    ),
    Aspect("next_size", 1, "cards of the next seat to play, of 5"),
    Aspect("next_known", 1, "cards that it was seen to take and holds, of 5"),
    Aspect("next_points", 1, "points of these, of 30"),
    Aspect("next_threat", 1, "rough chance that its turn brings it to 5 points"),
    Aspect(
        "beats_callers",
        1,
        "chance that it can call and loses to no caller, whose points are all alike likely",
    ),
    Aspect("beats_later", 1, "rough chance that it can call and no turn of others gets as low"),
    Aspect("wins", 1, "rough chance of both"),
    Aspect("lost", 1, "mean cost of the hand where it does not win, by that chance, of 30"),
    Aspect("lost_ties", 1, "callers that win a tie with me, of 4"),
    Aspect("lap", 3, "the last lap, an extra lap, asked after a play: flags"),
    Aspect("callers", 1, "other seats that have called, of 4"),
    Aspect("caller_least", 1, "fewest points that a caller was seen to hold, of 5; 1 if none"),
    Aspect("stands", 1, "1 if my call stands"),
    Aspect("may_call", 1, "1 if I may call now"),
    Aspect("points_now", 1, "my points before the action, of 30"),
    Aspect("draw_points", 1, "mean points of a card drawn, of 10"),
    Aspect(
        "draw_at_most", len(DRAW_STEPS), f"chance that it has at most {listed(DRAW_STEPS)} points"
    ),
    Aspect("fewest_cards", 1, "cards of the smallest other hand, of 5"),
    Aspect("seats", 1, "seats at the table, of 5"),
    Aspect("pile", 1, "cards in the draw pile, of 50"),
    Aspect("behind_best", 1, "my total less the best other one, of 50, from -1 to 1"),
    Aspect("behind_mean", 1, "my total less the mean of the others, of 50, from -1 to 1"),
    Aspect("rounds_left", 1, "rounds to play with this one, of 7"),
)
N_ASPECTS: int = sum(aspect.size for aspect in ASPECTS)
AT = starts_of(ASPECTS)

WAY = AT["way"]
KIND = AT["kind"]
N_PLAYED = AT["n_played"]
CARDS = AT["cards"]
POINTS_AT_MOST = AT["points_at_most"]
POINTS = AT["points"]
BUNGEES = AT["bungees"]
COST = AT["cost"]
COST_UNREADY = AT["cost_unready"]
LEFT = AT["left"]
LEFT_AT_MOST = AT["left_at_most"]
REST = AT["rest"]
REST_AT_MOST = AT["rest_at_most"]
LOW_NEXT_TURN = AT["low_next_turn"]
KEPT_POINTS = AT["kept_points"]
KEPT_LEFT = AT["kept_left"]
KEPT_REST = AT["kept_rest"]
TOP_POINTS = AT["top_points"]
TOP_FREE = AT["top_free"]
TOP_UNSEEN = AT["top_unseen"]
TOP_KNOWN = AT["top_known"]
SHOWN_CARDS = AT["shown_cards"]
SHOWN_POINTS = AT["shown_points"]
SKIPS = AT["skips"]
TURNS = AT["turns"]
AGAIN = AT["again"]
ROUND_OVER = AT["round_over"]
SKIPS_CALLER = AT["skips_caller"]
SIZES_TO_COME = AT["sizes_to_come"]
THREATS = AT["threats"]
NEXT_SIZE = AT["next_size"]
NEXT_KNOWN = AT["next_known"]
NEXT_POINTS = AT["next_points"]
NEXT_THREAT = AT["next_threat"]
BEATS_CALLERS = AT["beats_callers"]
BEATS_LATER = AT["beats_later"]
WINS = AT["wins"]
LOST = AT["lost"]
LOST_TIES = AT["lost_ties"]
LAP = COMMON = AT["lap"]  # from here on all actions of a decision have the same
N_CALLERS = AT["callers"]
CALLER_LEAST = AT["caller_least"]
STANDS = AT["stands"]
MAY_CALL = AT["may_call"]
POINTS_NOW = AT["points_now"]
DRAW_POINTS = AT["draw_points"]
DRAW_AT_MOST = AT["draw_at_most"]
FEWEST_CARDS = AT["fewest_cards"]
N_SEATS = AT["seats"]
PILE = AT["pile"]
BEHIND_BEST = AT["behind_best"]
BEHIND_MEAN = AT["behind_mean"]
ROUNDS = AT["rounds_left"]

DRAWS, TAKES, SWAPS, CALLS, PASSES = range(5)  # ways
LAST_LAP, EXTRA_LAP, AFTER_A_PLAY = range(3)  # flags of the lap
NO_CALL = -2  # in the place of a place: my hand does not take part
A_POINT = 1 / 30
A_CARD = 1 / MOST_IN_HAND
A_SEAT = 1 / (MAX_SEATS - 1)
A_BUNGEE = 1 / 3
DEAREST_CARD = BUNGEE  # the ten
MOST_BEHIND = 50
MASK_WORDS = -(-N_ACTIONS // WORD)

SHOWN_AT = places(BLOCKS)
SCORES = SHOWN_AT["scores"]
SCORE_ONES = SHOWN_AT["score_ones"]
PILE_SIZE = SHOWN_AT["pile_size"]
LAPS_BIT = SHOWN_AT["laps"] - CALLERS  # bits of the last word of the observation
LAP_LEFT_BIT = LAP_LEFT - CALLERS
ASKED_BIT = SHOWN_AT["asked"] - CALLERS
ROUNDS_BIT = SHOWN_AT["rounds_left"] - CALLERS
TENS = (1 << N_TENS) - 1
ONES = (1 << N_ONES) - 1
WHOLE_PILE = (1 << MOST_IN_PILE) - 1
ALL_ROUNDS = (1 << MOST_ROUNDS) - 1

# What is worked out once for a decision, one table after another.
N_LEVELS = MOST_TO_CALL + 1  # the points of a call
DRAWN = 0  # chance that a card drawn has so many points
AT_MOST = DRAWN + DEAREST_CARD + 1  # or at most so many
KIND_DRAWN = AT_MOST + DEAREST_CARD + 1  # chance of each kind
MEAN = KIND_DRAWN + N_KINDS  # mean points of a card drawn
BUNGEE_DRAWN = MEAN + 1  # chance of a J that costs ten
SUMS = BUNGEE_DRAWN + 1  # chance that so many draws sum up to at most so many points
SEAT_LOW = SUMS + (MOST_IN_HAND + 1) * N_LEVELS  # chance that a seat gets down to so many
SEAT_CARDS = SEAT_LOW + MAX_SEATS * N_LEVELS  # cards of a seat
SEAT_KNOWN = SEAT_CARDS + MAX_SEATS  # how many of them are known
SEAT_POINTS = SEAT_KNOWN + MAX_SEATS  # and their points
FOR_WHOM = SEAT_POINTS + MAX_SEATS  # against whom the following two stand, as one number
OF_CALLERS = FOR_WHOM + 1  # chance to beat the callers with so many points
OF_LATER = OF_CALLERS + MOST_POINTS + 1  # and those with a turn left
N_ODDS = OF_LATER + MOST_POINTS + 1


def steps_of(steps: tuple[int, ...]) -> NDArray[np.int64]:
    """The first step that each number of points does not exceed."""
    return np.searchsorted(steps, np.arange(MOST_POINTS + 1)).astype(np.int64)


LEFT_STEP_OF, REST_STEP_OF = map(steps_of, (LEFT_STEPS, REST_STEPS))
N_POINT_STEPS, N_LEFT_STEPS, N_REST_STEPS = map(len, (POINT_STEPS, LEFT_STEPS, REST_STEPS))


class Outcome(NamedTuple):
    """What an action leaves; seats are counted from mine to the left."""

    hand: int  # counts of my cards, before a draw or the card taken
    lucky: int  # kind, or NONE
    top: int  # kind on top of the discard, or NONE
    n_played: int
    n_skipped: int
    later: int  # set of the seats that have a turn before mine, or in a lap; there 1 is me
    against: int  # set of the seats that could yet beat a call of mine
    place: int  # of my call among the callers, NONE if it is the latest, or NO_CALL


# Once for a decision: what may be drawn, and how low the others may get.


@kernel
def write_draws(seen, odds):
    """The chances of one draw: its kind, its points, and at most so many points."""
    for points in range(DEAREST_CARD + 1):
        odds[DRAWN + points] = 0.0
    for kind in range(N_KINDS):
        share = count_of(seen.unseen, kind) / max(seen.n_unseen, 1)
        odds[KIND_DRAWN + kind] = share
        odds[DRAWN + points_of(kind, seen.lucky)] += share
    total = mean = 0.0
    for points in range(DEAREST_CARD + 1):
        total += odds[DRAWN + points]
        mean += odds[DRAWN + points] * points
        odds[AT_MOST + points] = total
    odds[MEAN] = mean
    odds[BUNGEE_DRAWN] = odds[KIND_DRAWN + BUNGEE] if seen.lucky != BUNGEE else 0.0


@kernel
def write_sums(odds):
    """The chances that the points of several draws sum up to at most so many."""
    for at in range(SUMS, SUMS + N_LEVELS):
        odds[at] = 1.0
    for n in range(1, MOST_IN_HAND + 1):
        for level in range(N_LEVELS):
            total, fewer = 0.0, SUMS + N_LEVELS * (n - 1)
            for points in range(level + 1):
                total += odds[DRAWN + points] * odds[fewer + level - points]
            odds[fewer + N_LEVELS + level] = total


@kernel
def draw_at_most(odds, points):
    """The chance that a card drawn has at most so many points."""
    return odds[AT_MOST + min(points, DEAREST_CARD)] if points >= 0 else 0.0


@kernel
def sum_at_most(odds, n, points):
    """The chance that n draws sum up to at most so many points, up to those of a call."""
    return odds[SUMS + N_LEVELS * n + points] if points >= 0 else 0.0


@kernel
def write_seats(seen, odds):
    """What is known of each other seat, and how low its next turn may bring it."""
    for seat in range(1, seen.n_seats):
        n_cards = count_bits(seen.sizes >> MOST_IN_HAND * seat & FULL_HAND)
        points = dearest = n_known = 0
        known = known_cards(seen.shown, seat)
        if known:
            sets = sets_of(known, seen.lucky)
            points, dearest, n_known = sets.points, sets.dearest, sets.n_cards
        odds[SEAT_CARDS + seat] = n_cards
        odds[SEAT_KNOWN + seat] = n_known
        odds[SEAT_POINTS + seat] = points
        for level in range(N_LEVELS):
            low = low_after_turn(odds, level - points, dearest, n_cards - n_known, n_known)
            odds[SEAT_LOW + N_LEVELS * seat + level] = low


@kernel
def low_after_turn(odds, room, dearest, n_hidden, n_known):
    """The rough chance to fit into this room: calling at once, or after a hidden or known card."""
    chance = (n_hidden + 1) * sum_at_most(odds, n_hidden, room)
    if n_known > 0:
        chance += sum_at_most(odds, n_hidden + 1, room + dearest)
    return min(chance, 1.0)


@kernel
def write_chances(seen, odds, against, place):
    """The chances that a call wins with each number of points, against these seats."""
    whom = float(against * WORD + place)
    if odds[FOR_WHOM] == whom:
        return
    odds[FOR_WHOM] = whom
    for points in range(N_LEVELS):
        of_callers = of_later = 0.0 if place == NO_CALL else 1.0
        for seat in range(1, seen.n_seats):
            called = place_among(seen.callers, seat)
            if called != NONE:
                of_callers *= caller_is_above(odds, seat, points + int(called > place >= 0))
            elif against >> seat & 1:
                of_later *= 1.0 - odds[SEAT_LOW + N_LEVELS * seat + points]
        odds[OF_CALLERS + points] = of_callers
        odds[OF_LATER + points] = of_later


@kernel
def caller_is_above(odds, seat, points):
    """The chance that a caller has these points or more, if all that it may have are alike."""
    least = min(odds[SEAT_POINTS + seat], MOST_TO_CALL)
    return 1.0 - max(points - least, 0.0) / (N_LEVELS - least)


# What an action leaves.


@kernel
def outcome_of_play(seen, action):
    """Cards are played, and sixes among them skip seats."""
    kind, n = action % TAKE // MOST_PLAYED, action % MOST_PLAYED + 1
    later = against = others(seen)
    if seen.first_caller == NONE:
        later &= -(1 << (seen.n_seats - turns_between(seen, kind, n)))
    else:
        later = later_after(seen, kind, n)
        against = later & ~ME
    n_skipped = n if kind == SIX else 0
    hand = seen.hand - cards_of(n, kind)
    return Outcome(hand, seen.lucky, kind, n, n_skipped, later, against, NONE)


@kernel
def outcome_of_swap(seen, action):
    """The lucky J comes into hand and a card goes to the discard; what is lucky is open."""
    kind, rest = action - SWAP, others(seen)
    hand = seen.hand + cards_of(1, BUNGEE) - cards_of(1, kind)
    return Outcome(hand, NONE, kind, 0, 0, rest, rest, NONE)


@kernel
def outcome_of_word(seen, action):
    """A call or a pass: the cards stay."""
    later, place = others(seen), NONE
    if seen.first_caller != NONE:
        later = seen.later
        if is_asked(seen, AFTER_PLAY):
            later |= seen.callers >> LAP_LEFT_BIT & ME
        if action == PASS:
            place = place_among(seen.callers, 0)
            place = place if place != NONE else NO_CALL
    return Outcome(seen.hand, seen.lucky, seen.top, 0, 0, later, later & ~ME, place)


@kernel
def outcome_of(seen, action):
    """What an action leaves."""
    if action < SWAP:
        return outcome_of_play(seen, action)
    if action < CALL:
        return outcome_of_swap(seen, action)
    return outcome_of_word(seen, action)


@kernel
def way_of(action):
    """Which of the five ways to act this is."""
    if action < SWAP:
        return DRAWS if action < TAKE else TAKES
    if action < CALL:
        return SWAPS
    return CALLS if action == CALL else PASSES


@kernel
def is_asked(seen, phase):
    """Whether this is what I am asked."""
    return seen.callers >> (ASKED_BIT + phase - ABOUT_LUCKY) & 1


@kernel
def first_to_play(seen, later):
    """Who of these seats is the first in turn, or NONE."""
    after = max(seen.first_caller, 0)
    for k in range(1, seen.n_seats + 1):
        seat = (after + k) % seen.n_seats
        if later >> seat & 1:
            return seat
    return NONE


# The aspects of an action.


@kernel
def write_hand(x, odds, sets):
    """A hand that is sure to come."""
    left, price = sets.points - sets.dearest, cost(sets) * A_POINT
    rest = left - sets.second
    write_steps(x, POINTS_AT_MOST, POINT_STEPS, sets.points)
    write_steps(x, LEFT_AT_MOST, LEFT_STEPS, left)
    write_steps(x, REST_AT_MOST, REST_STEPS, rest)
    for k in range(len(LOW_STEPS)):
        x[LOW_NEXT_TURN + k] = draw_at_most(odds, LOW_STEPS[k] - left)
    x[POINTS], x[LEFT], x[REST] = sets.points * A_POINT, left * A_POINT, rest * A_POINT
    x[BUNGEES], x[COST] = sets.n_bungees * A_BUNGEE, price
    x[COST_UNREADY] = price if sets.points > MOST_TO_CALL else 0.0
    of_callers, of_later = odds[OF_CALLERS + sets.points], odds[OF_LATER + sets.points]
    x[BEATS_CALLERS], x[BEATS_LATER], x[WINS] = of_callers, of_later, of_callers * of_later
    x[LOST] = (1.0 - of_callers * of_later) * price


@kernel
def write_steps(x, at, steps, points):
    """Which steps so many points do not exceed."""
    for k in range(len(steps)):
        x[at + k] = points <= steps[k]


@kernel
def write_drawn_points(x, odds, sets):
    """The points and the cost that a hand has with a draw."""
    for k in range(N_POINT_STEPS):
        room = POINT_STEPS[k] - sets.points
        x[POINTS_AT_MOST + k] = odds[AT_MOST + min(room, DEAREST_CARD)] if room >= 0 else 0.0
    price = cost(sets) + odds[MEAN] + BUNGEE_POINTS * odds[BUNGEE_DRAWN]
    x[POINTS] = (sets.points + odds[MEAN]) * A_POINT
    x[BUNGEES] = (sets.n_bungees + odds[BUNGEE_DRAWN]) * A_BUNGEE
    x[COST] = x[COST_UNREADY] = x[LOST] = price * A_POINT


@kernel
def write_drawn_calls(x, odds, sets):
    """What a call would come to with a draw, and what the others cost."""
    unready, lost = x[COST_UNREADY], x[LOST]
    for points in range(sets.points, N_LEVELS):
        chance = odds[DRAWN + points - sets.points]
        price = chance * (cost(sets) + points - sets.points) * A_POINT
        if points == sets.points:
            price += odds[BUNGEE_DRAWN] * BUNGEE_POINTS * A_POINT
        of_callers, of_later = odds[OF_CALLERS + points], odds[OF_LATER + points]
        x[BEATS_CALLERS] += chance * of_callers
        x[BEATS_LATER] += chance * of_later
        x[WINS] += chance * of_callers * of_later
        unready -= price
        lost -= of_callers * of_later * price
    x[COST_UNREADY], x[LOST] = max(unready, 0.0), max(lost, 0.0)


@kernel
def write_drawn_dumps(x, seen, odds, hand, sets):
    """What the next dumps leave of a hand with each card that may be drawn."""
    mean_left = mean_rest = 0.0
    for kind in range(N_KINDS):
        chance = odds[KIND_DRAWN + kind]
        drawn = sets_with(hand, sets, kind, seen.lucky)
        left = drawn.points - drawn.dearest
        rest = left - drawn.second
        mean_left += chance * left
        mean_rest += chance * rest
        if left <= LEFT_STEPS[-1]:
            x[LEFT_AT_MOST + LEFT_STEP_OF[left]] += chance
        if rest <= REST_STEPS[-1]:
            x[REST_AT_MOST + REST_STEP_OF[rest]] += chance
        for k in range(len(LOW_STEPS)):
            if left <= LOW_STEPS[k]:
                x[LOW_NEXT_TURN + k] += chance * odds[AT_MOST + LOW_STEPS[k] - left]
    x[LEFT], x[REST] = mean_left * A_POINT, mean_rest * A_POINT
    sum_steps(x, LEFT_AT_MOST, N_LEFT_STEPS)
    sum_steps(x, REST_AT_MOST, N_REST_STEPS)


@kernel
def sum_steps(x, at, n_steps):
    """Chances of lying between two steps become those of being at most so high."""
    for place in range(at + 1, at + n_steps):
        x[place] += x[place - 1]


@kernel
def write_hands(x, seen, odds, left, way):
    """The hands that may come of it: with each card that may be drawn, the one taken, or none."""
    sets = sets_of(left.hand, left.lucky)
    if way == DRAWS and seen.n_unseen > 0:
        write_drawn_points(x, odds, sets)
        write_drawn_calls(x, odds, sets)
        write_drawn_dumps(x, seen, odds, left.hand, sets)
    elif way == TAKES:
        write_hand(x, odds, sets_with(left.hand, sets, seen.top, left.lucky))
    else:
        write_hand(x, odds, sets)
    n_more = int(way == TAKES or (way == DRAWS and seen.n_unseen > 0))
    x[CARDS + min(sets.n_cards + n_more, MOST_IN_HAND)] = 1.0
    x[KEPT_POINTS] = sets.points * A_POINT
    x[KEPT_LEFT] = (sets.points - sets.dearest) * A_POINT
    x[KEPT_REST] = (sets.points - sets.dearest - sets.second) * A_POINT


@kernel
def write_top(x, seen, left, follower):
    """What lies on top for the next seat."""
    if left.top == NONE:
        return
    points = points_of(left.top, left.lucky)
    x[TOP_POINTS] = points / DEAREST_CARD
    x[TOP_FREE] = points == 0
    x[TOP_UNSEEN] = count_of(seen.unseen, left.top) / MOST_COPIES
    if follower > 0:
        x[TOP_KNOWN] = count_of(known_cards(seen.shown, follower), left.top) * A_CARD


@kernel
def write_shown(x, seen, left, way, known):
    """What the others know of my hand."""
    if left.n_played > 0:
        known -= cards_of(min(count_of(known, left.top), left.n_played), left.top)
    if way == TAKES:
        known += cards_of(1, seen.top)
    if way == SWAPS:
        known += cards_of(1, BUNGEE)
        known -= cards_of(min(count_of(known, left.top), 1), left.top)
    if known:
        sets = sets_of(known, left.lucky)
        x[SHOWN_CARDS] = sets.n_cards * A_CARD
        x[SHOWN_POINTS] = sets.points * A_POINT


@kernel
def write_turns(x, seen, odds, left, is_lap):
    """Who has a turn after this one, and what these seats may come to."""
    x[SKIPS] = left.n_skipped / MOST_PLAYED
    x[SKIPS_CALLER] = left.n_skipped >= seen.first_caller > 0
    x[ROUND_OVER] = is_lap and left.later == 0
    x[AGAIN] = left.later & ME if is_lap else int(left.later == 0)
    x[TURNS] = count_bits(left.later & ~ME) * A_SEAT
    for k in range(len(LOW_STEPS)):
        x[THREATS + k] = 1.0
    for seat in range(1, seen.n_seats):
        if left.later >> seat & 1:
            x[SIZES_TO_COME + int(odds[SEAT_CARDS + seat])] += 1.0 / (seen.n_seats - 1)
            for k in range(len(LOW_STEPS)):
                x[THREATS + k] *= 1.0 - odds[SEAT_LOW + N_LEVELS * seat + LOW_STEPS[k]]
    for k in range(len(LOW_STEPS)):
        x[THREATS + k] = 1.0 - x[THREATS + k]


@kernel
def write_follower(x, odds, follower):
    """The next seat to play, if it is not mine."""
    if follower > 0:
        x[NEXT_SIZE] = odds[SEAT_CARDS + follower] * A_CARD
        x[NEXT_KNOWN] = odds[SEAT_KNOWN + follower] * A_CARD
        x[NEXT_POINTS] = odds[SEAT_POINTS + follower] * A_POINT
        x[NEXT_THREAT] = odds[SEAT_LOW + N_LEVELS * follower + MOST_TO_CALL]


@kernel
def write_action(x, seen, odds, action, known):
    """All aspects that are an action's own."""
    left, way = outcome_of(seen, action), way_of(action)
    x[WAY + way] = 1.0
    if way < CALLS:
        x[KIND + left.top] = 1.0
    x[N_PLAYED] = left.n_played / MOST_PLAYED
    write_chances(seen, odds, left.against, left.place)
    write_hands(x, seen, odds, left, way)
    follower = first_to_play(seen, left.later)
    write_top(x, seen, left, follower)
    write_shown(x, seen, left, way, known)
    write_turns(x, seen, odds, left, way == CALLS or seen.first_caller != NONE)
    write_follower(x, odds, follower)
    for seat in range(1, seen.n_seats):
        if place_among(seen.callers, seat) > left.place >= 0:
            x[LOST_TIES] += A_SEAT


# The aspects that all actions of a decision share.


@kernel
def write_lap(x, seen, odds):
    """The lap, and who has called."""
    x[LAP + LAST_LAP] = seen.callers >> LAPS_BIT & 1
    x[LAP + EXTRA_LAP] = seen.callers >> LAPS_BIT + 1 & 1
    x[LAP + AFTER_A_PLAY] = is_asked(seen, AFTER_PLAY)
    x[STANDS] = place_among(seen.callers, 0) != NONE
    least = float(MOST_TO_CALL)
    for seat in range(1, seen.n_seats):
        if place_among(seen.callers, seat) != NONE:
            x[N_CALLERS] += A_SEAT
            least = min(least, odds[SEAT_POINTS + seat])
    x[CALLER_LEAST] = least / MOST_TO_CALL


@kernel
def write_table(x, seen, odds):
    """The cards that may be drawn, the pile, the hands."""
    x[POINTS_NOW] = sets_of(seen.hand, seen.lucky).points * A_POINT
    x[DRAW_POINTS] = odds[MEAN] / DEAREST_CARD
    for k in range(len(DRAW_STEPS)):
        x[DRAW_AT_MOST + k] = draw_at_most(odds, DRAW_STEPS[k])
    fewest = float(MOST_IN_HAND)
    for seat in range(1, seen.n_seats):
        fewest = min(fewest, odds[SEAT_CARDS + seat])
    x[FEWEST_CARDS] = fewest * A_CARD
    x[N_SEATS] = seen.n_seats / MAX_SEATS
    x[PILE] = count_bits(read_word(seen.shown, PILE_SIZE) & WHOLE_PILE) / MOST_IN_PILE
    x[ROUNDS] = count_bits(seen.callers >> ROUNDS_BIT & ALL_ROUNDS) / MOST_ROUNDS


@kernel
def total_of(row, seat):
    """The total of a seat."""
    n_tens = count_bits(read_word(row, SCORES + N_TENS * seat) & TENS)
    n_ones = count_bits(read_word(row, SCORE_ONES + N_ONES * seat) & ONES)
    return LOWEST_TOTAL + TEN * (n_tens - 1) + n_ones


@kernel
def write_totals(x, seen):
    """How far my total is behind those of the others; few points are good."""
    mine, best, total = total_of(seen.shown, 0), total_of(seen.shown, 1), 0
    for seat in range(1, seen.n_seats):
        other = total_of(seen.shown, seat)
        best = min(best, other)
        total += other
    behind = (mine - best) / MOST_BEHIND
    x[BEHIND_BEST] = min(max(behind, -1.0), 1.0)
    behind = (mine - total / (seen.n_seats - 1)) / MOST_BEHIND
    x[BEHIND_MEAN] = min(max(behind, -1.0), 1.0)


@kernel
def write_common(x, seen, odds, may_call):
    """All aspects that are the decision's."""
    write_lap(x, seen, odds)
    write_table(x, seen, odds)
    write_totals(x, seen)
    x[MAY_CALL] = may_call


# All decisions.


@kernel
def copy_common(aspects, first, end):
    """What the first action of a decision has in common with the others goes to them."""
    for row in range(first + 1, end):
        for place in range(COMMON, N_ASPECTS):
            aspects[row, place] = aspects[first, place]


@kernel
def write_decision(seen, mask, odds, row, action, aspects):
    """The allowed actions of one decision from a row on, and their aspects; gives the next row."""
    write_draws(seen, odds)
    write_sums(odds)
    write_seats(seen, odds)
    odds[FOR_WHOM] = np.inf
    known, first = known_cards(seen.shown, 0), row
    for k in range(MASK_WORDS):
        bits = word_of_row(mask, N_ACTIONS, k)
        while bits:
            action[row] = WORD * k + lowest_bit(bits)
            bits &= bits - 1
            for place in range(N_ASPECTS):
                aspects[row, place] = 0.0
            write_action(aspects[row], seen, odds, action[row], known)
            row += 1
    if row > first:
        rest = word_of_row(mask, N_ACTIONS, CALL // WORD)
        write_common(aspects[first], seen, odds, rest >> CALL % WORD & 1)
        copy_common(aspects, first, row)
    return row


@kernel
def aspects_all(observation, mask, decision, action, aspects):
    """The allowed actions of every decision, and the aspects of each."""
    odds, row = np.zeros(N_ODDS), 0
    for i in range(observation.shape[0]):
        seen = look(row_of(observation, i))
        end = write_decision(seen, row_of(mask, i), odds, row, action, aspects)
        decision[row:end] = i
        row = end
