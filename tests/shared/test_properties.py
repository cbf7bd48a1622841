"""What holds in every position of every game, whatever is played."""

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardcore.jit import JIT_ON
from tests.games import GAMES, each_game, is_over, legal, play_on

EXAMPLES = 60 if JIT_ON else 6
quick = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
SEEDS = st.integers(0, 2**63 - 1)
DEPENDS_ON_PLAY = {"scores", "to_act", "active"}  # the rest of a new round is its deal


@st.composite
def tables(draw):
    """A game at one of its tables, dealt, and the chance that will play it."""
    game = draw(st.sampled_from(GAMES))
    env = game.env(draw(st.sampled_from(game.tables)), **game.short)
    env.reset(seed=draw(SEEDS))
    return game, env, random.Random(draw(st.integers(0, 2**32)))


@quick
@given(tables())
def test_cards_are_conserved_and_rounds_end(table):
    game, env, chance = table
    n_cards = game.cards(env.snapshot())
    while not is_over(env):
        env.step(chance.choice(legal(env)))
        now = env.snapshot()
        assert game.cards(now) == n_cards
        assert now["turn"] <= game.turn_limit


@quick
@given(tables())
def test_rewards_are_minus_the_score(table):
    _, env, chance = table
    paid = dict.fromkeys(env.possible_agents, 0.0)
    while not is_over(env):
        before = env.snapshot()
        env.step(chance.choice(legal(env)))
        now = env.snapshot()
        scored = now["round"] != before["round"] or now["phase"] == "over"
        for seat, agent in enumerate(env.possible_agents):
            cost = now["scores"][seat] - before["scores"][seat]
            assert env.rewards[agent] == -cost
            assert scored or cost == 0
            paid[agent] += env.rewards[agent]
    assert list(paid.values()) == [-float(score) for score in now["scores"]]


@quick
@given(tables())
def test_the_reward_of_last_is_what_came_since_the_own_last_step(table):
    _, env, chance = table
    owed = dict.fromkeys(env.possible_agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        assert env.last(observe=False)[1] == owed[agent]
        owed[agent] = 0.0
        over = is_over(env)
        env.step(None if over else chance.choice(legal(env)))
        if not over:
            for name, reward in env.rewards.items():
                owed[name] += reward


@quick
@given(tables(), st.integers(0, 60))
def test_the_mask_is_what_step_accepts(table, n_steps):
    game, env, chance = table
    play_on(env, chance, n_steps)
    if is_over(env):
        return
    allowed, before = set(legal(env)), env.save()
    assert allowed
    assert not allowed & game.mistakes(env)
    allowed |= game.mistakes(env)
    for action in range(-1, game.spec.n_actions + 1):
        if action in allowed:
            twin = env.clone()
            twin.step(action)
            assert twin.save() != before
        else:
            with pytest.raises(ValueError, match=r"may not|no action"):
                env.step(action)
        assert env.save() == before


@quick
@given(tables(), st.integers(0, 80))
def test_what_a_seat_cannot_see_changes_nothing_it_is_shown(table, n_steps):
    game, env, chance = table
    play_on(env, chance, n_steps)
    if is_over(env):
        return
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        for _ in range(5):
            twin = env.clone()
            game.redeal(twin._games.view(np.recarray)[0], seat, chance)
            again = twin.observe(agent)
            assert np.array_equal(seen["observation"], again["observation"])
            assert np.array_equal(seen["action_mask"], again["action_mask"])


@quick
@given(tables())
def test_the_deal_of_a_round_does_not_depend_on_play(table):
    _, env, chance = table
    twin = env.clone()
    deals = []
    for one in (env, twin):
        while not is_over(one) and one.snapshot()["round"] == 1:
            one.step(chance.choice(legal(one)))
        now = one.snapshot()
        deals.append({name: now[name] for name in now if name not in DEPENDS_ON_PLAY})
    assert deals[0] == deals[1]
    assert deals[0]["round"] == 2


@each_game
def test_no_field_hides_an_attribute_of_arrays(game):
    taken = set(dir(np.recarray)) | set(dir(np.record)) | set(dir(np.ndarray))
    assert not taken & set(game.spec.dtype.names)
