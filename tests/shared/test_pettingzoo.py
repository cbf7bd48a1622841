"""What PettingZoo expects of an environment, at every table of every game."""

import inspect
import random
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

from tests.games import each_game, each_table, is_over, legal

KNOWN_WARNINGS = ("NumPy array", "probably should be gymnasium.spaces", "is ignored", "all zeros")


def _unknown(caught):
    texts = [str(warning.message) for warning in caught]
    return [text for text in texts if not any(known in text for known in KNOWN_WARNINGS)]


@each_table
def test_api_test(game, seats):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(game.env(seats, **game.short), num_cycles=100)
    assert not _unknown(caught)


@each_table
def test_seed_test(game, seats):
    seed_test(lambda: game.env(seats, **game.short), num_cycles=60)


@each_game
def test_the_registry_makes_it(game):
    env = pettingzoo.make("aec", f"malus/{game.spec.env_name}", num_players=game.tables[0])
    env.reset(seed=1)
    assert env.unwrapped.spec is game.spec
    assert env.num_agents == game.tables[0]


@each_game
def test_env_has_the_defaults_of_the_spec(game):
    given = {
        name: parameter.default
        for name, parameter in inspect.signature(game.module.env).parameters.items()
        if name != "unknown"
    }
    wanted = {option.name: option.default for option in (game.spec.seats, *game.spec.options)}
    assert given == {**wanted, "render_mode": None}
    assert game.env().options == game.spec.checked(None, {})


@each_table
def test_everything_shown_lies_in_its_space(game, seats):
    env = game.env(seats, **game.short)
    env.reset(seed=5)
    chance = random.Random(5)
    for _ in range(40):
        assert env.state_space.contains(env.state())
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            assert seen["observation"].dtype == seen["action_mask"].dtype == np.int8
            assert seen["observation"].shape == (game.spec.obs_size,)
            assert seen["action_mask"].shape == (game.spec.n_actions,)
            asked = agent == env.agent_selection and not is_over(env)
            assert seen["action_mask"].any() == asked
        if is_over(env):
            break
        action = chance.choice(legal(env))
        assert env.action_space(env.agent_selection).contains(action)
        env.step(action)


@each_game
def test_spaces_are_the_same_objects_at_every_call(game):
    env = game.env()
    agent = env.possible_agents[0]
    assert env.observation_space(agent) is env.observation_space(agent)
    assert env.action_space(agent) is env.action_space(agent)


@each_game
def test_action_names_lead_back(game):
    env = game.env()
    names = [env.action_name(action) for action in range(game.spec.n_actions)]
    assert len(set(names)) == len(names)
    assert [env.action_id(name) for name in names] == list(range(game.spec.n_actions))


@each_game
@pytest.mark.parametrize("action", [-1, 10_000])
def test_an_action_out_of_range_has_no_name(game, action):
    with pytest.raises(ValueError, match=str(action)):
        game.env().action_name(action)


@each_game
@pytest.mark.parametrize("name", ["", "jump", "pass pass", None, 3])
def test_unknown_words_are_no_action(game, name):
    with pytest.raises(ValueError, match="no action"):
        game.env().action_id(name)


@each_table
def test_render_shows_every_seat_up_to_the_end(game, seats):
    env = game.env(seats, render_mode="ansi", **game.short)
    env.reset(seed=3)
    chance = random.Random(3)
    while not is_over(env):
        assert all(agent in env.render() for agent in env.possible_agents)
        env.step(chance.choice(legal(env)))
    assert "over" in env.render()


@each_game
def test_render_without_a_mode_warns(game):
    env = game.env()
    env.reset(seed=3)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


@each_game
def test_reset_without_a_seed_goes_on_to_another_game(game):
    one, two = game.env(), game.env()
    seeds = []
    for env in (one, two):
        env.reset(seed=11)
        first = env.game_seed
        env.reset()
        seeds.append((first, env.game_seed))
    assert seeds[0] == seeds[1]
    assert seeds[0][0] == 11 != seeds[0][1]
    one.reset(seed=seeds[0][1])
    assert one.snapshot() == two.snapshot()
