"""The rules of Allergo, A1 to A18, each as one small function of one record."""

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
    PLAY_PLUS_3,
)
from allergo_env.cards import (
    CAPTAIN,
    COSTS,
    MAUVE,
    N_CODES,
    N_COLOURED,
    N_COLOURS,
    N_KINDS,
    N_NUMBERS,
    OF_COLOUR,
    OF_KIND,
    PLUS_2,
    PLUS_3,
    PLUS_4,
    REVERSE,
    SKIP,
)
from allergo_env.state import (
    AFTER_DRAW,
    ANTICLOCKWISE,
    CHALLENGE,
    CLOCKWISE,
    CLONE,
    LAST_CARD,
    NAME_COLOUR,
    NONE,
    SILENCE,
    TAKE_TURN,
)
from cardcore.course import deal_is_done, open_game, open_round, take_next_seed
from cardcore.deck import recycle
from cardcore.jit import kernel, rare_kernel
from cardcore.rng import shuffle
from cardcore.scoring import NO_LIMIT, add_round, clear_round, rounds_or_target_reached
from cardcore.seats import left_of, right_of
from cardcore.spec import OVER

HAND_SIZE = 7
FINE, POLLEN, ALLERGY, LIE = 2, 3, 4, 6  # cards drawn for +2, +3, +4 and a lie, or a wrong doubt
FOR_SILENCE, FOR_MISTAKE = 2, 1


@kernel
def set_up_round(game):
    """A1. Seven cards each, and the first card of the rest is turned up; clockwise."""
    shuffle_box(game)
    for seat in range(game.n_seats):
        draw_cards(game, seat, HAND_SIZE)
    turn_up_card(game)


@kernel
def matching_cards(game):
    """A2. The cards of the colour or of the kind in force."""
    of_colour = OF_COLOUR[game.colour] if game.colour != NONE else 0
    return of_colour | (OF_KIND[game.kind] if game.kind != NONE else 0)


@rare_kernel
def end_round(game):
    """A3. Each hand costs its cards: numbers their value, symbols 20, mauve cards 50."""
    clear_round(game)
    for seat in range(game.n_seats):
        for card in range(N_CODES):
            game.round_score[seat] += game.hand[seat, card] * COSTS[card]
    add_round(game)
    if game_is_over(game):
        game.phase = OVER
    else:
        begin_round(game, next_dealer(game))


@kernel
def playable_cards(game, seat):
    """A4. What a seat may play: of the cards that fit, but no mauve card as the last one."""
    barred = MAUVE if game.hand_size[seat] == 1 else 0
    return game.held[seat] & fitting_cards(game) & ~barred


@kernel
def answers_to_fine(game):
    """A5. While a fine is pending, only a +2 of any colour or a +3 may be played."""
    return OF_KIND[PLUS_2] | 1 << PLUS_3


@kernel
def reverse(game):
    """A6. The direction is reversed."""
    game.direction = -game.direction


@kernel
def skip_next_seat(game):
    """A7. The next seat misses its turn."""
    end_turn(game, next_of(game, next_of(game, game.active)))


@kernel
def captain_fits(game):
    """A8. The Captain may lie on anything but +2, +3 and +4."""
    return not (lies_plus_2(game) or top_card(game) == PLUS_3 or top_card(game) == PLUS_4)


@rare_kernel
def let_others_draw(game):
    """A9. Every other seat draws three, in turn order; colour, kind and a fine stay in force."""
    seat = next_of(game, game.active)
    while seat != game.active:
        draw_cards(game, seat, POLLEN)
        seat = next_of(game, seat)


@kernel
def accept_plus_4(game, seat):
    """A10. The seat after a +4 draws four and loses its turn."""
    draw_cards(game, seat, ALLERGY)
    skip_next_seat(game)


@kernel
def is_bluff(game, seat):
    """A11. A +4 is a bluff if any other card of the hand could be played."""
    return (playable_cards(game, seat) & ~(1 << PLUS_4)) != 0


@kernel
def follow_start_card(game):
    """A12. What the card turned up at the start means; a +3 is covered by the next card."""
    while top_card(game) == PLUS_3 and game.pile_size > 0:
        turn_up_card(game)
    put_in_force(game, top_card(game), NONE)
    first = left_of(game, game.dealer)
    if game.colour == NONE:
        ask(game, game.dealer, NAME_COLOUR)
    elif game.kind == REVERSE:
        game.direction = ANTICLOCKWISE
        begin_turn(game, game.dealer)
    else:
        game.fine = FINE if game.kind == PLUS_2 else 0
        begin_turn(game, left_of(game, first) if game.kind == SKIP else first)


@rare_kernel
def settle_silence(game, seat, action):
    """A13. A last card must be announced; the first to denounce silence makes it draw two."""
    if action == DENOUNCE:
        draw_cards(game, game.laid_by, FOR_SILENCE)
        open_clone_window(game)
    elif next_of(game, seat) == game.laid_by:
        open_clone_window(game)
    else:
        ask(game, next_of(game, seat), SILENCE)


@kernel
def draw_one(game, seat):
    """A14. Who does not play draws a card, and may play that one if it fits."""
    card = draw_card(game, seat)
    if card != NONE and playable_cards(game, seat) >> card & 1:
        game.drawn = card
        ask(game, seat, AFTER_DRAW)
    else:
        end_turn(game, next_of(game, seat))


@rare_kernel
def pay_for_mistake(game, seat):
    """A15. A wrong card stays in hand; the seat draws one and any fine, and loses its turn."""
    draw_cards(game, seat, FOR_MISTAKE + game.fine)
    game.fine = 0
    end_turn(game, next_of(game, seat))


@rare_kernel
def ask_next_cloner(game, seat):
    """A16. Who holds the card that was just laid may lay it too, its player asked last."""
    while game.hand[seat, top_card(game)] == 0:
        if seat == game.laid_by:
            carry_out_effect(game)
            return
        seat = left_of(game, seat)
    ask(game, seat, CLONE)


@kernel
def game_is_over(game):
    """A17. Over by target or rounds, or once the turns agreed on for the game are used up."""
    is_spent = game.turn_budget != NO_LIMIT and game.turns_in_game >= game.turn_budget
    return is_spent or rounds_or_target_reached(game)


@kernel
def draw_card(game, seat):
    """A18. An empty draw pile is made anew of the discard without its top; gives the card."""
    if game.pile_size == 0 and game.discard_size > 1:
        reshuffle(game)
    if game.pile_size == 0:
        return NONE
    game.pile_size -= 1
    card = int(game.pile[game.pile_size])
    put_in_hand(game, seat, card)
    return card


# The course of a game, between the rules.


@kernel
def begin_game(game):
    """The next game of this lane's stream."""
    take_next_seed(game)
    begin_seeded_game(game)


@rare_kernel
def begin_seeded_game(game):
    """A game from its seed; the first dealer is drawn."""
    dealer = open_game(game)
    game.turns_in_game = 0
    begin_round(game, dealer)


@rare_kernel
def begin_round(game, dealer):
    """The cards are dealt and the start card is followed."""
    open_round(game)
    clear_table(game)
    set_up_round(game)
    deal_is_done(game)
    game.dealer = dealer
    begin_play(game)


@rare_kernel
def begin_play(game):
    """The table is laid: nothing is in force but the start card."""
    game.direction = CLOCKWISE
    game.active = game.laid_by = game.dealer
    game.colour = game.kind = game.drawn = game.plus_4_by = NONE
    game.fine = game.bluff = 0
    follow_start_card(game)


@kernel
def begin_turn(game, seat):
    """A seat's own turn is always asked."""
    game.active = seat
    ask(game, seat, TAKE_TURN)


@kernel
def count_turn(game):
    """For the limit of the round and the budget of the game."""
    game.turn_no += 1
    game.turns_in_game += 1


@kernel
def take_turn(game, seat, action):
    """Play a card, take the fine, or draw."""
    count_turn(game)
    if action != DRAW:
        play_or_pay(game, seat, action)
    elif game.fine > 0:
        draw_cards(game, seat, game.fine)
        game.fine = 0
        end_turn(game, next_of(game, seat))
    else:
        draw_one(game, seat)


@kernel
def settle_drawn(game, seat, action):
    """The drawn card is played in the same turn, or kept; any other card is a wrong one."""
    drawn = game.drawn
    game.drawn = NONE
    if action == PASS:
        end_turn(game, next_of(game, seat))
    elif CARD_PLAYED[action] == drawn:
        play(game, seat, action)
    else:
        pay_for_mistake(game, seat)


@kernel
def play_or_pay(game, seat, action):
    """A card that fits is played, a wrong one is paid for."""
    if playable_cards(game, seat) >> CARD_PLAYED[action] & 1:
        play(game, seat, action)
    else:
        pay_for_mistake(game, seat)


@kernel
def play(game, seat, action):
    """The active seat lays a card, and names a colour with C and +4."""
    card = CARD_PLAYED[action]
    game.bluff = card == PLUS_4 and is_bluff(game, seat)
    if card == PLUS_4:
        game.plus_4_by = seat
    named = (action - PLAY_CAPTAIN) % N_COLOURS if PLAY_CAPTAIN <= action < PLAY_PLUS_3 else NONE
    lay(game, seat, card, named)


@kernel
def lay(game, seat, card, named):
    """A card goes onto the discard; then: is the round over, is it the last card but one?"""
    take_from_hand(game, seat, card)
    put_on_discard(game, card)
    put_in_force(game, card, named)
    game.laid_by = seat
    if game.hand_size[seat] == 0:
        end_round(game)
    elif game.hand_size[seat] == 1 and game.asks_last_card:
        ask(game, seat, LAST_CARD)
    else:
        open_clone_window(game)


@kernel
def open_clone_window(game):
    """After a number card, where cloning is played; else the effect of the card follows."""
    card = top_card(game)
    if game.cloning and card < N_COLOURED and card % N_KINDS < N_NUMBERS:
        ask_next_cloner(game, left_of(game, game.laid_by))
    else:
        carry_out_effect(game)


@rare_kernel
def settle_clone(game, seat, action):
    """A clone is laid like any card; who passes lets the next one be asked."""
    if action != PASS:
        lay(game, seat, CARD_PLAYED[action], NONE)
    elif seat == game.laid_by:
        carry_out_effect(game)
    else:
        ask_next_cloner(game, left_of(game, seat))


@kernel
def carry_out_effect(game):
    """What the card just laid does; then the turn is over."""
    card = top_card(game)
    kind = card % N_KINDS if card < N_COLOURED else NONE
    if card == PLUS_4:
        ask(game, next_of(game, game.active), CHALLENGE)
        return
    if kind == SKIP:
        skip_next_seat(game)
        return
    if kind == PLUS_2:
        game.fine += FINE
    elif kind == REVERSE:
        reverse(game)
    elif card == PLUS_3:
        let_others_draw(game)
    end_turn(game, next_of(game, game.active))


@rare_kernel
def settle_challenge(game, seat, action):
    """The seat after a +4 draws four, or doubts it; then one of the two draws six."""
    if action == DRAW:
        accept_plus_4(game, seat)
        return
    game.seen_by[game.active] |= 1 << int(seat)
    if game.bluff:
        draw_cards(game, game.active, LIE)
        end_turn(game, seat)
    else:
        draw_cards(game, seat, LIE)
        skip_next_seat(game)


@kernel
def end_turn(game, follower):
    """On to the next seat, unless the round has used up its turns."""
    if game.turn_no >= game.turn_limit:
        end_round(game)
    else:
        begin_turn(game, follower)


@kernel
def next_dealer(game):
    """The deal moves one seat to the left."""
    return left_of(game, game.dealer)


@kernel
def is_legal(game, action):
    """Whether the seat that is asked may do this; a wrong card is a mistake that can be made."""
    if action < 0 or action >= N_ACTIONS or game.phase == OVER:
        return False
    if game.phase == TAKE_TURN or game.phase == AFTER_DRAW:
        if action < DRAW:
            return (game.held[game.to_act] >> CARD_PLAYED[action] & 1) != 0
        return action == (DRAW if game.phase == TAKE_TURN else PASS)
    return is_answer(game, action)


@kernel
def is_answer(game, action):
    """Whether this is one of the two answers, or the colours, to what is asked out of turn."""
    if game.phase == NAME_COLOUR:
        return action >= NAME
    if game.phase == CHALLENGE:
        return action in (DRAW, LIAR)
    if game.phase == LAST_CARD:
        return action in (ANNOUNCE, PASS)
    if game.phase == SILENCE:
        return action in (DENOUNCE, PASS)
    return action == PASS or action == top_card(game)


@kernel
def apply(game, action):
    """Carry out a legal action or a mistake; gives whether a round was scored."""
    seat, before, phase = int(game.to_act), game.round_no, game.phase
    if phase == TAKE_TURN:
        take_turn(game, seat, action)
    elif phase == AFTER_DRAW:
        settle_drawn(game, seat, action)
    elif phase == LAST_CARD:
        if action == ANNOUNCE:
            open_clone_window(game)
        else:
            ask(game, next_of(game, seat), SILENCE)
    elif phase == SILENCE:
        settle_silence(game, seat, action)
    elif phase == CLONE:
        settle_clone(game, seat, action)
    elif phase == CHALLENGE:
        settle_challenge(game, seat, action)
    else:
        game.colour = action - NAME
        begin_turn(game, left_of(game, game.dealer))
    return game.round_no != before or game.phase == OVER


# Small things that several rules need.


@kernel
def ask(game, seat, phase):
    """It is up to this seat now."""
    game.to_act = seat
    game.phase = phase


@kernel
def next_of(game, seat):
    """The next seat in the direction of play."""
    return left_of(game, seat) if game.direction == CLOCKWISE else right_of(game, seat)


@kernel
def top_card(game):
    """The card that lies on top of the discard."""
    return int(game.discard[game.discard_size - 1])


@kernel
def lies_plus_2(game):
    """Whether the top card is a +2 of any colour."""
    return (OF_KIND[PLUS_2] >> top_card(game) & 1) != 0


@kernel
def fitting_cards(game):
    """All cards that may lie on what lies there now."""
    if game.fine > 0:
        return answers_to_fine(game)
    cards = matching_cards(game)
    if captain_fits(game):
        cards |= 1 << CAPTAIN
    if top_card(game) != PLUS_4:
        cards |= 1 << PLUS_3
        if not lies_plus_2(game):
            cards |= 1 << PLUS_4
    return cards


@kernel
def put_in_force(game, card, named):
    """The colour and kind that the next card must match; under a +3 they stay."""
    if card < N_COLOURED:
        game.colour, game.kind = card // N_KINDS, card % N_KINDS
    elif card != PLUS_3:
        game.colour, game.kind = named, NONE


@rare_kernel
def draw_cards(game, seat, n):
    """So many cards one by one, as far as there are any."""
    for _ in range(n):
        draw_card(game, seat)


@kernel
def put_in_hand(game, seat, card):
    """A hand gets a card, and whoever saw it knows it no longer."""
    game.hand[seat, card] += 1
    game.held[seat] |= 1 << card
    game.hand_size[seat] += 1
    game.seen_by[seat] = 0


@kernel
def take_from_hand(game, seat, card):
    """A card leaves a hand."""
    game.hand[seat, card] -= 1
    if game.hand[seat, card] == 0:
        game.held[seat] ^= 1 << card
    game.hand_size[seat] -= 1
    game.seen_by[seat] = 0


@kernel
def put_on_discard(game, card):
    """A card goes on top of the discard."""
    game.discard[game.discard_size] = card
    game.discard_size += 1
    game.discarded[card] += 1


@kernel
def turn_up_card(game):
    """The next card of the draw pile goes face up onto the discard."""
    game.pile_size -= 1
    put_on_discard(game, int(game.pile[game.pile_size]))


@rare_kernel
def reshuffle(game):
    """The discard without its top becomes the draw pile."""
    n = int(game.discard_size) - 1
    top = top_card(game)
    recycle(game, game.discard, n, game.pile)
    game.pile_size, game.discard_size = n, 0
    for card in range(N_CODES):
        game.discarded[card] = 0
    put_on_discard(game, top)


@kernel
def shuffle_box(game):
    """All cards of the box into the draw pile, in a random order."""
    n = 0
    for card in range(N_CODES):
        for _ in range(game.copies[card]):
            game.pile[n] = card
            n += 1
    game.n_cards = game.pile_size = n
    shuffle(game, game.pile, n)


@kernel
def clear_table(game):
    """All cards back into the box."""
    for seat in range(game.n_seats):
        for card in range(N_CODES):
            game.hand[seat, card] = 0
        game.held[seat] = game.hand_size[seat] = game.seen_by[seat] = 0
    for card in range(N_CODES):
        game.discarded[card] = 0
    game.discard_size = 0
