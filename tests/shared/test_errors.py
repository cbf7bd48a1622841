"""Whatever is done wrong is said clearly and changes nothing."""

import random
import warnings

import numpy as np
import pytest

from tests.games import GAMES, all_seen, each_game, is_over, legal, play_on


@pytest.fixture
def env(game):
    """A game under way."""
    env = game.env(**game.short)
    env.reset(seed=12)
    play_on(env, random.Random(12), 5)
    return env


def _refuses(env, error, match, call):
    before = all_seen(env)
    with pytest.raises(error, match=match):
        call()
    assert all_seen(env) == before


@each_game
def test_an_illegal_action_is_named_with_seat_and_reason(game, env):
    for _ in range(30):
        allowed = set(legal(env))
        for action in range(game.spec.n_actions):
            if action not in allowed | game.mistakes(env):
                before = env.save()
                with pytest.raises(ValueError, match="may not") as error:
                    env.step(action)
                assert env.save() == before
                who, _, why = str(error.value).partition(": ")
                assert env.agent_selection in who
                assert f"'{env.action_name(action)}' ({action})" in who
                assert len(why) > 10
        env.step(random.Random(1).choice(sorted(allowed)))
        if is_over(env):
            break


@each_game
@pytest.mark.parametrize("action", [-1, -(2**63), 2**62, 100_000, np.int64(-1)])
def test_an_action_out_of_range_is_refused(env, action):
    _refuses(env, ValueError, f"{action} is no action", lambda: env.step(action))


@each_game
@pytest.mark.parametrize("action", [2**63, -(2**63) - 1, 2**70])
def test_a_number_beyond_64_bits_is_refused(env, action):
    _refuses(env, ValueError, f"{action} is no action", lambda: env.step(action))


@each_game
@pytest.mark.parametrize(
    "action", [True, False, 1.0, np.float64(1), np.bool_(True), "1", "pass", [1], (), {}]
)
def test_an_action_that_is_no_whole_number_is_refused(env, action):
    _refuses(env, TypeError, "whole number", lambda: env.step(action))


@each_game
def test_none_is_no_action_for_a_living_agent(env):
    _refuses(env, ValueError, "None", lambda: env.step(None))


@each_game
@pytest.mark.parametrize("kind", [np.int64, np.int8, np.uint8, np.array])
def test_numpy_numbers_are_actions(env, kind):
    action = legal(env)[0]
    if action < 128:
        twin = env.clone()
        env.step(kind(action))
        twin.step(action)
        assert all_seen(env) == all_seen(twin)


@each_game
def test_the_dead_can_only_leave(env):
    play_on(env, random.Random(1))
    while env.agents:
        agent = env.agent_selection
        _refuses(env, ValueError, agent, lambda: env.step(0))
        env.step(None)
    for call in (lambda: env.step(None), lambda: env.step(0), env.last):
        _refuses(env, RuntimeError, "reset", call)


@each_game
def test_nothing_works_before_reset(game):
    env = game.env()
    calls = {
        "step": lambda: env.step(0),
        "last": env.last,
        "observe": lambda: env.observe("player_0"),
        "describe": lambda: env.describe("player_0"),
        "state": env.state,
        "snapshot": env.snapshot,
        "save": env.save,
        "game_seed": lambda: env.game_seed,
    }
    for name, call in calls.items():
        with pytest.raises(RuntimeError, match="reset"):
            call()
        assert not hasattr(env, "agents"), name
    with pytest.raises(AttributeError, match="reset"):
        _ = env.rewards
    with pytest.raises(AttributeError, match="colour_of_the_sky"):
        _ = env.colour_of_the_sky


@each_game
@pytest.mark.parametrize("agent", ["player_9", "", 0, None, ["player_0"]])
def test_an_unknown_agent_is_named(env, agent):
    for call in (env.observe, env.describe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match="there is no agent"):
            call(agent)


@pytest.mark.parametrize(
    ("game", "options", "name"),
    [(game, options, name) for game in GAMES for options, name in game.bad_options],
)
def test_a_bad_option_is_named(game, options, name):
    with pytest.raises(ValueError, match=name):
        game.module.env(**options)


@each_game
def test_an_unknown_option_is_named(game):
    with pytest.raises(ValueError, match="speed") as error:
        game.module.env(speed=9)
    assert all(option.name in str(error.value) for option in game.spec.options)


@pytest.mark.parametrize(
    ("game", "table", "name"),
    [(game, table, name) for game in GAMES for table, name in game.bad_tables],
)
def test_an_impossible_table_is_named(game, table, name):
    env = game.env(2)
    env.reset(seed=3)
    for seed in (None, 5):
        _refuses(
            env,
            (ValueError, TypeError),
            name,
            lambda seed=seed: env.reset(seed=seed, options=table),
        )


@each_game
@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "1", True])
def test_a_bad_seed_is_named(env, seed):
    _refuses(env, (ValueError, TypeError), "seed", lambda: env.reset(seed=seed))


@each_game
def test_an_unknown_reset_option_warns_and_is_ignored(env):
    twin = env.clone()
    with pytest.warns(UserWarning, match="weather"):
        env.reset(seed=4, options={"weather": "fine"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        twin.reset(seed=4)
    assert all_seen(env) == all_seen(twin)


@each_game
def test_a_table_can_be_laid(game):
    env = game.env(2)
    env.reset(seed=3, options=game.fixed_table)
    shown = env.snapshot()
    order = game.codes.index
    assert shown["hands"] == [sorted(hand, key=order) for hand in game.fixed_table["hands"]]
    assert shown["draw_pile"] == game.fixed_table["deck"]
