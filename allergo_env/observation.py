"""What a seat can see, and the full truth, as 0/1 vectors laid out by tables of blocks.

Who has drawn a card that fits, or holds the twin of a card just laid, may be asked about it. That
tells what it holds, so it stays hidden: all see the next turn as it is if nothing is done.
"""

from allergo_env.actions import (
    ANNOUNCE,
    DENOUNCE,
    DRAW,
    LIAR,
    N_ACTIONS,
    NAME,
    PASS,
    PLAY_CAPTAIN,
    PLAY_PLUS_3,
    PLAY_PLUS_4,
)
from allergo_env.cards import (
    CAPTAIN,
    CODES,
    COLOUR_NAMES,
    KINDS,
    MOST_CARDS,
    MOST_COPIES,
    N_CODES,
    N_COLOURED,
    N_COLOURS,
    N_KINDS,
    PLUS_3,
    PLUS_4,
)
from allergo_env.rules import next_of, playable_cards, top_card
from allergo_env.state import (
    AFTER_DRAW,
    CHALLENGE,
    CLOCKWISE,
    CLONE,
    LAST_CARD,
    MAX_SEATS,
    NAME_COLOUR,
    NONE,
    PHASES,
    SEATS,
    SILENCE,
    TAKE_TURN,
)
from cardcore.bits import (
    bytes_from,
    bytes_of,
    first_bits,
    row_of,
    write_bits,
    write_counts,
    write_levels,
    write_zeros,
)
from cardcore.blocks import Block, starts
from cardcore.jit import kernel
from cardcore.scoring import NO_LIMIT, highest_total
from cardcore.seats import places_from
from cardcore.spec import OVER

MOST_IN_HAND = 24
MOST_REVEALED = 2  # equal cards told apart in a hand that was shown
N_OTHERS = MAX_SEATS - 1
STEP, N_STEPS = 25, 24  # totals are told in steps of 25 up to 600,
REST, N_REST = 5, 4  # and in steps of 5 between them
FAR, N_FAR = 25, 20  # the distance to the target likewise, up to 500
TEN, N_TENS, N_ONES = 10, 12, 9
FINE_STEP, N_FINES = 2, 8
MOST_ROUNDS = 7
DOUBLINGS = tuple(1 << k for k in range(9))
N_DOUBLINGS = len(DOUBLINGS)
FROM_ME = ("me", *(f"{k} to my left" for k in range(1, MAX_SEATS)))
FEWEST_SEATS = SEATS.low
TABLES = tuple(f"{n} seats" for n in range(FEWEST_SEATS, MAX_SEATS + 1))
ASKED = PHASES[NAME_COLOUR:]
COPIES_STEPS = tuple(range(1, MOST_COPIES + 1))
EACH_CARD = N_CODES * MOST_COPIES
EACH_REVEALED = N_CODES * MOST_REVEALED
ALL_REVEALED = N_OTHERS * EACH_REVEALED


def _even(step: int, n: int) -> tuple[int, ...]:
    """The steps of an even thermometer."""
    return tuple(range(step, step * (n + 1), step))


PUBLIC = (
    Block("discard", EACH_CARD, "cards on the discard", steps=COPIES_STEPS, counted=CODES),
    Block(
        "hand_sizes",
        MAX_SEATS * MOST_IN_HAND,
        "cards in each hand, seats in order from mine",
        steps=_even(1, MOST_IN_HAND),
    ),
    Block(
        "scores",
        MAX_SEATS * N_STEPS,
        "totals, seats in order from mine",
        steps=_even(STEP, N_STEPS),
    ),
    Block("score_rest", MAX_SEATS * N_REST, "totals above that", steps=_even(REST, N_REST)),
    Block("pile_tens", N_TENS, "cards in the draw pile, in tens", steps=_even(TEN, N_TENS)),
    Block("pile_ones", N_ONES, "cards in the draw pile above that", steps=_even(1, N_ONES)),
    Block("fine", N_FINES, "cards pending from +2", steps=_even(FINE_STEP, N_FINES)),
    Block(
        "to_target",
        N_FAR,
        "points from the highest total to the target; all 0 if rounds are counted",
        steps=_even(FAR, N_FAR),
    ),
    Block("top", N_CODES, "top card of the discard", labels=CODES),
    Block("colour", N_COLOURS, "colour in force", labels=COLOUR_NAMES),
    Block("kind", N_KINDS, "kind in force", labels=KINDS),
    Block("direction", 1, "how play goes round", labels=("clockwise",)),
    Block("plays", MAX_SEATS, "whose turn it is, seats in order from mine", labels=FROM_ME),
    Block("asked", len(ASKED), "what I am being asked; all 0 if I am not", labels=ASKED),
    Block("silent", MAX_SEATS, "who can be denounced for its silence", labels=FROM_ME),
    Block("plus_4_by", MAX_SEATS, "who laid the last +4 of this round", labels=FROM_ME),
    Block("dealer", MAX_SEATS, "who deals", labels=FROM_ME),
    Block("table", len(TABLES), "seats at the table", labels=TABLES),
    Block("variants", 2, "what is played", labels=("last cards are announced", "cloning")),
    Block(
        "rounds_left",
        MOST_ROUNDS,
        "rounds to play, this one included; all 0 without a limit",
        steps=_even(1, MOST_ROUNDS),
    ),
    Block("turns_left", N_DOUBLINGS, "turns before the limit of the round", steps=DOUBLINGS),
    Block(
        "budget_left",
        N_DOUBLINGS,
        "turns before the game's budget is used up; all 0 without one",
        steps=DOUBLINGS,
    ),
)
BLOCKS = (
    Block("own_hand", EACH_CARD, "cards in my hand", steps=COPIES_STEPS, counted=CODES),
    Block("drawn", N_CODES, "the card that I have just drawn and may play", labels=CODES),
    Block(
        "revealed",
        ALL_REVEALED,
        "hands that I was shown and that are still the same, from my left on",
        steps=(1, 2),
        counted=CODES,
    ),
    *PUBLIC,
)
OBS_SIZE = starts(BLOCKS)[-1]
DRAWN, REVEALED, OWN_SIZE = starts(BLOCKS)[1:4]

# Offsets within the public part, which follows what is one's own and, in the state, all hands.
(
    DISCARD,
    HAND_SIZES,
    SCORES,
    SCORE_REST,
    PILE_TENS,
    PILE_ONES,
    FINE,
    TO_TARGET,
    TOP,
    COLOUR,
    KIND,
    DIRECTION,
    PLAYS,
    ASKED_OF_ME,
    SILENT,
    PLUS_4_BY,
    DEALER,
    TABLE,
    VARIANTS,
    ROUNDS_LEFT,
    TURNS_LEFT,
    BUDGET_LEFT,
    PUBLIC_SIZE,
) = starts(PUBLIC)
SMALL_SIZE = TURNS_LEFT - COLOUR
LIMITS_SIZE = PUBLIC_SIZE - TURNS_LEFT
REST_OF_ACTIONS = N_ACTIONS - N_COLOURED

SEAT_NAMES = tuple(f"player_{seat}" for seat in range(MAX_SEATS))
N_PHASES = len(PHASES)
CARD_DIGITS = 6  # a card number plus one is at most 55
STATE_BLOCKS = (
    Block("hands", MAX_SEATS * EACH_CARD, "each hand", steps=COPIES_STEPS, counted=CODES),
    *PUBLIC,
    Block("to_act", MAX_SEATS, "seat that is being asked", labels=SEAT_NAMES),
    Block("phase", N_PHASES, "what it is being asked", labels=PHASES),
    Block("drawn_card", N_CODES, "the card just drawn that may be played", labels=CODES),
    Block("bluff", 1, "whether the +4 on top should not have been laid", labels=("bluff",)),
    Block("laid_by", MAX_SEATS, "who laid the top card, or turned it up", labels=SEAT_NAMES),
    Block(
        "seen_by",
        MAX_SEATS * MAX_SEATS,
        "who was shown a hand that is still the same, one row a hand",
        labels=SEAT_NAMES,
    ),
    Block(
        "pile",
        MOST_CARDS * CARD_DIGITS,
        "the draw pile, next first: card number plus 1, 0 for no card",
        digits=CARD_DIGITS,
    ),
)
STATE_SIZE = starts(STATE_BLOCKS)[-1]
STATE_PUBLIC = MAX_SEATS * EACH_CARD
STATE_TO_ACT = STATE_PUBLIC + PUBLIC_SIZE
STATE_PHASE = STATE_TO_ACT + MAX_SEATS
STATE_DRAWN = STATE_PHASE + N_PHASES
STATE_BLUFF = STATE_DRAWN + N_CODES
STATE_LAID_BY = STATE_BLUFF + 1
STATE_SEEN_BY = STATE_LAID_BY + MAX_SEATS
STATE_PILE = STATE_SEEN_BY + MAX_SEATS * MAX_SEATS


@kernel
def write_observation(game, seat, row):
    """Everything that a seat can know, to a row of OBS_SIZE."""
    write_counts(row, 0, row_of(game.hand, seat), N_CODES, MOST_COPIES)
    mine = game.phase == AFTER_DRAW and game.to_act == seat
    write_bits(row, DRAWN, one_card(game.drawn) if mine else 0, N_CODES)
    write_revealed(game, seat, row)
    write_public(game, seat, row, OWN_SIZE)


@kernel
def write_revealed(game, seat, row):
    """The hands that this seat was shown, others in order from its left."""
    write_zeros(row, REVEALED, ALL_REVEALED)
    for who in range(game.n_seats):
        if game.seen_by[who] >> seat & 1:
            at = REVEALED + EACH_REVEALED * (places_from(game, seat, who) - 1)
            write_counts(row, at, row_of(game.hand, who), N_CODES, MOST_REVEALED)


@kernel
def write_public(game, seat, row, at):
    """What lies open on the table, seats in order from this one, and what it is asked."""
    write_counts(row, at + DISCARD, row_of(game.discarded, 0), N_CODES, MOST_COPIES)
    write_seats(game, seat, row, at)
    pile = min(int(game.pile_size), TEN * N_TENS + N_ONES)
    write_levels(row, at + PILE_TENS, pile, 1, N_TENS, TEN, TEN)
    write_levels(row, at + PILE_ONES, pile % TEN, 1, N_ONES, 1, 1)
    write_levels(row, at + FINE, min(int(game.fine), MOST_CARDS), 1, N_FINES, FINE_STEP, FINE_STEP)
    write_levels(row, at + TO_TARGET, steps_to_target(game), 1, N_FAR, 1, 1)
    write_bits(row, at + TOP, one_card(top_card(game)), N_CODES)
    write_bits(row, at + COLOUR, small_blocks(game, seat), SMALL_SIZE)
    write_bits(row, at + TURNS_LEFT, limits(game), LIMITS_SIZE)


@kernel
def write_seats(game, seat, row, at):
    """Hand sizes and totals, seats in order from this one."""
    n_seats = int(game.n_seats)
    sizes = bytes_from(bytes_of(game.hand_size, MAX_SEATS), seat, n_seats)
    write_levels(row, at + HAND_SIZES, sizes, MAX_SEATS, MOST_IN_HAND, 1, 1)
    steps = rests = 0
    for who in range(MAX_SEATS):
        total = min(int(game.score[who]), STEP * N_STEPS + STEP - 1)
        steps |= total // STEP << 8 * who
        rests |= total % STEP << 8 * who
    steps, rests = bytes_from(steps, seat, n_seats), bytes_from(rests, seat, n_seats)
    write_levels(row, at + SCORES, steps, MAX_SEATS, N_STEPS, 1, 1)
    write_levels(row, at + SCORE_REST, rests, MAX_SEATS, N_REST, REST, REST)


@kernel
def one_card(card):
    """The place of a card in a set, or no place at all for no card."""
    return (2 << int(card)) >> 1 if card != NONE else 0


@kernel
def steps_to_target(game):
    """How far the game is from its end by points, in whole steps; 0 if it is not played so."""
    if game.max_rounds != NO_LIMIT:
        return 0
    return min(max(0, int(game.target) - int(highest_total(game))) // FAR, N_FAR)


@kernel
def small_blocks(game, seat):
    """The blocks from the colour to the rounds left, packed into one word."""
    word = int(game.direction == CLOCKWISE) << (DIRECTION - COLOUR)
    if game.colour != NONE:
        word |= 1 << int(game.colour)
    if game.kind != NONE:
        word |= 1 << (KIND - COLOUR + int(game.kind))
    if game.phase != OVER:
        word |= 1 << (PLAYS - COLOUR + places_from(game, seat, plays_next(game)))
        if game.to_act == seat:
            word |= 1 << (ASKED_OF_ME - COLOUR + int(game.phase) - NAME_COLOUR)
    if game.phase == SILENCE:
        word |= 1 << (SILENT - COLOUR + places_from(game, seat, game.laid_by))
    if game.plus_4_by != NONE:
        word |= 1 << (PLUS_4_BY - COLOUR + places_from(game, seat, game.plus_4_by))
    word |= 1 << (DEALER - COLOUR + places_from(game, seat, game.dealer))
    word |= 1 << (TABLE - COLOUR + int(game.n_seats) - FEWEST_SEATS)
    variants = int(game.asks_last_card) | int(game.cloning) << 1
    return word | variants << (VARIANTS - COLOUR) | rounds_left(game) << (ROUNDS_LEFT - COLOUR)


@kernel
def plays_next(game):
    """Whose turn it is as far as all can see: a drawn card or a twin may not be told of."""
    if game.phase == AFTER_DRAW or game.phase == CLONE:
        return next_of(game, game.active)
    return game.active


@kernel
def rounds_left(game):
    """The thermometer of the rounds to play, empty without a limit."""
    if game.max_rounds == NO_LIMIT or game.phase == OVER:
        return 0
    return first_bits(game.max_rounds - game.round_no + 1, MOST_ROUNDS)


@kernel
def limits(game):
    """The thermometers of the turns that are left in the round and in the game."""
    if game.phase == OVER:
        return 0
    word = doublings(game.turn_limit - game.turn_no)
    if game.turn_budget != NO_LIMIT:
        word |= doublings(game.turn_budget - game.turns_in_game) << N_DOUBLINGS
    return word


@kernel
def doublings(n):
    """One place more for each doubling from 1 on."""
    steps = 0
    for k in range(N_DOUBLINGS):
        steps |= int(n >= 1 << k) << k
    return steps


@kernel
def write_mask(game, seat, row):
    """What a seat may do now, to a row of N_ACTIONS; nothing if it is not being asked."""
    cards, rest = 0, 0
    if game.to_act == seat and game.phase != OVER:
        cards, rest = cards_to_play(game, seat), other_answers(game)
    write_bits(row, 0, cards & ((1 << N_COLOURED) - 1), N_COLOURED)
    captain = (cards >> CAPTAIN & 1) * ((1 << N_COLOURS) - 1)
    plus_4 = (cards >> PLUS_4 & 1) * ((1 << N_COLOURS) - 1)
    plus_3 = cards >> PLUS_3 & 1
    rest |= (
        captain | plus_4 << (PLAY_PLUS_4 - PLAY_CAPTAIN) | plus_3 << (PLAY_PLUS_3 - PLAY_CAPTAIN)
    )
    write_bits(row, N_COLOURED, rest, REST_OF_ACTIONS)


@kernel
def cards_to_play(game, seat):
    """The cards that the seat that is asked may lay now, as a set."""
    if game.phase == TAKE_TURN:
        return int(playable_cards(game, seat))
    if game.phase == AFTER_DRAW:
        return one_card(game.drawn)
    return one_card(top_card(game)) if game.phase == CLONE else 0


@kernel
def other_answers(game):
    """What else the seat that is asked may do, counted from the first action of a mauve card."""
    if game.phase == TAKE_TURN:
        return 1 << (DRAW - N_COLOURED)
    if game.phase == NAME_COLOUR:
        return ((1 << N_COLOURS) - 1) << (NAME - N_COLOURED)
    if game.phase == CHALLENGE:
        return 1 << (DRAW - N_COLOURED) | 1 << (LIAR - N_COLOURED)
    answer = 1 << (PASS - N_COLOURED)
    if game.phase == LAST_CARD:
        answer |= 1 << (ANNOUNCE - N_COLOURED)
    if game.phase == SILENCE:
        answer |= 1 << (DENOUNCE - N_COLOURED)
    return answer


@kernel
def write_state(game, row):
    """The full truth, to a row of STATE_SIZE."""
    for seat in range(MAX_SEATS):
        write_counts(row, EACH_CARD * seat, row_of(game.hand, seat), N_CODES, MOST_COPIES)
    write_public(game, 0, row, STATE_PUBLIC)
    write_bits(row, STATE_TO_ACT, 0 if game.phase == OVER else 1 << int(game.to_act), MAX_SEATS)
    write_bits(row, STATE_PHASE, 1 << int(game.phase), N_PHASES)
    write_bits(row, STATE_DRAWN, one_card(game.drawn), N_CODES)
    write_bits(row, STATE_BLUFF, int(game.bluff), 1)
    write_bits(row, STATE_LAID_BY, 1 << int(game.laid_by), MAX_SEATS)
    for seat in range(MAX_SEATS):
        write_bits(row, STATE_SEEN_BY + MAX_SEATS * seat, int(game.seen_by[seat]), MAX_SEATS)
    for place in range(MOST_CARDS):
        number = 0
        if place < game.pile_size:
            number = int(game.pile[game.pile_size - 1 - place]) + 1
        write_bits(row, STATE_PILE + CARD_DIGITS * place, number, CARD_DIGITS)
