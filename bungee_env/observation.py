"""What a seat can see, and the full truth, as 0/1 vectors laid out by tables of blocks.

After a play in a lap a seat may be asked whether it calls. That tells of a low hand, so it stays
hidden: the others, and the seat itself, see the lap and the next turn as they are if it is silent.
"""

from bungee_env.actions import CALL, MOST_PLAYED, N_ACTIONS, PLAY, SWAP, TAKE
from bungee_env.cards import BUNGEE, CODES, MOST_COPIES, N_CARDS, N_KINDS
from bungee_env.rules import is_opened, lap_after_skips, may_call, next_seat, points_of
from bungee_env.state import (
    ABOUT_LUCKY,
    AFTER_PLAY,
    MAX_SEATS,
    MOST_IN_HAND,
    NO_CARD,
    PHASES,
    SEATS,
    TAKE_TURN,
)
from cardcore.bits import (
    BYTE,
    bytes_from,
    bytes_of,
    first_bits,
    row_of,
    write_bits,
    write_counts,
    write_levels,
)
from cardcore.blocks import Block, starts
from cardcore.jit import kernel
from cardcore.seats import left_of, places_from
from cardcore.spec import OVER

MOST_POINTS = 30
MOST_IN_PILE = 50
MOST_ROUNDS = 7
LOWEST_TOTAL, HIGHEST_TOTAL = -60, 149  # between them totals are told exactly
TEN, N_TENS = 10, 21
TO_BYTE = TEN - LOWEST_TOTAL  # the lowest total of a seat that is there becomes the byte 10
N_ONES = 9
TURN_STEPS = (1, 2, 4, 8, 16, 32, 64, 128)
FROM_ME = ("me", *(f"{k} to my left" for k in range(1, MAX_SEATS)))
FEWEST_SEATS = SEATS.low
TABLES = tuple(f"{n} seats" for n in range(FEWEST_SEATS, MAX_SEATS + 1))
PLACES = ("first", "second", "third", "fourth", "fifth")
ASKED = PHASES[ABOUT_LUCKY:]
HAND_SIZES_STEPS = tuple(range(1, MOST_IN_HAND + 1))
COPIES_STEPS = tuple(range(1, MOST_COPIES + 1))
KINDS_IN_HAND = N_KINDS * MOST_IN_HAND

PUBLIC = (
    Block("top", N_KINDS, "top card of the discard", labels=CODES),
    Block("lucky", N_KINDS, "the lucky card", labels=CODES),
    Block(
        "discard",
        N_KINDS * MOST_COPIES,
        "cards on the discard",
        steps=COPIES_STEPS,
        counted=CODES,
    ),
    Block(
        "recycled",
        N_KINDS * MOST_COPIES,
        "cards of the discard that was last shuffled back",
        steps=COPIES_STEPS,
        counted=CODES,
    ),
    Block(
        "known",
        MAX_SEATS * KINDS_IN_HAND,
        "cards that all saw a seat take and not yet play, seats in order from mine",
        steps=HAND_SIZES_STEPS,
        counted=CODES,
    ),
    Block(
        "hand_sizes",
        MAX_SEATS * MOST_IN_HAND,
        "cards in each hand, seats in order from mine",
        steps=HAND_SIZES_STEPS,
    ),
    Block(
        "scores",
        MAX_SEATS * N_TENS,
        "totals in tens, rounded down, seats in order from mine",
        steps=tuple(range(LOWEST_TOTAL, LOWEST_TOTAL + TEN * N_TENS, TEN)),
    ),
    Block(
        "score_ones",
        MAX_SEATS * N_ONES,
        "what each total is above its tens",
        steps=tuple(range(1, N_ONES + 1)),
    ),
    Block(
        "pile_size",
        MOST_IN_PILE,
        "cards in the draw pile",
        steps=tuple(range(1, MOST_IN_PILE + 1)),
    ),
    Block(
        "callers",
        MAX_SEATS * MAX_SEATS,
        "the place of each seat among the callers, seats in order from mine",
        labels=PLACES,
    ),
    Block("laps", 2, "whether a lap runs", labels=("last lap", "extra lap")),
    Block("lap_left", MAX_SEATS, "who has a turn left in the lap", labels=FROM_ME),
    Block("plays", MAX_SEATS, "whose turn it is, or the dealer's choice", labels=FROM_ME),
    Block("asked", len(ASKED), "what I am being asked; all 0 if I am not", labels=ASKED),
    Block("dealer", MAX_SEATS, "who deals", labels=FROM_ME),
    Block("table", len(TABLES), "seats at the table", labels=TABLES),
    Block(
        "rounds_left",
        MOST_ROUNDS,
        "rounds to play, this one included",
        steps=tuple(range(1, MOST_ROUNDS + 1)),
    ),
    Block("turns_left", len(TURN_STEPS), "turns before the limit of the round", steps=TURN_STEPS),
)
BLOCKS = (
    Block("own_hand", KINDS_IN_HAND, "cards in my hand", steps=HAND_SIZES_STEPS, counted=CODES),
    Block(
        "own_points",
        MOST_POINTS,
        "points of my hand for a call",
        steps=tuple(range(1, MOST_POINTS + 1)),
    ),
    *PUBLIC,
)
OBS_SIZE = starts(BLOCKS)[-1]
OWN_POINTS = KINDS_IN_HAND
OWN_SIZE = OWN_POINTS + MOST_POINTS

# Offsets within the public part, which follows what is one's own and, in the state, all hands.
(
    TOP,
    LUCKY,
    DISCARD,
    RECYCLED,
    KNOWN,
    HAND_SIZES,
    SCORES,
    SCORE_ONES,
    PILE_SIZE,
    CALLERS,
    LAPS,
    LAP_LEFT,
    PLAYS,
    ASKED_OF_ME,
    DEALER,
    TABLE,
    ROUNDS_LEFT,
    TURNS_LEFT,
    PUBLIC_SIZE,
) = starts(PUBLIC)
TWO_KINDS = 2 * N_KINDS
SMALL_SIZE = PUBLIC_SIZE - CALLERS
SWAPS_AND_REST = N_ACTIONS - SWAP

SEAT_NAMES = tuple(f"player_{seat}" for seat in range(MAX_SEATS))
N_PHASES = len(PHASES)
STATE_BLOCKS = (
    Block(
        "hands",
        MAX_SEATS * KINDS_IN_HAND,
        "cards of each seat",
        steps=HAND_SIZES_STEPS,
        counted=CODES,
    ),
    *PUBLIC,
    Block("to_act", MAX_SEATS, "seat that is being asked", labels=SEAT_NAMES),
    Block("phase", N_PHASES, "what it is being asked", labels=PHASES),
    Block("pile", N_CARDS * N_KINDS, "the draw pile, a card a row, next first", labels=CODES),
)
STATE_SIZE = starts(STATE_BLOCKS)[-1]
STATE_PUBLIC = MAX_SEATS * KINDS_IN_HAND
STATE_TO_ACT = STATE_PUBLIC + PUBLIC_SIZE
STATE_PHASE = STATE_TO_ACT + MAX_SEATS
STATE_PILE = STATE_PHASE + N_PHASES


@kernel
def write_observation(game, seat, row):
    """Everything that a seat can know, to a row of OBS_SIZE."""
    write_counts(row, 0, row_of(game.hand, seat), N_KINDS, MOST_IN_HAND)
    write_levels(row, OWN_POINTS, points_of(game, seat, 0), 1, MOST_POINTS, 1, 1)
    write_public(game, seat, row, OWN_SIZE)


@kernel
def write_public(game, seat, row, at):
    """What lies open on the table, seats in order from this one, and what it is asked."""
    top = int(game.discard[game.discard_size - 1]) if game.discard_size > 0 else NO_CARD
    both = one_kind(top) | one_kind(game.lucky) << N_KINDS
    write_bits(row, at + TOP, both, TWO_KINDS)
    write_counts(row, at + DISCARD, row_of(game.discarded, 0), N_KINDS, MOST_COPIES)
    write_counts(row, at + RECYCLED, row_of(game.recycled, 0), N_KINDS, MOST_COPIES)
    write_seats(game, seat, row, at)
    write_levels(row, at + PILE_SIZE, int(game.pile_size), 1, MOST_IN_PILE, 1, 1)
    write_bits(row, at + CALLERS, small_blocks(game, seat), SMALL_SIZE)


@kernel
def write_seats(game, seat, row, at):
    """Known cards, hand sizes and totals, seats in order from this one."""
    n_seats = int(game.n_seats)
    for k in range(MAX_SEATS):
        who = seat + k - (n_seats if seat + k >= n_seats else 0)
        known = row_of(game.known, who if k < n_seats else k)  # an empty seat has no cards
        write_counts(row, at + KNOWN + KINDS_IN_HAND * k, known, N_KINDS, MOST_IN_HAND)
    sizes = bytes_from(bytes_of(game.hand_size, MAX_SEATS), seat, n_seats)
    totals, ones = totals_in_bytes(game)
    write_levels(row, at + HAND_SIZES, sizes, MAX_SEATS, MOST_IN_HAND, 1, 1)
    totals = bytes_from(totals, seat, n_seats)
    write_levels(row, at + SCORES, totals, MAX_SEATS, N_TENS, TEN, TEN)
    ones = bytes_from(ones, seat, n_seats)
    write_levels(row, at + SCORE_ONES, ones, MAX_SEATS, N_ONES, 1, 1)


@kernel
def totals_in_bytes(game):
    """Totals from the lowest on, a byte a seat, and their last digits likewise."""
    totals = ones = 0
    for who in range(MAX_SEATS):
        total = min(max(int(game.score[who]), LOWEST_TOTAL), HIGHEST_TOTAL) + TO_BYTE
        totals |= total << BYTE * who
        ones |= total % TEN << BYTE * who
    return totals, ones  # empty seats are cut off when these are turned


@kernel
def one_kind(kind):
    """The place of a kind in a set, or no place at all for no card."""
    return (2 << int(kind)) >> 1 if kind != NO_CARD else 0


@kernel
def small_blocks(game, seat):
    """The blocks from the callers to the end, packed into one word."""
    word = 0
    for k in range(game.n_callers):
        away = places_from(game, seat, game.callers[k])
        word |= 1 << (MAX_SEATS * away + k)
    word |= lap_blocks(game, seat) << (LAPS - CALLERS)
    if game.phase != OVER and game.to_act == seat:
        word |= 1 << (ASKED_OF_ME - CALLERS + int(game.phase) - ABOUT_LUCKY)
    word |= 1 << (DEALER - CALLERS + places_from(game, seat, game.dealer))
    word |= 1 << (TABLE - CALLERS + int(game.n_seats) - FEWEST_SEATS)
    if game.phase != OVER:
        rounds = game.max_rounds - game.round_no + 1
        word |= first_bits(rounds, MOST_ROUNDS) << (ROUNDS_LEFT - CALLERS)
        word |= turn_steps(game.turn_limit - game.turn_no) << (TURNS_LEFT - CALLERS)
    return word


@kernel
def lap_blocks(game, seat):
    """Which lap runs, who has a turn left in it and whose turn it is, as all can see."""
    lap, extra, plays = int(game.lap), int(game.extra_lap), int(game.to_act)
    if game.phase == OVER:
        lap = 0  # the limit can end a game in the middle of one
    if game.phase == AFTER_PLAY:
        lap, extra = lap_after_skips(game, game.to_act)
        plays = next_seat(game, game.to_act)
    word = 0
    if game.n_callers > 0:
        n_seats = int(game.n_seats)
        turn = places_from(game, left_of(game, game.callers[0]), seat)
        left = (lap | lap << n_seats) >> turn & ((1 << n_seats) - 1)
        word = 1 | extra << 1 | left << (LAP_LEFT - LAPS)
    if game.phase != OVER and plays >= 0:
        word |= 1 << (PLAYS - LAPS + places_from(game, seat, plays))
    return word


@kernel
def turn_steps(n_left):
    """The thermometer of the turns that are left: one place more for each doubling."""
    steps = 0
    for k in range(len(TURN_STEPS)):
        steps |= int(n_left >= 1 << k) << k
    return steps


@kernel
def write_mask(game, seat, row):
    """What a seat may do now, to a row of N_ACTIONS; nothing if it is not being asked."""
    rest = 0
    if game.to_act == seat and game.phase == TAKE_TURN:
        hand = row_of(game.hand, seat)
        write_counts(row, PLAY, hand, N_KINDS, MOST_PLAYED)
        write_counts(row, TAKE, hand, N_KINDS, MOST_PLAYED)
        if not is_opened(game):
            write_bits(row, TAKE, 0, KINDS_IN_HAND)
        rest = int(may_call(game, seat)) | int(game.extra_lap) << 1
        rest <<= CALL - SWAP
    else:
        write_bits(row, PLAY, 0, KINDS_IN_HAND)
        write_bits(row, TAKE, 0, KINDS_IN_HAND)
        if game.to_act == seat and game.phase == AFTER_PLAY:
            rest = 3 << (CALL - SWAP)
        elif game.to_act == seat and game.phase == ABOUT_LUCKY:
            rest = swaps(game, seat) | 2 << (CALL - SWAP)
    write_bits(row, SWAP, rest, SWAPS_AND_REST)


@kernel
def swaps(game, seat):
    """What the dealer can put down for the lucky J."""
    kinds = 1 << BUNGEE
    for kind in range(N_KINDS):
        kinds |= int(game.hand[seat, kind] > 0) << kind
    return kinds


@kernel
def write_state(game, row):
    """The full truth, to a row of STATE_SIZE."""
    for seat in range(MAX_SEATS):
        hand = row_of(game.hand, seat)
        write_counts(row, KINDS_IN_HAND * seat, hand, N_KINDS, MOST_IN_HAND)
    write_public(game, 0, row, STATE_PUBLIC)
    write_bits(row, STATE_TO_ACT, 0 if game.phase == OVER else 1 << int(game.to_act), MAX_SEATS)
    write_bits(row, STATE_PHASE, 1 << int(game.phase), N_PHASES)
    for place in range(N_CARDS):
        kind = NO_CARD
        if place < game.pile_size:
            kind = int(game.pile[game.pile_size - 1 - place])
        write_bits(row, STATE_PILE + N_KINDS * place, one_kind(kind), N_KINDS)
