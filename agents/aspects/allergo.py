"""Allergo: what each allowed action does, what it leaves to me, and what to the others.

An action is told in numbers that mean the same for all four colours, most of them of the table as
it is once the action is done: my hand without the card, the colour and kind in force, who is next.
"Nearness" alone is that of the shortest other hand: 1 with one card, a half with two, and so on.
"""

from pathlib import Path
from typing import NamedTuple

import agents.heuristics
import allergo_env
from agents.aspects import Aspect, starts_of
from agents.heuristics.allergo import (
    AT,
    COPIES_OF_ONE,
    DISCARD,
    HAND,
    IN_FORCE,
    LIMITS,
    MAUVE_AT,
    MAUVE_PLACES,
    N_MAUVE,
    ONE_TURN_IN,
    PER_KIND,
    PLUS_4_BIT,
    TOP,
    TURNS_BIT,
    colour_in_force,
    fine_due,
    honest,
    kind_in_force,
    n_fitting,
    n_mauve,
    n_seats_of,
    n_unseen,
    n_unseen_fitting,
    nearness,
    next_place,
    of_colour,
    size_of,
    would_bluff,
)
from allergo_env.actions import (
    ANNOUNCE,
    CARD_PLAYED,
    DRAW,
    LIAR,
    N_ACTIONS,
    NAME,
    PASS,
    PLAY_CAPTAIN,
)
from allergo_env.cards import (
    CAPTAIN,
    COSTS,
    DEFAULT_COPIES,
    MAUVE_COST,
    MOST_COPIES,
    N_CODES,
    N_COLOURED,
    N_COLOURS,
    N_KINDS,
    N_NUMBERS,
    PLUS_2,
    PLUS_3,
    PLUS_4,
    REVERSE,
    SKIP,
)
from allergo_env.observation import (
    ASKED,
    EACH_REVEALED,
    FAR,
    MOST_REVEALED,
    N_DOUBLINGS,
    N_FAR,
    N_REST,
    N_STEPS,
    REST,
    STEP,
)
from allergo_env.rules import ALLERGY, FINE, LIE, POLLEN
from allergo_env.state import AFTER_DRAW, CHALLENGE, CLONE, MAX_SEATS, NAME_COLOUR, NONE
from cardcore.bits import WORD, count_bits, lowest_bit, read_word, row_of, word_of_row
from cardcore.jit import kernels_of

kernel = kernels_of(
    Path(__file__).parent,
    Path(agents.heuristics.__file__).parent,
    Path(allergo_env.__file__).parent,
)

DOINGS = (
    *("a number", "~", "/", "+2", "C", "+3", "+4"),
    *("draw", "take the fine", "accept a +4"),
    *("keep the drawn card", "keep silent", "let silence pass", "not clone"),
    *("announce", "denounce", "liar", "name a colour"),
)
FIRST_MAUVE, DRAWS_ONE, TAKES_FINE, ACCEPTS, PASSES, ANNOUNCES, NAMES = (
    DOINGS.index(doing)
    for doing in (
        *("C", "draw", "take the fine", "accept a +4"),
        *("keep the drawn card", "announce", "name a colour"),
    )
)
N_SIZES, N_FITS, N_SHORTEST, N_AFTER = 6, 3, 3, 2  # flags, or steps of a thermometer

ASPECTS = (
    Aspect("doing", len(DOINGS), "flags: " + ", ".join(DOINGS)),
    Aspect("late_play", 2, "it lays the card just drawn; it clones"),
    Aspect("cost", 4, "points of the card /50; × nearness; × nearness of the limit; number /9"),
    Aspect("match", 4, "the card matches the colour; the kind; both; it changes the colour"),
    Aspect("size", N_SIZES, "flags: cards left in my hand, 1 to 6 or more"),
    Aspect("count", 2, "cards left in my hand /10; none left, the round is won"),
    Aspect("points", 3, "points left in my hand /100; × nearness; × nearness of the limit"),
    Aspect("dearest", 1, "points of the dearest card left /50"),
    Aspect("follow", N_FITS + 1, "cards left that fit what lies then: 1, 2, 3 or more; share"),
    Aspect("finish", 1, "the last card left fits what lies then"),
    Aspect("trap", 2, "only mauve cards are left; but for one card"),
    Aspect("mauve", N_MAUVE, "C, +3, +4 left in my hand /2"),
    Aspect("colours", 3, "colours left in my hand /4; share of the most; of the one then in force"),
    Aspect("same_kind", 1, "cards left of the kind then in force /3"),
    Aspect("symbols", 2, "+2 left in my hand /2; ~ and / /3"),
    Aspect("again", 3, "I am next unless a +2 is answered; and can go on; and with my last card"),
    Aspect("draws", 3, "cards that the next seat draws /10; × its nearness; that I expect to /10"),
    Aspect("all_draw", 2, "every other seat draws three; × nearness"),
    Aspect("lost", 2, "the next seat loses its turn; × its nearness"),
    Aspect("fine", 2, "fine that is pending then /10; while I hold a +2"),
    Aspect("next_size", N_SIZES + 1, "flags: cards of the next seat, 1 to 6 or more; its nearness"),
    Aspect("after_next", N_AFTER + 1, "flags: cards of the seat after it, 1, 2; its nearness"),
    Aspect("before_me", 2, "the seat that then plays before me has one card; its nearness"),
    Aspect("shortest", N_SHORTEST + 1, "flags: the shortest other hand, 1, 2, 3; its nearness"),
    Aspect("ahead", 1, "the shortest other hand minus mine /10"),
    Aspect("unseen", 2, "part of the unseen coloured cards that fits then; that has the colour"),
    Aspect("answer", 3, "chance that who is asked then can go on; × its nearness; that it wins"),
    Aspect("shown", 2, "the hand of who is asked then was shown to me; and it can go on"),
    Aspect("drawn_fits", 1, "chance that a card that I draw can be laid at once"),
    Aspect("bluff", 2, "this +4 is a bluff; how likely my hand speaks against me"),
    Aspect("doubt", 3, "chance that the +4 is honest; cards behind it /10; a lie × nearness"),
    Aspect("totals", 4, "mine /500; minus the lowest other; with the points left; to the target"),
    Aspect("limit", 1, "nearness of the limit of the round: seats by turns left"),
)
N_ASPECTS = sum(aspect.size for aspect in ASPECTS)
(
    DOING,
    LATE_PLAY,
    COST,
    MATCH,
    SIZE,
    COUNT,
    POINTS,
    DEAREST,
    FOLLOW,
    FINISH,
    TRAP,
    MAUVE_LEFT,
    COLOURS_LEFT,
    SAME_KIND,
    SYMBOLS,
    AGAIN,
    DRAWS,
    ALL_DRAW,
    LOST,
    FINE_LEFT,
    NEXT_SIZE,
    AFTER_NEXT,
    BEFORE_ME,
    SHORTEST,
    AHEAD,
    UNSEEN,
    ANSWER,
    SHOWN,
    DRAWN_FITS,
    BLUFF,
    DOUBT,
    TOTALS,
    LIMIT,
) = starts_of(ASPECTS).values()

PLAYS_BIT, ASKED_BIT = AT["plays"] - IN_FORCE, AT["asked"] - IN_FORCE
SCORES, SCORE_REST, TO_TARGET = AT["scores"], AT["score_rest"], AT["to_target"]
REVEALED = AT["revealed"]
REVEALED_COLOUR = N_KINDS * MOST_REVEALED  # places
REVEALED_ONE = (1 << MOST_REVEALED) - 1
PER_MAUVE = DEFAULT_COPIES[-1]  # equal mauve cards in the box
MAUVE_BOX = PER_MAUVE * N_MAUVE
EACH_CAPTAIN, EACH_PLUS_3, EACH_PLUS_4 = (
    COPIES_OF_ONE << MOST_COPIES * (card - CAPTAIN) for card in (CAPTAIN, PLUS_3, PLUS_4)
)
N_MASK_WORDS = -(-N_ACTIONS // WORD)
ALL_TOTALS = 500.0
CARDS, POINTS_UNIT, TWO, THREE = 10.0, 100.0, 2.0, 3.0  # what numbers are divided by


class Now(NamedTuple):
    """What is common to all actions of a decision."""

    phase: int
    n_seats: int
    clockwise: int
    colour: int  # in force, or NONE
    kind: int  # in force, or NONE
    top: int  # the card on top
    fine: int
    size: int  # cards in my hand
    points: int  # in my hand
    dearest: int  # points of my dearest card,
    second: int  # and of the next
    shortest: int  # of the other hands
    limit: float  # nearness of the limit of the round
    mauve: int  # my mauve cards, four bits each
    n_coloured: int  # unseen coloured cards
    n_unseen: int  # all unseen cards
    total: int
    lowest: int  # of the other totals
    to_target: int


class Then(NamedTuple):
    """What an action leaves."""

    card: int  # that is laid, or NONE
    symbol: int  # its kind, or NONE
    colour: int  # in force, or NONE
    kind: int  # in force, or NONE
    top: int  # the card on top
    fine: int
    mauve: int  # my mauve cards, four bits each
    drawn: int  # cards that I draw
    size: int  # cards in my hand
    points: int  # in my hand, those of drawn cards left out
    n_fit: int  # coloured cards of my hand that fit
    next: int  # place of the next seat
    asked: int  # place of the seat that is asked next for a card


# What lies on the table.


@kernel
def mauve_of(row, at):
    """The mauve cards of a stretch of cards, four bits each."""
    return read_word(row, at + MAUVE_AT) & ((1 << MAUVE_PLACES) - 1)


@kernel
def phase_of(row):
    """What I am asked."""
    bits = read_word(row, IN_FORCE) >> ASKED_BIT & ((1 << len(ASKED)) - 1)
    return NAME_COLOUR + lowest_bit(bits) if bits else NONE


@kernel
def top_of(row):
    """The card on top of the discard."""
    bits = read_word(row, TOP) & ((1 << N_CODES) - 1)
    return lowest_bit(bits) if bits else NONE


@kernel
def total_of(row, place):
    """The total of a seat, counted from mine, in steps of five."""
    steps = read_word(row, SCORES + N_STEPS * place) & ((1 << N_STEPS) - 1)
    rests = read_word(row, SCORE_REST + N_REST * place) & ((1 << N_REST) - 1)
    return STEP * count_bits(steps) + REST * count_bits(rests)


@kernel
def lowest_total(row):
    """The lowest total of the others."""
    lowest = total_of(row, 1)
    for place in range(2, n_seats_of(row)):
        lowest = min(lowest, total_of(row, place))
    return lowest


@kernel
def shortest_of(row):
    """The cards in the shortest hand of the others."""
    shortest = size_of(row, 1)
    for place in range(2, n_seats_of(row)):
        shortest = min(shortest, size_of(row, place))
    return shortest


@kernel
def points_of(row):
    """The points in my hand, those of its dearest card and of the next one."""
    n = n_mauve(row)
    points = MAUVE_COST * n
    dearest, second = MAUVE_COST * min(n, 1), MAUVE_COST * min(max(n - 1, 0), 1)
    for colour in range(N_COLOURS):
        cards = of_colour(row, HAND, colour)
        while cards:
            cost = COSTS[lowest_bit(cards) // MOST_COPIES]
            cards &= cards - 1
            points += cost
            second = max(second, min(dearest, cost))
            dearest = max(dearest, cost)
    return points, dearest, second


@kernel
def limit_of(row):
    """How near the round is to its limit: at 1, a turn for each seat at most is left."""
    doublings = count_bits(read_word(row, LIMITS) >> TURNS_BIT & ((1 << N_DOUBLINGS) - 1))
    return min(n_seats_of(row) * ONE_TURN_IN[doublings], 1.0)


@kernel
def seen_now(row):
    """What is common to all actions of a decision."""
    points, dearest, second = points_of(row)
    mauve, n_coloured = mauve_of(row, HAND), n_unseen(row)
    n_mauve_unseen = max(0, MAUVE_BOX - count_bits(mauve) - count_bits(mauve_of(row, DISCARD)))
    clockwise = 1 if next_place(row) == 1 else 0
    to_target = FAR * count_bits(read_word(row, TO_TARGET) & ((1 << N_FAR) - 1))
    # fmt: off
    return Now(
        phase_of(row), n_seats_of(row), clockwise,
        colour_in_force(row), kind_in_force(row), top_of(row), fine_due(row),
        size_of(row, 0), points, dearest, second, shortest_of(row), limit_of(row),
        mauve, n_coloured, n_coloured + n_mauve_unseen,
        total_of(row, 0), lowest_total(row), to_target,
    )
    # fmt: on


# What an action leaves.


@kernel
def symbol_of(card):
    """The kind of a coloured card, or none."""
    return card % N_KINDS if NONE < card < N_COLOURED else NONE


@kernel
def colour_left(action, card, now):
    """The colour that is in force then."""
    if action >= NAME:
        return action - NAME
    if action >= DRAW or card == PLUS_3:
        return now.colour
    return card // N_KINDS if card < N_COLOURED else (action - PLAY_CAPTAIN) % N_COLOURS


@kernel
def kind_left(card, now):
    """The kind that is in force then."""
    return now.kind if card in (NONE, PLUS_3) else symbol_of(card)


@kernel
def fine_left(action, symbol, now):
    """The cards that are pending from +2 then."""
    if action == DRAW:
        return 0
    return now.fine + (FINE if symbol == PLUS_2 else 0)


@kernel
def drawn_by(action, now):
    """The cards that I draw for certain."""
    if action != DRAW:
        return 0
    return ALLERGY if now.phase == CHALLENGE else max(1, now.fine)


@kernel
def loses_turn(action, card, symbol, fine):
    """Whether the next seat can do nothing, or nothing but answer a +2."""
    return card == PLUS_4 or symbol == SKIP or (action < DRAW and fine > 0)


@kernel
def place_ahead(symbol, steps, now):
    """The seat so many steps on, in the direction of play as it is then."""
    clockwise = now.clockwise if symbol != REVERSE else 1 - now.clockwise
    return (steps if clockwise else -steps) % now.n_seats


@kernel
def asked_then(row, card, symbol, now):
    """The seat that is asked next for a card; a clone does not change whose turn it is."""
    if now.phase == CLONE:
        return lowest_bit(read_word(row, IN_FORCE) >> PLAYS_BIT & ((1 << MAX_SEATS) - 1))
    return place_ahead(symbol, 2 if card == PLUS_4 or symbol == SKIP else 1, now)


@kernel
def mauve_left(card, now):
    """My mauve cards then; the first of equal ones goes, which leaves their number right."""
    if card < N_COLOURED:
        return now.mauve
    cards = now.mauve & (COPIES_OF_ONE << MOST_COPIES * (card - N_COLOURED))
    return now.mauve & ~(cards & -cards)


@kernel
def n_fit_left(row, card, colour, kind):
    """The coloured cards of mine that fit then: the one that I lay would have fitted itself."""
    return n_fitting(row, HAND, colour, kind) - (1 if NONE < card < N_COLOURED else 0)


@kernel
def after(row, action, now):
    """What an action leaves."""
    card = CARD_PLAYED[action] if action < DRAW else NONE
    symbol, lays = symbol_of(card), 1 if action < DRAW else 0
    colour, kind = colour_left(action, card, now), kind_left(card, now)
    fine, drawn = fine_left(action, symbol, now), drawn_by(action, now)
    points = now.points - (COSTS[card] if lays else 0)
    # fmt: off
    return Then(
        card, symbol, colour, kind, card if lays else now.top, fine,
        mauve_left(card, now), drawn, now.size - lays + drawn, points,
        n_fit_left(row, card, colour, kind),
        place_ahead(symbol, 1, now), asked_then(row, card, symbol, now),
    )
    # fmt: on


# Small things that several aspects need.


@kernel
def flag_number(aspects, k, at, number, n):
    """Flag a number from 1 on among n places; what is above counts as the last."""
    if number > 0:
        aspects[k, at + min(number, n) - 1] = 1.0


@kernel
def flag_small(aspects, k, at, number, n):
    """Flag a number from 1 to n, and no other."""
    if 0 < number <= n:
        aspects[k, at + number - 1] = 1.0


@kernel
def jokers_on(top, fine):
    """The places of the mauve cards that may lie there: A8, A9 and A10."""
    if fine > 0 or symbol_of(top) == PLUS_2:
        return EACH_PLUS_3
    if top == PLUS_4:
        return 0
    return EACH_PLUS_3 | EACH_PLUS_4 | (EACH_CAPTAIN if top != PLUS_3 else 0)


@kernel
def n_unseen_answers(row, then):
    """The unseen coloured cards that can be laid then."""
    if then.fine > 0:
        seen = n_fitting(row, HAND, NONE, PLUS_2) + n_fitting(row, DISCARD, NONE, PLUS_2)
        return max(0, PER_KIND * N_COLOURS - seen)
    return n_unseen_fitting(row, then.colour, then.kind)


@kernel
def n_unseen_jokers(row, now, then):
    """The unseen mauve cards that can be laid then."""
    jokers = jokers_on(then.top, then.fine)
    in_box = PER_MAUVE * count_bits(jokers) // MOST_COPIES
    seen = count_bits(jokers & now.mauve) + count_bits(jokers & mauve_of(row, DISCARD))
    return max(0, in_box - seen)


# A hand that I was shown.


@kernel
def is_shown(row, place):
    """Whether I know the hand of this seat."""
    at = REVEALED + EACH_REVEALED * (place - 1)
    return (read_word(row, at) | read_word(row, at + EACH_REVEALED - WORD)) != 0


@kernel
def shown_colour(row, place, colour):
    """The cards of a colour in a hand that I was shown, two bits a kind."""
    at = REVEALED + EACH_REVEALED * (place - 1) + REVEALED_COLOUR * colour
    return read_word(row, at) & ((1 << REVEALED_COLOUR) - 1)


@kernel
def shown_answer(row, place, then):
    """Whether a coloured card of a hand that I was shown can be laid then."""
    kind = PLUS_2 if then.fine > 0 else then.kind
    places = REVEALED_ONE << MOST_REVEALED * kind if kind != NONE else 0
    for colour in range(N_COLOURS):
        cards = shown_colour(row, place, colour)
        if cards & places or (cards and colour == then.colour and then.fine == 0):
            return True
    return False


@kernel
def shown_joker(row, place, then):
    """Whether a mauve card of a hand that I was shown can be laid then."""
    cards = shown_colour(row, place, N_COLOURS) & ((1 << MOST_REVEALED * N_MAUVE) - 1)
    jokers = jokers_on(then.top, then.fine)
    for i in range(N_MAUVE):
        if cards >> MOST_REVEALED * i & REVEALED_ONE and jokers >> MOST_COPIES * i & 1:
            return True
    return False


# The aspects, group by group.


@kernel
def doing_of(action, card, now):
    """The place of what the action does."""
    if action >= PASS:
        if action == PASS:
            return PASSES + now.phase - AFTER_DRAW
        return min(ANNOUNCES + action - ANNOUNCE, NAMES)
    if action == DRAW:
        if now.phase == CHALLENGE:
            return ACCEPTS
        return TAKES_FINE if now.fine > 0 else DRAWS_ONE
    if card >= N_COLOURED:
        return FIRST_MAUVE + card - CAPTAIN
    return max(0, card % N_KINDS - N_NUMBERS + 1)


@kernel
def write_card(aspects, k, now, then):
    """The card that is laid."""
    cost = COSTS[then.card] / MAUVE_COST
    aspects[k, LATE_PLAY] = now.phase == AFTER_DRAW
    aspects[k, LATE_PLAY + 1] = now.phase == CLONE
    aspects[k, COST] = cost
    aspects[k, COST + 1] = cost * nearness(now.shortest)
    aspects[k, COST + 2] = cost * now.limit
    aspects[k, MATCH + 3] = then.colour != now.colour
    if then.symbol != NONE:
        by_colour, by_kind = then.colour == now.colour, then.kind == now.kind
        aspects[k, COST + 3] = then.symbol / (N_NUMBERS - 1) if then.symbol < N_NUMBERS else 0.0
        aspects[k, MATCH] = by_colour
        aspects[k, MATCH + 1] = by_kind
        aspects[k, MATCH + 2] = by_colour and by_kind


@kernel
def write_hand(aspects, k, now, then):
    """How long and how dear my hand is then."""
    laid = COSTS[then.card] if then.card != NONE else NONE
    points = then.points / POINTS_UNIT
    flag_number(aspects, k, SIZE, then.size, N_SIZES)
    aspects[k, COUNT] = then.size / CARDS
    aspects[k, COUNT + 1] = then.size == 0
    aspects[k, POINTS] = points
    aspects[k, POINTS + 1] = points * nearness(now.shortest)
    aspects[k, POINTS + 2] = points * now.limit
    aspects[k, DEAREST] = (now.second if laid == now.dearest else now.dearest) / MAUVE_COST
    aspects[k, AHEAD] = (now.shortest - then.size) / CARDS


@kernel
def write_follow(aspects, k, then):
    """How well my hand can go on from what lies then."""
    n_mauve_left = count_bits(then.mauve)
    for i in range(min(then.n_fit, N_FITS)):
        aspects[k, FOLLOW + i] = 1.0
    aspects[k, FOLLOW + N_FITS] = then.n_fit / max(1, then.size)
    aspects[k, FINISH] = then.size == 1 and then.n_fit > 0
    aspects[k, TRAP] = then.size > 0 and then.size == n_mauve_left
    aspects[k, TRAP + 1] = n_mauve_left > 0 and then.size == n_mauve_left + 1
    for i in range(N_MAUVE):
        of_one = then.mauve >> MOST_COPIES * i & COPIES_OF_ONE
        aspects[k, MAUVE_LEFT + i] = count_bits(of_one) / TWO


@kernel
def write_colours(aspects, k, row, then):
    """Which colours and kinds I keep."""
    n_colours = most = of_this = 0
    laid = then.colour if then.symbol != NONE else NONE
    for colour in range(N_COLOURS):
        n = count_bits(of_colour(row, HAND, colour)) - (1 if colour == laid else 0)
        n_colours += 1 if n > 0 else 0
        most = max(most, n)
        of_this += n if colour == then.colour else 0
    aspects[k, COLOURS_LEFT] = n_colours / N_COLOURS
    aspects[k, COLOURS_LEFT + 1] = most / max(1, then.size)
    aspects[k, COLOURS_LEFT + 2] = of_this / max(1, then.size)
    of_kinds = n_of_symbol(row, then, then.kind) if then.kind != NONE else 0
    aspects[k, SAME_KIND] = of_kinds / THREE


@kernel
def n_of_symbol(row, then, kind):
    """How many cards of a kind I keep."""
    return n_fitting(row, HAND, NONE, kind) - (1 if then.symbol == kind else 0)


@kernel
def write_symbols(aspects, k, row, then):
    """The symbols that I keep, and whether one is a +2 while a fine goes round."""
    n_plus_2 = n_of_symbol(row, then, PLUS_2)
    n_turns = n_of_symbol(row, then, REVERSE) + n_of_symbol(row, then, SKIP)
    aspects[k, SYMBOLS] = n_plus_2 / TWO
    aspects[k, SYMBOLS + 1] = n_turns / THREE
    aspects[k, FINE_LEFT] = then.fine / CARDS
    aspects[k, FINE_LEFT + 1] = then.fine > 0 and n_plus_2 > 0


@kernel
def write_again(aspects, k, action, now, then):
    """Whether I play again at once, with what."""
    fined = action < DRAW and then.fine > 0 and now.n_seats == 2
    if (then.asked == 0 or fined) and then.size > 0:
        joker = then.size > 1 and then.mauve & jokers_on(then.top, 0) != 0
        aspects[k, AGAIN] = 1.0
        aspects[k, AGAIN + 1] = then.n_fit > 0 or joker
        aspects[k, AGAIN + 2] = then.n_fit > 0 and then.size == 1


@kernel
def write_draws(aspects, k, row, action, now, then):
    """Who draws how many, and who loses its turn."""
    near = nearness(size_of(row, then.next))
    draws = 0
    if action < DRAW:
        draws = ALLERGY if then.card == PLUS_4 else then.fine
    lost = loses_turn(action, then.card, then.symbol, then.fine)
    aspects[k, DRAWS] = draws / CARDS
    aspects[k, DRAWS + 1] = draws / CARDS * near
    aspects[k, DRAWS + 2] = then.drawn / CARDS
    aspects[k, ALL_DRAW] = then.card == PLUS_3
    aspects[k, ALL_DRAW + 1] = nearness(now.shortest) if then.card == PLUS_3 else 0.0
    aspects[k, LOST] = lost
    aspects[k, LOST + 1] = near if lost else 0.0


@kernel
def write_others(aspects, k, row, now, then):
    """The hands of the others in the order in which they play then."""
    following, last = place_ahead(then.symbol, 2, now), place_ahead(then.symbol, -1, now)
    size = size_of(row, then.next)
    flag_number(aspects, k, NEXT_SIZE, size, N_SIZES)
    aspects[k, NEXT_SIZE + N_SIZES] = nearness(size)
    if following != 0:
        size = size_of(row, following)
        flag_small(aspects, k, AFTER_NEXT, size, N_AFTER)
        aspects[k, AFTER_NEXT + N_AFTER] = nearness(size)
    size = size_of(row, last)
    aspects[k, BEFORE_ME] = size == 1
    aspects[k, BEFORE_ME + 1] = nearness(size)
    flag_small(aspects, k, SHORTEST, now.shortest, N_SHORTEST)
    aspects[k, SHORTEST + N_SHORTEST] = nearness(now.shortest)


@kernel
def write_unseen(aspects, k, row, action, now, then):
    """How what I leave fits the cards that I don't see, and the card that I draw."""
    n_fit = n_unseen_fitting(row, then.colour, then.kind)
    of_this = n_unseen_fitting(row, then.colour, NONE) if then.colour != NONE else 0
    aspects[k, UNSEEN] = n_fit / now.n_coloured
    aspects[k, UNSEEN + 1] = of_this / now.n_coloured
    if action == DRAW and now.phase != CHALLENGE and now.fine == 0:
        n_jokers = n_unseen_jokers(row, now, then)
        aspects[k, DRAWN_FITS] = min(1.0, (n_fit + n_jokers) / now.n_unseen)


@kernel
def write_answer(aspects, k, row, now, then):
    """Whether the seat that is asked next can go on, and win at once."""
    size = size_of(row, then.asked) + (POLLEN if then.card == PLUS_3 else 0)
    share = min(1.0, n_unseen_answers(row, then) / now.n_unseen)
    jokers = n_unseen_jokers(row, now, then) / now.n_unseen if size > 1 else 0.0
    chance = 1.0 - (1.0 - min(1.0, share + jokers)) ** size
    if is_shown(row, then.asked):
        share = 1.0 if shown_answer(row, then.asked, then) else 0.0
        chance = max(share, 1.0 if size > 1 and shown_joker(row, then.asked, then) else 0.0)
        aspects[k, SHOWN] = 1.0
        aspects[k, SHOWN + 1] = chance
    aspects[k, ANSWER] = chance
    aspects[k, ANSWER + 1] = chance * nearness(size)
    aspects[k, ANSWER + 2] = share if size == 1 else 0.0


@kernel
def write_bluff(aspects, k, row, now):
    """Whether this +4 is a bluff, and how likely it looks like one."""
    if would_bluff(row):
        aspects[k, BLUFF] = 1.0
        aspects[k, BLUFF + 1] = 1.0 - honest(now.size - 1)


@kernel
def write_doubt(aspects, k, row, action):
    """How likely the +4 before me is honest, and what that costs me if I doubt it."""
    layer = lowest_bit(read_word(row, IN_FORCE) >> PLUS_4_BIT & ((1 << MAX_SEATS) - 1))
    size = size_of(row, layer)
    truth = honest(size)
    aspects[k, DOUBT] = truth
    aspects[k, DOUBT + 1] = size / CARDS
    aspects[k, DOUBT + 2] = (1.0 - truth) * nearness(size)
    if action == LIAR:
        aspects[k, DRAWS + 2] = truth * LIE / CARDS


@kernel
def write_game(aspects, k, now, then):
    """How the game and the round stand."""
    aspects[k, TOTALS] = now.total / ALL_TOTALS
    aspects[k, TOTALS + 1] = (now.total - now.lowest) / ALL_TOTALS
    aspects[k, TOTALS + 2] = (now.total + then.points) / ALL_TOTALS
    aspects[k, TOTALS + 3] = now.to_target / ALL_TOTALS
    aspects[k, LIMIT] = now.limit


@kernel
def write_mine(aspects, k, row, action, now, then):
    """What the action leaves to me."""
    write_hand(aspects, k, now, then)
    write_follow(aspects, k, then)
    write_colours(aspects, k, row, then)
    write_symbols(aspects, k, row, then)
    write_again(aspects, k, action, now, then)
    write_game(aspects, k, now, then)


@kernel
def write_theirs(aspects, k, row, action, now, then):
    """What the action does and leaves to the others."""
    write_draws(aspects, k, row, action, now, then)
    write_others(aspects, k, row, now, then)
    write_unseen(aspects, k, row, action, now, then)
    if then.asked != 0:
        write_answer(aspects, k, row, now, then)


@kernel
def write_aspects(aspects, k, row, action, now):
    """All aspects of one action."""
    then = after(row, action, now)
    aspects[k, DOING + doing_of(action, then.card, now)] = 1.0
    write_mine(aspects, k, row, action, now, then)
    write_theirs(aspects, k, row, action, now, then)
    if then.card != NONE:
        write_card(aspects, k, now, then)
    if then.card == PLUS_4:
        write_bluff(aspects, k, row, now)
    if now.phase == CHALLENGE:
        write_doubt(aspects, k, row, action)


@kernel
def aspects_all(observation, mask, decision, action, aspects):
    """The allowed actions of every decision, and the aspects of each."""
    aspects[:] = 0.0
    k = 0
    for i in range(mask.shape[0]):
        row, now = row_of(observation, i), seen_now(row_of(observation, i))
        for part in range(N_MASK_WORDS):
            allowed = word_of_row(row_of(mask, i), N_ACTIONS, part)
            while allowed:
                one = WORD * part + lowest_bit(allowed)
                allowed &= allowed - 1
                decision[k], action[k] = i, one
                write_aspects(aspects, k, row, one, now)
                k += 1
