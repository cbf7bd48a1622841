"""What a seat can see, and the full truth, as 0/1 vectors laid out by tables of blocks.

After a card is laid the others may throw, but who is being asked, and that anybody is, stays
hidden: the gap, the seat that laid the last card and the seat that plays next are shown alike while
the throws last and after them.
"""

from cabanga_env.actions import LEFT, N_ACTIONS, N_SIDES, PASS, PLAY, RIGHT, THROW
from cabanga_env.cards import CODES, COLOUR_NAMES, N_CARDS, N_COLOURS, N_VALUES
from cabanga_env.rules import fitting_cards, inside_gap
from cabanga_env.state import MAX_SEATS, NONE, PHASES, PLAY_CARD, SEATS, THROW_CARDS
from cardcore.bits import (
    HALF_WORD,
    bytes_from,
    bytes_of,
    first_bits,
    write_bits,
    write_levels,
    write_sets,
)
from cardcore.blocks import Block, starts
from cardcore.jit import kernel
from cardcore.scoring import NO_LIMIT
from cardcore.seats import left_of
from cardcore.spec import OVER

VALUES = tuple(range(1, N_VALUES + 1))
N_PILES = 2 * N_COLOURS  # in the rows
MOST_IN_HAND = 24
MOST_IN_PILE = 56  # what two seats leave of 72 cards
MOST_ROUNDS = 7
MOST_POINTS = 24  # counted one by one
HIGH, HIGH_STEP, N_HIGH = 30, 10, 8  # and above that in tens up to 100
FROM_ME = ("me", *(f"{k} to my left" for k in range(1, MAX_SEATS)))
FEWEST_SEATS = SEATS.low
TABLES = tuple(f"{n} seats" for n in range(FEWEST_SEATS, MAX_SEATS + 1))
ASKED = PHASES[PLAY_CARD:]

PUBLIC = (
    Block("tops", N_PILES * N_VALUES, "top values: red left, red right, blue left …", steps=VALUES),
    Block("laid_left", N_CARDS, "number cards played onto the left piles", labels=CODES),
    Block("laid_right", N_CARDS, "number cards played onto the right piles", labels=CODES),
    Block("discard", N_CARDS, "cards on the discard", labels=CODES),
    Block("recycled", N_CARDS, "cards of the discard that was last shuffled back", labels=CODES),
    Block(
        "offered",
        N_CARDS,
        "cards that fitted a gap into which another seat could throw, since the last reshuffle",
        labels=CODES,
    ),
    Block("offered_to_all", N_CARDS, "and into which each of the others could", labels=CODES),
    Block(
        "hand_sizes",
        MAX_SEATS * MOST_IN_HAND,
        "cards in each hand, seats in order from mine",
        steps=tuple(range(1, MOST_IN_HAND + 1)),
    ),
    Block(
        "scores",
        MAX_SEATS * MOST_POINTS,
        "totals, seats in order from mine",
        steps=tuple(range(1, MOST_POINTS + 1)),
    ),
    Block(
        "high_scores",
        MAX_SEATS * N_HIGH,
        "totals above that, in tens",
        steps=tuple(range(HIGH, HIGH + HIGH_STEP * N_HIGH, HIGH_STEP)),
    ),
    Block(
        "pile_size",
        MOST_IN_PILE,
        "cards in the penalty pile",
        steps=tuple(range(1, MOST_IN_PILE + 1)),
    ),
    Block(
        "gap",
        N_VALUES,
        "values inside the gap that the last card left",
        labels=tuple(map(str, VALUES)),
    ),
    Block(
        "last_colour", N_COLOURS, "colour of the last card, the one to avoid", labels=COLOUR_NAMES
    ),
    Block("asked", len(ASKED), "what I am being asked; all 0 if I am not", labels=ASKED),
    Block(
        "laid_last", MAX_SEATS, "who laid the last card, seats in order from mine", labels=FROM_ME
    ),
    Block("plays_next", MAX_SEATS, "who lays the next card", labels=FROM_ME),
    Block("table", len(TABLES), "seats at the table", labels=TABLES),
    Block(
        "rounds_left",
        MOST_ROUNDS,
        "rounds to play, this one included; all 0 without a limit",
        steps=tuple(range(1, MOST_ROUNDS + 1)),
    ),
)
BLOCKS = (Block("own_hand", N_CARDS, "cards in my hand", labels=CODES), *PUBLIC)
OBS_SIZE = starts(BLOCKS)[-1]

# Offsets within the public part, which follows the own hand and, in the state, all hands.
(
    TOPS,
    LAID_LEFT,
    LAID_RIGHT,
    DISCARD,
    RECYCLED,
    OFFERED,
    OFFERED_TO_ALL,
    HAND_SIZES,
    SCORES,
    HIGH_SCORES,
    PILE_SIZE,
    GAP,
    LAST_COLOUR,
    ASKED_OF_ME,
    LAID_LAST,
    PLAYS_NEXT,
    TABLE,
    ROUNDS_LEFT,
    PUBLIC_SIZE,
) = starts(PUBLIC)
SMALL_SIZE = PUBLIC_SIZE - GAP
ONCE = 1
ALL_VALUES = ((1 << N_VALUES) - 1) * (1 | 1 << HALF_WORD)  # of two colours
THROWS_AND_PASS = N_ACTIONS - THROW

SEAT_NAMES = tuple(f"player_{seat}" for seat in range(MAX_SEATS))
N_PHASES = len(PHASES)
PLACE_DIGITS = 8  # a place in the pile is at most 72
STATE_BLOCKS = (
    Block("hands", MAX_SEATS * N_CARDS, "cards of each seat, one row a seat", labels=CODES),
    Block(
        "offered_to_seat",
        MAX_SEATS * N_CARDS,
        "cards that fitted a gap into which this seat could throw, one row a seat",
        labels=CODES,
    ),
    *PUBLIC,
    Block("to_act", MAX_SEATS, "seat that is being asked", labels=SEAT_NAMES),
    Block("phase", N_PHASES, "what it is being asked", labels=PHASES),
    Block(
        "pile",
        N_CARDS * PLACE_DIGITS,
        "place of each card in the penalty pile: 1 for the next, 0 for cards elsewhere",
        digits=PLACE_DIGITS,
    ),
)
STATE_SIZE = starts(STATE_BLOCKS)[-1]
STATE_PILE = STATE_SIZE - N_CARDS * PLACE_DIGITS
STATE_PHASE = STATE_PILE - N_PHASES
STATE_TO_ACT = STATE_PHASE - MAX_SEATS
STATE_OFFERED = MAX_SEATS * N_CARDS
STATE_PUBLIC = STATE_TO_ACT - PUBLIC_SIZE


@kernel
def write_observation(game, seat, row):
    """Everything that a seat can know, to a row of OBS_SIZE."""
    write_hand(game, seat, row, 0)
    write_public(game, seat, row, N_CARDS)


@kernel
def write_hand(game, seat, row, at):
    """The cards of one seat."""
    write_cards(row, at, sets_of(game.hand, seat))


@kernel
def write_public(game, seat, row, at):
    """What lies open on the table, seats in order from this one, and what it is asked."""
    write_rows(game, row, at)
    write_offered(game, seat, row, at)
    n_seats = int(game.n_seats)
    sizes = bytes_from(bytes_of(game.hand_size, MAX_SEATS), seat, n_seats)
    totals = bytes_from(bytes_of(game.score, MAX_SEATS), seat, n_seats)
    write_levels(row, at + HAND_SIZES, sizes, MAX_SEATS, MOST_IN_HAND, 1, 1)
    write_levels(row, at + SCORES, totals, MAX_SEATS, MOST_POINTS, 1, 1)
    write_levels(row, at + HIGH_SCORES, totals, MAX_SEATS, N_HIGH, HIGH, HIGH_STEP)
    write_levels(row, at + PILE_SIZE, int(game.pile_size), 1, MOST_IN_PILE, 1, 1)
    write_bits(row, at + GAP, small_blocks(game, seat), SMALL_SIZE)


@kernel
def write_rows(game, row, at):
    """The rows of the four colours and the discard."""
    write_levels(row, at + TOPS, bytes_of(game.top, N_PILES), N_PILES, N_VALUES, 1, 1)
    write_cards(row, at + LAID_LEFT, sets_of(game.laid, LEFT))
    write_cards(row, at + LAID_RIGHT, sets_of(game.laid, RIGHT))
    a, b, c, d = game.discarded[0], game.discarded[1], game.discarded[2], game.discarded[3]
    write_cards(row, at + DISCARD, in_pairs(a, b, c, d))
    a, b, c, d = game.recycled[0], game.recycled[1], game.recycled[2], game.recycled[3]
    write_cards(row, at + RECYCLED, in_pairs(a, b, c, d))


@kernel
def write_offered(game, seat, row, at):
    """What the other seats could have thrown: who let a card pass hardly holds it."""
    any_low, any_high, all_low, all_high = 0, 0, ALL_VALUES, ALL_VALUES
    who = seat
    for _ in range(game.n_seats - 1):  # not all seats but one: which one is hard to foresee
        who = left_of(game, who)
        low, high = sets_of(game.offered, who)
        any_low, any_high = any_low | low, any_high | high
        all_low, all_high = all_low & low, all_high & high
    write_cards(row, at + OFFERED, (any_low, any_high))
    write_cards(row, at + OFFERED_TO_ALL, (all_low, all_high))


@kernel
def write_cards(row, at, pairs):
    """The cards of four sets of values, one a colour, two sets to a word."""
    low, high = pairs
    write_sets(row, at, low, high, N_VALUES, ONCE)


@kernel
def sets_of(sets, owner):
    """The set of values of each colour that belongs to a seat or a side, two sets to a word."""
    return in_pairs(sets[owner, 0], sets[owner, 1], sets[owner, 2], sets[owner, 3])


@kernel
def in_pairs(red, blue, violet, yellow):
    """Four sets of values as two words, a set in either half of each."""
    return int(red) | int(blue) << HALF_WORD, int(violet) | int(yellow) << HALF_WORD


@kernel
def small_blocks(game, seat):
    """The blocks from the gap to the end, packed into one word."""
    n_seats = int(game.n_seats)
    ahead = seats_to_next_play(game, seat)
    behind = ahead - 1 if ahead > 0 else n_seats - 1  # who plays before the next one laid last
    going_on = int(game.phase != OVER)
    asked = going_on & int(game.to_act == seat)
    laid = int(game.last_colour != NONE)
    word = inside_gap(game.gap_low, game.gap_high)
    word |= laid << (LAST_COLOUR - GAP + int(game.last_colour))
    word |= asked << (ASKED_OF_ME - GAP + int(game.phase) - PLAY_CARD)
    word |= laid << (LAID_LAST - GAP + behind)
    word |= going_on << (PLAYS_NEXT - GAP + ahead)
    word |= 1 << (TABLE - GAP + n_seats - FEWEST_SEATS)
    return word | first_bits(rounds_left(game), MOST_ROUNDS) << (ROUNDS_LEFT - GAP)


@kernel
def seats_to_next_play(game, seat):
    """Seats from this one to the next that plays: at the table a turn ends when the card lies."""
    away = int(game.active) + int(game.phase != PLAY_CARD) - int(seat)
    away = away if away >= 0 else away + int(game.n_seats)
    return away if away < game.n_seats else 0


@kernel
def rounds_left(game):
    """Rounds still to be scored, 0 when the game has no such limit."""
    if game.max_rounds == NO_LIMIT or game.phase == OVER:
        return 0
    return game.max_rounds - game.round_no + 1


@kernel
def write_mask(game, seat, row):
    """What a seat may do now, to a row of N_ACTIONS; nothing if it is not being asked."""
    asked = game.to_act == seat
    playing, throwing = asked and game.phase == PLAY_CARD, asked and game.phase == THROW_CARDS
    played, thrown = -1 if playing else 0, -1 if throwing else 0
    low, high = sets_of(game.hand, seat)
    write_sets(row, PLAY, low & played, high & played, N_VALUES, N_SIDES)
    throws = fitting_cards(game, seat) | 1 << (PASS - THROW)
    write_bits(row, THROW, throws & thrown, THROWS_AND_PASS)


@kernel
def write_state(game, row):
    """The full truth, to a row of STATE_SIZE."""
    for seat in range(MAX_SEATS):
        write_hand(game, seat, row, N_CARDS * seat)
        write_cards(row, STATE_OFFERED + N_CARDS * seat, sets_of(game.offered, seat))
    write_public(game, 0, row, STATE_PUBLIC)
    write_bits(row, STATE_TO_ACT, 0 if game.phase == OVER else 1 << int(game.to_act), MAX_SEATS)
    write_bits(row, STATE_PHASE, 1 << int(game.phase), N_PHASES)
    for card in range(N_CARDS):
        write_bits(row, STATE_PILE + PLACE_DIGITS * card, 0, PLACE_DIGITS)
    for place in range(1, game.pile_size + 1):
        card = int(game.pile[game.pile_size - place])
        write_bits(row, STATE_PILE + PLACE_DIGITS * card, place, PLACE_DIGITS)
