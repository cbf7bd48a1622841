"""The rules of Cabanga, C1 to C11, each as one small function of one record."""

from cabanga_env.actions import (
    COLOUR_OF_ACTION,
    N_ACTIONS,
    N_SIDES,
    PASS,
    PASSING,
    PLAY,
    THROW,
    VALUE_OF_ACTION,
)
from cabanga_env.cards import N_CARDS, N_COLOURS, N_VALUES, START_CARDS
from cabanga_env.state import NO_GAP, NONE, PLAY_CARD, THROW_CARDS
from cardcore.course import deal_is_done, open_game, open_round, take_next_seed
from cardcore.deck import fill_in_order, recycle
from cardcore.jit import kernel
from cardcore.rng import shuffle
from cardcore.scoring import add_round, clear_round, rounds_or_target_reached
from cardcore.seats import left_of
from cardcore.spec import OVER

HAND_SIZE = 8


@kernel
def set_up_round(game):
    """C1. A random start card on either side of each row, eight cards each, the rest to draw."""
    shuffle_start_cards(game)
    fill_in_order(game.pile, N_CARDS)
    shuffle(game, game.pile, N_CARDS)
    game.n_cards = N_CARDS
    game.pile_size = N_CARDS - HAND_SIZE * game.n_seats
    for seat in range(game.n_seats):
        game.hand_size[seat] = HAND_SIZE
        for k in range(HAND_SIZE):
            put_in_hand(game, seat, game.pile[N_CARDS - 1 - HAND_SIZE * seat - k])


@kernel
def lay_card(game, seat, colour, value, side):
    """C2. One card from the hand onto either pile of its own colour's row, any value on any."""
    take_from_hand(game, seat, colour, value)
    game.top[colour, side] = value
    game.laid[side, colour] |= bit(value)
    game.turn_no += 1


@kernel
def pay_for_colour(game, seat, colour):
    """C3. Whoever repeats the colour of the turn before draws a penalty card, before any throw."""
    if colour == game.last_colour:
        draw_penalty(game, seat)


@kernel
def inside_gap(low, high):
    """C4. What lies strictly between the two tops of the row, as a set of values."""
    above_low, below_high = -(bit(low) << 1), bit(high) - 1
    return above_low & below_high


@kernel
def throw_card(game, seat, value):
    """C5. The thrown card goes to the discard, and the player draws a penalty card at once."""
    colour = game.last_colour
    take_from_hand(game, seat, colour, value)
    game.discard[game.discard_size] = colour * N_VALUES + value - 1
    game.discard_size += 1
    game.discarded[colour] |= bit(value)
    draw_penalty(game, game.active)


@kernel
def draw_penalty(game, seat):
    """C6. An empty penalty pile is made anew of the discard; the rows are never recycled."""
    if game.pile_size == 0 and game.discard_size > 0:
        reshuffle(game)
    if game.pile_size > 0:
        take_next_card(game, seat)


@kernel
def ask_next_thrower(game, seat):
    """C7. Clockwise from the player's left, each seat is asked while it holds a card that fits."""
    while seat != game.active:
        if fitting_cards(game, seat):
            game.phase, game.to_act = THROW_CARDS, seat
            return
        seat = left_of(game, seat)
    end_turn(game)


@kernel
def round_is_over(game):
    """C8. The round ends when, after the throws, any hand is empty."""
    for seat in range(game.n_seats):
        if game.hand_size[seat] == 0:
            return True
    return False


@kernel
def score_round(game):
    """C9. Each card left in a hand costs the points printed on it."""
    clear_round(game)
    for seat in range(game.n_seats):
        for colour in range(N_COLOURS):
            held = int(game.hand[seat, colour])
            for value in range(1, N_VALUES + 1):
                game.round_score[seat] += game.points[value - 1] * ((held & bit(value)) != 0)
    add_round(game)


@kernel
def next_starter(game):
    """C10. The seat left of the one who took the last turn starts the next round."""
    return left_of(game, game.active)


@kernel
def game_is_over(game):
    """C11. The game ends after the round in which a total reaches the target, or after `rounds`."""
    return rounds_or_target_reached(game)


# The course of a game, between the rules.


@kernel
def begin_game(game):
    """The next game of this lane's stream."""
    take_next_seed(game)
    begin_seeded_game(game)


@kernel
def begin_seeded_game(game):
    """A game from its seed; the first starter is drawn."""
    begin_round(game, open_game(game))


@kernel
def begin_round(game, starter):
    """The cards are dealt, and the starter has the first turn."""
    open_round(game)
    clear_table(game)
    set_up_round(game)
    deal_is_done(game)
    game.active = starter
    begin_play(game)


@kernel
def begin_play(game):
    """The table is laid: it is the starter's turn."""
    begin_turn(game, game.active)


@kernel
def begin_turn(game, seat):
    """A seat's own turn is always asked."""
    game.active = game.to_act = seat
    game.phase = PLAY_CARD


@kernel
def end_turn(game):
    """On to the next seat, the next round or the end."""
    if not round_is_over(game):
        begin_turn(game, left_of(game, game.active))
        return
    score_round(game)
    if game_is_over(game):
        game.phase = OVER
    else:
        begin_round(game, next_starter(game))


@kernel
def play(game, seat, card, side):
    """A whole turn up to the throws: lay, pay, open the window."""
    colour, value = card // N_VALUES, card % N_VALUES + 1
    lay_card(game, seat, colour, value, side)
    pay_for_colour(game, seat, colour)
    other = game.top[colour, 1 - side]
    game.last_colour = colour
    game.gap_low, game.gap_high = min(value, other), max(value, other)
    offer_gap(game)
    ask_next_thrower(game, left_of(game, seat))


@kernel
def is_legal(game, action):
    """Whether the seat that is asked may do this."""
    if game.phase == OVER or action < 0 or action >= N_ACTIONS:
        return False
    playing = game.phase == PLAY_CARD
    colour = COLOUR_OF_ACTION[action] if playing else game.last_colour
    held = int(game.hand[game.to_act, colour])
    fitting = held & inside_gap(game.gap_low, game.gap_high) | bit(PASSING)
    allowed = (held if playing else fitting) & bit(VALUE_OF_ACTION[action])
    return (playing == (action < THROW)) & (allowed != 0)


@kernel
def apply(game, action):
    """Carry out a legal action; gives whether a round was scored, into `round_score`."""
    seat, before = int(game.to_act), game.round_no
    if action < THROW:
        play(game, seat, (action - PLAY) // N_SIDES, (action - PLAY) % N_SIDES)
    elif action < PASS:
        throw_card(game, seat, action - THROW + 1)
        ask_next_thrower(game, seat)
    else:
        ask_next_thrower(game, left_of(game, seat))
    return game.round_no != before or game.phase == OVER


# Small things that several rules need.


@kernel
def bit(value):
    """The place of a value in a set."""
    return 1 << (int(value) - 1)


@kernel
def fitting_cards(game, seat):
    """The cards of a hand that fit the gap, as a set of values."""
    held = int(game.hand[seat, game.last_colour])
    return held & inside_gap(game.gap_low, game.gap_high)


@kernel
def offer_gap(game):
    """All see that the others could throw what fits: whoever does not, hardly holds it."""
    gap = inside_gap(game.gap_low, game.gap_high)
    active, colour = int(game.active), int(game.last_colour)
    for seat in range(game.n_seats):  # all are written, as who is active is hard to foresee
        game.offered[seat, colour] |= gap if seat != active else 0


@kernel
def reshuffle(game):
    """The discard becomes the penalty pile; what was offered may be anywhere again."""
    recycle(game, game.discard, game.discard_size, game.pile)
    game.pile_size, game.discard_size = game.discard_size, 0
    for colour in range(N_COLOURS):
        game.recycled[colour] = game.discarded[colour]
        game.discarded[colour] = 0
        for seat in range(game.n_seats):
            game.offered[seat, colour] = 0


@kernel
def take_from_hand(game, seat, colour, value):
    """A card leaves a hand."""
    game.hand[seat, colour] ^= bit(value)
    game.hand_size[seat] -= 1


@kernel
def take_next_card(game, seat):
    """The next card of the pile goes into a hand."""
    game.pile_size -= 1
    game.hand_size[seat] += 1
    put_in_hand(game, seat, game.pile[game.pile_size])


@kernel
def put_in_hand(game, seat, card):
    """A card joins those of its colour."""
    game.hand[seat, card // N_VALUES] |= bit(card % N_VALUES + 1)


@kernel
def shuffle_start_cards(game):
    """The eight start cards in a random order, row by row."""
    tops = game.top.reshape(2 * N_COLOURS)
    for place in range(2 * N_COLOURS):
        tops[place] = START_CARDS[place]
    shuffle(game, tops, 2 * N_COLOURS)


@kernel
def clear_table(game):
    """All cards back into the box."""
    for colour in range(N_COLOURS):
        game.discarded[colour] = game.recycled[colour] = 0
        for side in range(2):
            game.laid[side, colour] = 0
        for seat in range(game.n_seats):
            game.hand[seat, colour] = game.offered[seat, colour] = 0
    game.discard_size = 0
    game.gap_low = game.gap_high = NO_GAP
    game.last_colour = NONE
