"""The loops over many games, made for each game of its own rules and observations."""

from pathlib import Path
from types import ModuleType

from cardcore.bits import row_of
from cardcore.jit import kernels_of
from cardcore.spec import ILLEGAL, MOVED, OVER, SCORED, Kernels


def loops_of(rules: ModuleType, observation: ModuleType) -> Kernels:
    """A game's loops, compiled round its kernels and cached with them."""
    kernel = kernels_of(Path(str(rules.__file__)).parent)
    begin_game, begin_seeded_game, begin_play = (
        rules.begin_game,
        rules.begin_seeded_game,
        rules.begin_play,
    )
    is_legal, apply = rules.is_legal, rules.apply
    write_observation, write_mask = observation.write_observation, observation.write_mask
    write_state, obs_size = observation.write_state, observation.OBS_SIZE

    @kernel
    def begin_all(games, seeded):
        """Start a new game in every lane: the next of its stream, or that of the seed it holds."""
        for i in range(games.shape[0]):
            if seeded:
                begin_seeded_game(games[i])
            else:
                begin_game(games[i])

    @kernel
    def begin_play_all(games):
        """Start the play of a first round that was laid out by hand."""
        for i in range(games.shape[0]):
            begin_play(games[i])

    @kernel
    def illegal_all(games, actions, bad):
        """List the lanes whose action is illegal, and count them."""
        n_bad = 0
        for i in range(games.shape[0]):
            if not is_legal(games[i], actions[i]):
                bad[n_bad] = i
                n_bad += 1
        return n_bad

    @kernel
    def step_all(games, actions, seen, mask, seat, rewards, done, totals, seed, final, first, last):
        """Carry out legal actions; a lane whose game ends shows its end and begins the next game.

        All lanes move before any is shown: a record that was just written is slow to read.
        """
        rewards[first:last] = 0
        totals[first:last] = 0
        for i in range(first, last):
            scored = apply(games[i], actions[i])
            done[i] = games[i].phase == OVER
            if scored:
                pay_lane(games[i], i, rewards, totals, final)
        show_lanes(games, seen, mask, seat, seed, first, last)

    @kernel
    def pay_lane(game, i, rewards, totals, final):
        """A round was scored: rewards, and if it was the last one, the end and a new game."""
        n_seats = rewards.shape[1]
        for who in range(n_seats):
            rewards[i, who] = -game.round_score[who]
        if game.phase == OVER:
            for who in range(n_seats):
                totals[i, who] = game.score[who]
                if final.shape[0]:
                    write_observation(
                        game, who, row_of(final.reshape(-1, obs_size), n_seats * i + who)
                    )
            begin_game(game)

    @kernel
    def show_all(games, seen, mask, seat, rewards, done, totals, seed, final, first, last):
        """What step_all shows of the seat to act, when nobody moves."""
        rewards[first:last] = 0
        done[first:last] = False
        totals[first:last] = 0
        show_lanes(games, seen, mask, seat, seed, first, last)

    @kernel
    def show_lanes(games, seen, mask, seat, seed, first, last):
        """What the seat to act sees and may do."""
        for i in range(first, last):
            game = games[i]
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
        """One game, one action, checked: the outcome and who acts next; it never begins anew."""
        game = games[0]
        if not is_legal(game, action):
            return ILLEGAL, game.to_act
        scored = apply(game, action)
        return SCORED if scored else MOVED, game.to_act

    @kernel
    def observe_one(games, seat, seen, mask):
        """What one seat of one game sees and may do."""
        show(games[0], seat, row_of(seen, 0), row_of(mask, 0))

    return Kernels(
        begin_all=begin_all,
        begin_play_all=begin_play_all,
        illegal_all=illegal_all,
        step_all=step_all,
        show_all=show_all,
        observe_all=observe_all,
        state_all=state_all,
        step_one=step_one,
        observe_one=observe_one,
    )
