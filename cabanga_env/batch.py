"""Loops over many games; here, not in the core, so that the compiler's cache knows them by name."""

from cabanga_env.observation import OBS_SIZE, write_mask, write_observation, write_state
from cabanga_env.rules import apply, begin_game, begin_seeded_game, is_legal
from cardcore.bits import row_of
from cardcore.jit import kernel
from cardcore.spec import ILLEGAL, MOVED, OVER, SCORED


@kernel
def begin_all(games, seeded):
    """Start a new game in every lane: the next of its stream, or that of the seed it holds."""
    for i in range(games.shape[0]):
        if seeded:
            begin_seeded_game(games[i])
        else:
            begin_game(games[i])


@kernel
def illegal_all(games, actions, bad, first, last):
    """List the lanes whose action is illegal from bad[first] on, and count them."""
    n_bad = 0
    for i in range(first, last):
        if not is_legal(games[i], actions[i]):
            bad[first + n_bad] = i
            n_bad += 1
    return n_bad


@kernel
def step_all(games, actions, seen, mask, seat, rewards, done, totals, seed, final, first, last):
    """Carry out legal actions; a lane whose game ends shows its end and begins the next game."""
    n_seats = rewards.shape[1]
    final_rows = final.reshape(-1, OBS_SIZE)
    for i in range(first, last):
        game = games[i]
        apply(game, actions[i])
        ended = game.phase == OVER
        done[i] = ended
        for who in range(n_seats):
            rewards[i, who] = -game.round_score[who]
            totals[i, who] = game.score[who] if ended else 0
            if ended and final.shape[0]:
                write_observation(game, who, row_of(final_rows, n_seats * i + who))
        if ended:
            begin_game(game)
        seat[i], seed[i] = game.to_act, game.game_seed
        show(game, game.to_act, row_of(seen, i), row_of(mask, i))


@kernel
def show_all(games, seen, mask, seat, rewards, done, totals, seed, final, first, last):
    """What step_all shows of the seat to act, when nobody moves."""
    for i in range(first, last):
        game = games[i]
        done[i] = False
        for who in range(rewards.shape[1]):
            rewards[i, who] = totals[i, who] = 0
        seat[i], seed[i] = game.to_act, game.game_seed
        show(game, game.to_act, row_of(seen, i), row_of(mask, i))


@kernel
def show(game, seat, seen, mask):
    """What one seat sees and may do."""
    write_observation(game, seat, seen)
    write_mask(game, seat, mask)


@kernel
def observe_all(games, seats, seen, mask):
    """What one seat of each lane sees and may do."""
    for i in range(games.shape[0]):
        show(games[i], seats[i], row_of(seen, i), row_of(mask, i))


@kernel
def state_all(games, state):
    """The full truth of each lane."""
    for i in range(games.shape[0]):
        write_state(games[i], row_of(state, i))


@kernel
def step_one(games, action):
    """One game, one action, checked; gives the outcome and who acts next, and never begins anew."""
    game = games[0]
    if not is_legal(game, action):
        return ILLEGAL, game.to_act
    before = game.round_no
    apply(game, action)
    scored = game.round_no != before or game.phase == OVER
    return SCORED if scored else MOVED, game.to_act


@kernel
def observe_one(games, seat, seen, mask):
    """What one seat of one game sees and may do."""
    show(games[0], seat, row_of(seen, 0), row_of(mask, 0))
