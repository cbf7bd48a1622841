"""Advantages by seat, against a slow and obvious computation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.returns import advantages
from cardcore import VectorGames
from cardcore.jit import JIT_ON
from tests.games import each_game

quick = settings(max_examples=60 if JIT_ON else 15, deadline=None, derandomize=True, database=None)


def obvious(rewards, seat, done, values, last_seat, last_values, gamma, lam):
    """Each seat of each game by itself: its decisions, what it was paid after each, and GAE.

    Gives a dict from (step, lane) to the advantage, without those that nobody can know yet.
    """
    n_steps, n_lanes, n_seats = rewards.shape
    found = {}
    for lane in range(n_lanes):
        start = 0
        while start < n_steps:
            ends = [t for t in range(start, n_steps) if done[t, lane]]
            end = ends[0] if ends else n_steps - 1
            for who in range(n_seats):
                mine = [t for t in range(start, end + 1) if seat[t, lane] == who]
                worth = [float(values[t, lane]) for t in mine]
                if ends:
                    worth.append(0.0)
                elif last_seat[lane] == who:
                    worth.append(float(last_values[lane]))
                errors = []
                for k in range(len(worth) - 1):
                    until = mine[k + 1] if k + 1 < len(mine) else end + 1
                    paid = sum(float(rewards[t, lane, who]) for t in range(mine[k], until))
                    errors.append(paid + gamma * worth[k + 1] - worth[k])
                for k in range(len(errors)):
                    rest = enumerate(errors[k:])
                    found[mine[k], lane] = sum((gamma * lam) ** j * e for j, e in rest)
            start = end + 1
    return found


@st.composite
def rollouts(draw):
    """Any order of seats, turns in a row included, with rewards and ends anywhere."""
    n_seats = draw(st.integers(2, 6))
    n_steps, n_lanes = draw(st.integers(1, 25)), draw(st.integers(1, 3))
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    rewards = chance.integers(-9, 3, (n_steps, n_lanes, n_seats)).astype(np.float32)
    rewards *= chance.random((n_steps, n_lanes, 1)) < draw(st.sampled_from([0.1, 1.0]))
    return {
        "rewards": rewards,
        "seat": chance.integers(0, n_seats, (n_steps, n_lanes)),
        "done": chance.random((n_steps, n_lanes)) < draw(st.sampled_from([0.0, 0.1, 0.5])),
        "values": chance.normal(size=(n_steps, n_lanes)).astype(np.float32),
        "last_seat": chance.integers(0, n_seats, n_lanes),
        "last_values": chance.normal(size=n_lanes).astype(np.float32),
        "gamma": draw(st.sampled_from([1.0, 0.97, 0.5])),
        "lam": draw(st.sampled_from([0.95, 1.0, 0.0])),
    }


def same(rollout):
    found, known = advantages(**rollout)
    truth = obvious(**rollout)
    assert set(zip(*np.nonzero(known), strict=True)) == set(truth)
    for place, advantage in truth.items():
        assert found[place] == pytest.approx(advantage, rel=1e-6, abs=1e-6)
    return found, known, truth


@quick
@given(rollouts())
def test_advantages_are_those_of_the_obvious_way(rollout):
    same(rollout)


@each_game
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_advantages_in_real_games(game, seats):
    """Repeated turns, asked seats, rewards in mid-game and several games in one rollout."""
    games = VectorGames(game.spec, 2, num_players=seats, seed=3, rounds=2)
    now, steps = games.reset(), []
    chance = np.random.default_rng(0)
    n_steps = 600 if JIT_ON else 150
    for _ in range(n_steps):
        seat = now.seat.copy()
        now = games.step(games.sample())
        steps.append((now.rewards.copy(), seat, now.done.copy()))
    rewards, seat, done = (np.array(column) for column in zip(*steps, strict=True))
    values = chance.normal(size=seat.shape).astype(np.float32)
    last = chance.normal(size=2).astype(np.float32)
    same(
        {
            **{"rewards": rewards, "seat": seat, "done": done, "values": values},
            **{"last_seat": now.seat.copy(), "last_values": last, "gamma": 0.99, "lam": 0.9},
        }
    )


def two_moves():
    """Seat 0 moves and then seat 1, which ends the game: seat 0 pays ten points."""
    return {
        "rewards": np.array([[[0, 0]], [[-10, 0]]], np.float32),
        "seat": np.array([[0], [1]]),
        "done": np.array([[False], [True]]),
        "values": np.zeros((2, 1), np.float32),
        "last_seat": np.array([0]),
        "last_values": np.zeros(1, np.float32),
        "gamma": 1.0,
        "lam": 1.0,
    }


def test_a_loss_by_the_move_of_another_reaches_the_loser():
    found, known, _ = same(two_moves())
    assert known.all()
    assert found[:, 0].tolist() == [-10, 0]


def test_the_naive_way_gets_it_wrong():
    """Taking the reward of whoever acts, and the value of whoever acts next, loses the ten."""
    game = two_moves()
    naive = np.zeros(2)
    for step in (1, 0):
        actor = game["seat"][step, 0]
        after = 0.0 if game["done"][step, 0] else naive[step + 1]
        naive[step] = game["rewards"][step, 0, actor] + after
    truth = obvious(**game)
    assert naive.tolist() != [truth[0, 0], truth[1, 0]]


def test_a_decision_without_a_successor_only_lends_its_value():
    rollout = two_moves() | {
        "rewards": np.zeros((3, 1, 2), np.float32),
        "seat": np.array([[0], [1], [0]]),
        "done": np.zeros((3, 1), np.bool_),
        "values": np.array([[1], [2], [5]], np.float32),
        "last_seat": np.array([1]),
        "last_values": np.array([7], np.float32),
    }
    found, known, _ = same(rollout)
    assert known[:, 0].tolist() == [True, True, False]
    assert found[:, 0].tolist() == [4, 5, 0]


@pytest.mark.parametrize("name", ["seat", "done", "values", "last_seat", "last_values"])
def test_arrays_that_do_not_fit_are_refused(name):
    rollout = two_moves()
    with pytest.raises(ValueError, match=name):
        advantages(**rollout | {name: rollout[name][:0]})


@pytest.mark.parametrize("name", ["seat", "last_seat"])
@pytest.mark.parametrize("wrong", [-1, 2])
def test_seats_that_nobody_has_are_refused(name, wrong):
    rollout = two_moves()
    with pytest.raises(ValueError, match=f"^{name} must be from 0 to 1"):
        advantages(**rollout | {name: np.full_like(rollout[name], wrong)})
