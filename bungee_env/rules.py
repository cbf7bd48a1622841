"""The rules of Bungee, B1 to B15, each as one small function of one record."""

from bungee_env.actions import CALL, MOST_PLAYED, PASS, PLAY, SWAP, TAKE
from bungee_env.cards import BUNGEE, BUNGEE_POINTS, DECK, N_CARDS, N_KINDS, SIX
from bungee_env.state import ABOUT_LUCKY, AFTER_PLAY, NO_CARD, TAKE_TURN
from cardcore.bits import lowest_bit
from cardcore.course import deal_is_done, open_game, open_round, take_next_seed
from cardcore.deck import lay_out, recycle
from cardcore.jit import kernel
from cardcore.rng import shuffle
from cardcore.scoring import add_round, clear_round
from cardcore.seats import left_of, places_from, right_of, to_the_left
from cardcore.spec import OVER

HAND_SIZE = 5
MOST_TO_CALL = 5  # points
WINNER_SCORE = -10
NOBODY = -1


@kernel
def set_up_round(game):
    """B1. Five cards each; the next is the lucky card, whose kind counts 0; the rest to draw."""
    lay_out(game.pile, DECK)
    shuffle(game, game.pile, N_CARDS)
    game.n_cards = game.pile_size = N_CARDS
    for seat in range(game.n_seats):
        for _ in range(HAND_SIZE):
            put_in_hand(game, seat, next_card(game))
    game.lucky = next_card(game)


@kernel
def settle_lucky(game, dealer, action):
    """B2. The dealer takes the lucky J, puts a card down and turns up the next; or leaves it."""
    if action == PASS:
        begin_turn(game, left_of(game, dealer))
        return
    take_openly(game, dealer, BUNGEE)
    put_down(game, dealer, action - SWAP, 1)
    game.lucky = next_card(game)
    begin_play(game)


@kernel
def play_cards(game, seat, kind, n, takes):
    """B3. Play cards of one kind and draw one; or take the discard first, and draw nothing."""
    taken = take_top(game) if takes else NO_CARD
    put_down(game, seat, kind, n)
    drawn = NO_CARD if takes else next_card(game)
    if takes:
        take_openly(game, seat, taken)
    elif drawn != NO_CARD:
        put_in_hand(game, seat, drawn)


@kernel
def is_opened(game):
    """B4. As long as nothing lies on the discard, a turn must be to play and draw."""
    return game.discard_size > 0


@kernel
def points_of(game, seat, bungee):
    """B5. The sum of a hand, lucky cards 0; a J counts 0 for a call and for the win, else 10."""
    points = bungee * int(game.hand[seat, BUNGEE])
    for kind in range(BUNGEE):
        points += (kind + 1) * int(game.hand[seat, kind])
    if game.lucky == BUNGEE:
        points -= bungee * int(game.hand[seat, BUNGEE])
    elif game.lucky != NO_CARD:
        points -= (game.lucky + 1) * int(game.hand[seat, game.lucky])
    return points


@kernel
def seat_after_skips(game, seat):
    """B6. Each six skips a seat, so that enough of them skip even the one who played them."""
    return to_the_left(game, seat, 1 + int(game.n_sixes))


@kernel
def call(game, seat):
    """B7. The first call opens the last lap: every other seat has one turn left."""
    if game.n_callers == 0:
        game.lap = all_others(game)
    game.callers[game.n_callers] = seat
    game.n_callers += 1


@kernel
def may_call_after_play(game, seat):
    """B8. In a lap a seat may also call right after its play, if that leaves it with 5 or fewer."""
    return game.n_callers > 0 and points_of(game, seat, 0) <= MOST_TO_CALL


@kernel
def lap_after_skips(game, seat):
    """B9. Sixes that skip the first caller begin an extra lap, and skip on in that one."""
    n_passed = places_from(game, game.callers[0], seat) + int(game.n_sixes)
    if n_passed < game.n_seats:
        return int(game.lap) & -(1 << n_passed), int(game.extra_lap)
    n_passed -= int(game.n_seats)
    return all_others(game) & -(1 << n_passed), 1


@kernel
def winner(game):
    """B10. The caller with the fewest points; of equal ones the later."""
    best = game.callers[0]
    for k in range(1, game.n_callers):
        if points_of(game, game.callers[k], 0) <= points_of(game, best, 0):
            best = game.callers[k]
    return best


@kernel
def score_round(game, won_by):
    """B11. The winner scores -10, everyone else, caller or not, the hand with 10 for a J."""
    clear_round(game)
    for seat in range(game.n_seats):
        hand = points_of(game, seat, BUNGEE_POINTS)
        game.round_score[seat] = WINNER_SCORE if seat == won_by else hand
    add_round(game)


@kernel
def game_is_over(game):
    """B12. The game ends after its number of rounds."""
    return game.round_no >= game.max_rounds


@kernel
def next_card(game):
    """B13. The next card of the pile, which is made anew of the discard without its top."""
    if game.pile_size == 0 and game.discard_size > 1:
        reshuffle(game)
    if game.pile_size == 0:
        return NO_CARD
    game.pile_size -= 1
    return int(game.pile[game.pile_size])


@kernel
def next_starter(game):
    """B14. The starter moves one seat left; the dealer sits on its right."""
    return left_of(game, left_of(game, game.dealer))


@kernel
def limit_is_reached(game):
    """B15. A round that reaches its limit of turns is scored as it stands, and nobody wins."""
    return game.turn_no >= game.turn_limit


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
    """The cards are dealt and the first seat is asked."""
    open_round(game)
    clear_table(game)
    set_up_round(game)
    deal_is_done(game)
    game.dealer = right_of(game, starter)
    begin_play(game)


@kernel
def begin_play(game):
    """A lucky J is for the dealer to decide about; else it is the starter's turn."""
    if game.lucky == BUNGEE:
        game.phase, game.to_act = ABOUT_LUCKY, game.dealer
    else:
        begin_turn(game, left_of(game, game.dealer))


@kernel
def begin_turn(game, seat):
    """A seat's own turn is always asked."""
    game.phase, game.to_act = TAKE_TURN, seat


@kernel
def take_turn(game, seat, action):
    """A whole turn up to the call after a play."""
    game.turn_no += 1
    game.lap &= game.lap - 1  # who has a turn is the first that has one left
    if action == CALL:
        call(game, seat)
    elif action != PASS:
        kind, more = (action - PLAY) % TAKE // MOST_PLAYED, action % MOST_PLAYED
        play_cards(game, seat, kind, more + 1, action >= TAKE)
        withdraw_call(game, seat)
        game.n_sixes = more + 1 if kind == SIX else 0
        if may_call_after_play(game, seat):
            game.phase = AFTER_PLAY
            return
    end_turn(game, seat)


@kernel
def end_turn(game, seat):
    """The skips are worked out; on to the next seat, the next round or the end."""
    follower = next_seat(game, seat)
    if game.n_callers > 0:
        game.lap, game.extra_lap = lap_after_skips(game, seat)
    game.n_sixes = 0
    if follower == NOBODY:
        end_round(game, winner(game))
    elif limit_is_reached(game):
        end_round(game, NOBODY)
    else:
        begin_turn(game, follower)


@kernel
def next_seat(game, seat):
    """Who has the next turn if this seat is done, or NOBODY when the lap is over."""
    if game.n_callers == 0:
        return seat_after_skips(game, seat)
    lap, _ = lap_after_skips(game, seat)
    return to_the_left(game, game.callers[0], 1 + lowest_bit(lap)) if lap else NOBODY


@kernel
def end_round(game, won_by):
    """Score, then the next round or the end."""
    score_round(game, won_by)
    if game_is_over(game):
        game.phase = OVER
    else:
        begin_round(game, next_starter(game))


@kernel
def is_legal(game, action):
    """Whether the seat that is asked may do this."""
    seat = game.to_act
    if action < PLAY or action > PASS or game.phase == OVER:
        return False
    if game.phase == AFTER_PLAY:
        return action >= CALL
    if game.phase == ABOUT_LUCKY:
        swaps = SWAP <= action < CALL
        return action == PASS or (swaps and may_swap(game, seat, action - SWAP))
    if action < SWAP:
        holds = game.hand[seat, action % TAKE // MOST_PLAYED] > action % MOST_PLAYED
        return holds and (action < TAKE or is_opened(game))
    return (action == CALL and may_call(game, seat)) or (action == PASS and game.extra_lap == 1)


@kernel
def apply(game, action):
    """Carry out a legal action; gives whether a round was scored, into `round_score`."""
    seat, before = int(game.to_act), game.round_no
    if game.phase == TAKE_TURN:
        take_turn(game, seat, action)
    elif game.phase == ABOUT_LUCKY:
        settle_lucky(game, seat, action)
    else:
        if action == CALL:
            call(game, seat)
        end_turn(game, seat)
    return game.round_no != before or game.phase == OVER


# Small things that several rules need.


@kernel
def may_swap(game, dealer, kind):
    """Whether the dealer can put this down once the lucky J is in hand."""
    return kind == BUNGEE or game.hand[dealer, kind] > 0


@kernel
def may_call(game, seat):
    """At the start of a turn: with few points, unless its call stands already."""
    low = points_of(game, seat, 0) <= MOST_TO_CALL
    return is_opened(game) and low and not has_called(game, seat)


@kernel
def has_called(game, seat):
    """Whether the call of a seat stands."""
    for k in range(game.n_callers):
        if game.callers[k] == seat:
            return True
    return False


@kernel
def withdraw_call(game, seat):
    """A seat that plays after its call has not called (B9)."""
    n_kept = 0
    for k in range(game.n_callers):
        if game.callers[k] != seat:
            game.callers[n_kept] = game.callers[k]
            n_kept += 1
    game.n_callers = n_kept


@kernel
def all_others(game):
    """All places but the first caller's, as a set counted from its left."""
    return (1 << (int(game.n_seats) - 1)) - 1


@kernel
def put_in_hand(game, seat, kind):
    """A card that nobody else sees goes into a hand."""
    game.hand[seat, kind] += 1
    game.hand_size[seat] += 1


@kernel
def take_openly(game, seat, kind):
    """A card that everybody sees goes into a hand."""
    put_in_hand(game, seat, kind)
    game.known[seat, kind] += 1


@kernel
def take_top(game):
    """The top card leaves the discard."""
    game.discard_size -= 1
    kind = int(game.discard[game.discard_size])
    game.discarded[kind] -= 1
    return kind


@kernel
def put_down(game, seat, kind, n):
    """Cards of a kind go from a hand onto the discard; of those known, the rest is still there."""
    for _ in range(n):
        game.discard[game.discard_size] = kind
        game.discard_size += 1
    game.discarded[kind] += n
    game.hand[seat, kind] -= n
    game.hand_size[seat] -= n
    game.known[seat, kind] = max(0, game.known[seat, kind] - n)


@kernel
def reshuffle(game):
    """The discard without its top becomes the draw pile."""
    n = int(game.discard_size) - 1
    top = int(game.discard[n])
    recycle(game, game.discard, n, game.pile)
    game.pile_size, game.discard_size = n, 1
    game.discard[0] = top
    for kind in range(N_KINDS):
        on_top = 1 if kind == top else 0
        game.recycled[kind] = game.discarded[kind] - on_top
        game.discarded[kind] = on_top


@kernel
def clear_table(game):
    """All cards back into the box, all calls forgotten."""
    for kind in range(N_KINDS):
        game.discarded[kind] = game.recycled[kind] = 0
        for seat in range(game.n_seats):
            game.hand[seat, kind] = game.known[seat, kind] = 0
    for seat in range(game.n_seats):
        game.hand_size[seat] = 0
    game.discard_size = game.n_callers = game.n_sixes = 0
    game.lap = game.extra_lap = 0
