"""What a seat can see, and the full truth, as 0/1 vectors laid out by tables of blocks.

After a card is laid the others may throw, but who is being asked, and that anybody is, stays
hidden: the gap, the seat that laid the last card and the seat that plays next are shown alike while
the throws last and after them.
"""

import numpy as np

from cabanga_env.actions import N_ACTIONS, PASS, PLAY, THROW
from cabanga_env.cards import CODES, COLOUR_NAMES, N_CARDS, N_COLOURS, N_VALUES
from cabanga_env.rules import fitting_cards, inside_gap, left_of
from cabanga_env.state import MAX_SEATS, NONE, PHASES, PLAY_CARD, SEATS, THROW_CARDS
from cardcore.bits import first_bits, twice, write_bits
from cardcore.blocks import Block, starts
from cardcore.jit import kernel
from cardcore.scoring import NO_LIMIT
from cardcore.spec import OVER

VALUES = tuple(range(1, N_VALUES + 1))
MOST_IN_HAND = 24
MOST_IN_PILE = 56  # what two seats leave of 72 cards
MOST_ROUNDS = 7
TOTALS = (*range(1, 25), 27, 30, 35, 40, 50, 60, 80, 100)
N_TOTALS = len(TOTALS)
FROM_ME = ("me", *(f"{k} to my left" for k in range(1, MAX_SEATS)))
FEWEST_SEATS = SEATS.low
TABLES = tuple(f"{n} seats" for n in range(FEWEST_SEATS, MAX_SEATS + 1))
ASKED = PHASES[PLAY_CARD:]

PUBLIC = (
    Block("left_top", N_CARDS, "top value left of each row, one row a colour", steps=VALUES),
    Block("right_top", N_CARDS, "top value right of each row", steps=VALUES),
    Block("laid_left", N_CARDS, "number cards played onto the left piles", labels=CODES),
    Block("laid_right", N_CARDS, "number cards played onto the right piles", labels=CODES),
    Block("discard", N_CARDS, "cards on the discard", labels=CODES),
    Block("recycled", N_CARDS, "cards of the discard that was last shuffled back", labels=CODES),
    Block(
        "hand_sizes",
        MAX_SEATS * MOST_IN_HAND,
        "cards in each hand, seats in order from mine",
        steps=tuple(range(1, MOST_IN_HAND + 1)),
    ),
    Block("scores", MAX_SEATS * N_TOTALS, "totals, seats in order from mine", steps=TOTALS),
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
    LEFT_TOP,
    RIGHT_TOP,
    LAID_LEFT,
    LAID_RIGHT,
    DISCARD,
    RECYCLED,
    HAND_SIZES,
    SCORES,
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
TWO_COLOURS = 2 * N_VALUES
TWO_EACH = 2 * N_VALUES  # a play to the left and one to the right for every value
THROWS_AND_PASS = N_ACTIONS - THROW

SEAT_NAMES = tuple(f"player_{seat}" for seat in range(MAX_SEATS))
N_PHASES = len(PHASES)
PLACE_DIGITS = 8  # a place in the pile is at most 72
STATE_BLOCKS = (
    Block("hands", MAX_SEATS * N_CARDS, "cards of each seat, one row a seat", labels=CODES),
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
STATE_PUBLIC = STATE_TO_ACT - PUBLIC_SIZE

TOTAL_BITS = np.array(
    [
        sum(1 << k for k, step in enumerate(TOTALS) if total >= step)
        for total in range(TOTALS[-1] + 1)
    ]
)  # a total's thermometer


@kernel
def write_observation(game, seat, row):
    """Everything that a seat can know, to a row of OBS_SIZE."""
    write_hand(game, seat, row, 0)
    write_public(game, seat, row, N_CARDS)


@kernel
def write_hand(game, seat, row, at):
    """The cards of one seat."""
    for colour in range(0, N_COLOURS, 2):
        two = two_colours(game.hand[seat, colour], game.hand[seat, colour + 1])
        write_bits(row, at + N_VALUES * colour, two, TWO_COLOURS)


@kernel
def write_public(game, seat, row, at):
    """What lies open on the table, seats in order from this one, and what it is asked."""
    write_rows(game, row, at)
    who = seat
    for k in range(MAX_SEATS):
        size, total = seat_bits(game, who) if k < game.n_seats else (0, 0)
        write_bits(row, at + HAND_SIZES + MOST_IN_HAND * k, size, MOST_IN_HAND)
        write_bits(row, at + SCORES + N_TOTALS * k, total, N_TOTALS)
        who = left_of(game, who)
    write_bits(row, at + PILE_SIZE, first_bits(game.pile_size, MOST_IN_PILE), MOST_IN_PILE)
    write_bits(row, at + GAP, small_blocks(game, seat), SMALL_SIZE)


@kernel
def write_rows(game, row, at):
    """The rows of the four colours and the discard, two colours at a time."""
    for a in range(0, N_COLOURS, 2):
        b = a + 1
        place = at + N_VALUES * a
        for side in range(2):
            top_a = first_bits(game.top[a, side], N_VALUES)
            top_b = first_bits(game.top[b, side], N_VALUES)
            tops = place + (RIGHT_TOP if side else LEFT_TOP)
            laid = place + (LAID_RIGHT if side else LAID_LEFT)
            write_bits(row, tops, two_colours(top_a, top_b), TWO_COLOURS)
            write_bits(row, laid, two_colours(game.laid[a, side], game.laid[b, side]), TWO_COLOURS)
        discard = two_colours(game.discarded[a], game.discarded[b])
        recycled = two_colours(game.recycled[a], game.recycled[b])
        write_bits(row, place + DISCARD, discard, TWO_COLOURS)
        write_bits(row, place + RECYCLED, recycled, TWO_COLOURS)


@kernel
def two_colours(a, b):
    """The sets of two colours side by side, written in one go."""
    return int(a) | int(b) << N_VALUES


@kernel
def seat_bits(game, seat):
    """The thermometers of a seat's hand size and total."""
    size = first_bits(game.hand_size[seat], MOST_IN_HAND)
    return size, TOTAL_BITS[min(int(game.score[seat]), TOTALS[-1])]


@kernel
def small_blocks(game, seat):
    """The blocks from the gap to the end, packed into one word."""
    word = inside_gap(game.gap_low, game.gap_high)
    word |= 1 << (TABLE - GAP + int(game.n_seats) - FEWEST_SEATS)
    word |= first_bits(rounds_left(game), MOST_ROUNDS) << (ROUNDS_LEFT - GAP)
    if game.phase != OVER:
        word |= 1 << (PLAYS_NEXT - GAP + seats_from(game, seat, plays_next(game)))
        if game.to_act == seat:
            word |= 1 << (ASKED_OF_ME - GAP + int(game.phase) - PLAY_CARD)
    if game.last_colour != NONE:
        word |= 1 << (LAST_COLOUR - GAP + int(game.last_colour))
        word |= 1 << (LAID_LAST - GAP + seats_from(game, seat, laid_last(game)))
    return word


@kernel
def seats_from(game, seat, who):
    """How many seats to the left of `seat` somebody sits."""
    return int(who - seat if who >= seat else who - seat + game.n_seats)


@kernel
def plays_next(game):
    """The seat whose card comes next: at the table its turn begins when the last card lies."""
    return game.active if game.phase == PLAY_CARD else left_of(game, game.active)


@kernel
def laid_last(game):
    """The seat at which cards may still be thrown, as far as anybody can see."""
    if game.phase != PLAY_CARD:
        return game.active
    return game.active - 1 if game.active > 0 else game.n_seats - 1


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
    for colour in range(N_COLOURS):
        held = int(game.hand[seat, colour]) if playing else 0
        write_bits(row, PLAY + TWO_EACH * colour, twice(held), TWO_EACH)
    throws = fitting_cards(game, seat) | 1 << (PASS - THROW) if throwing else 0
    write_bits(row, THROW, throws, THROWS_AND_PASS)


@kernel
def write_state(game, row):
    """The full truth, to a row of STATE_SIZE."""
    for seat in range(MAX_SEATS):
        write_hand(game, seat, row, N_CARDS * seat)
    write_public(game, 0, row, STATE_PUBLIC)
    write_bits(row, STATE_TO_ACT, 0 if game.phase == OVER else 1 << int(game.to_act), MAX_SEATS)
    write_bits(row, STATE_PHASE, 1 << int(game.phase), N_PHASES)
    for card in range(N_CARDS):
        write_bits(row, STATE_PILE + PLACE_DIGITS * card, 0, PLACE_DIGITS)
    for place in range(1, game.pile_size + 1):
        card = int(game.pile[game.pile_size - place])
        write_bits(row, STATE_PILE + PLACE_DIGITS * card, place, PLACE_DIGITS)
