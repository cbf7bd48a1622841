"""The batch: each lane is a game like any other, and no lane knows of the others."""

import dataclasses
import random

import numpy as np
import pytest

from cardcore.jit import JIT_ON
from cardcore.threads import HEAD_START
from cardcore.vector import VectorGames
from tests.games import each_game, each_table

MANY = 6 * HEAD_START + 1  # lanes: enough for three threads
N_STEPS = 400 if JIT_ON else 120


def _copy(step):
    return type(step)(*(array.copy() for array in step))


def _same(one, two):
    return all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


@each_table
def test_a_lane_is_a_single_environment(game, seats):
    batch = VectorGames(
        game.spec, 3, num_players=seats, seed=8, final_observations=True, **game.short
    )
    envs = [game.env(seats, **game.short) for _ in range(batch.n)]
    step = batch.reset()
    for env, seed in zip(envs, step.game_seed, strict=True):
        env.reset(seed=int(seed))
    n_done = 0
    for _ in range(N_STEPS):
        actions = batch.sample()
        for i, env in enumerate(envs):
            assert batch.snapshot(i) == env.snapshot()
            agent = env.agent_selection
            assert agent == f"player_{step.seat[i]}"
            seen = env.observe(agent)
            assert np.array_equal(seen["observation"], step.observation[i])
            assert np.array_equal(seen["action_mask"], step.mask[i])
        assert np.array_equal(batch.state(), [env.state() for env in envs])
        step = batch.step(actions)
        for i, env in enumerate(envs):
            env.step(int(actions[i]))
            assert step.rewards[i].tolist() == list(env.rewards.values())
            assert step.done[i] == all(env.terminations.values())
            totals = env.snapshot()["scores"] if step.done[i] else [0] * seats
            assert step.final_scores[i].tolist() == totals
            if step.done[i]:
                n_done += 1
                last = [env.observe(agent)["observation"] for agent in env.possible_agents]
                assert np.array_equal(step.final_observation[i], last)
                env.reset(seed=int(step.game_seed[i]))
    assert n_done or not JIT_ON


@each_game
@pytest.mark.compiled
def test_threads_change_nothing(game):
    batches = [
        VectorGames(game.spec, MANY, seed=3, threads=threads, final_observations=True, rounds=1)
        for threads in (1, 2, 3)
    ]
    assert [len(batch._team.slices) for batch in batches] == [1, 2, 3]
    shown = [batch.reset() for batch in batches]
    for _ in range(60):
        assert _same(shown[0], shown[1])
        assert _same(shown[0], shown[2])
        actions = batches[0].sample()
        shown = [batch.step(actions) for batch in batches]
    assert batches[0].games.tobytes() == batches[1].games.tobytes() == batches[2].games.tobytes()


@each_game
@pytest.mark.compiled
def test_threads_name_the_same_illegal_lanes(game):
    told = []
    for threads in (1, 2, 3):
        batch = VectorGames(game.spec, MANY, seed=3, threads=threads)
        batch.reset()
        actions = batch.sample()
        actions[[1, 600, MANY - 1]] = -1
        before = batch.games.tobytes()
        with pytest.raises(ValueError, match=f"3 of {MANY} lanes") as error:
            batch.step(actions)
        assert batch.games.tobytes() == before
        told.append(str(error.value))
    assert told[0] == told[1] == told[2]
    assert all(f"lane {i}:" in told[0] for i in (1, 600, MANY - 1))


@each_game
def test_game_seeds_are_a_function_of_seed_lane_and_count(game):
    def seeds(n, seed, chance):
        batch = VectorGames(game.spec, n, seed=seed, rounds=1)
        step = batch.reset()
        found = [[int(one)] for one in step.game_seed]
        while min(map(len, found)) < 3:
            actions = [chance.choice(np.flatnonzero(mask)) for mask in step.mask]
            step = batch.step(actions)
            for i in np.flatnonzero(step.done):
                found[i].append(int(step.game_seed[i]))
        return [one[:3] for one in found]

    few, many = seeds(2, 5, random.Random(1)), seeds(4, 5, random.Random(2))
    assert few == many[:2]
    assert few != seeds(2, 6, random.Random(1))
    assert len({seed for lane in many for seed in lane}) == 12


@each_game
def test_two_steps_in_a_row_share_no_memory(game):
    batch = VectorGames(game.spec, 4, seed=1)
    first = batch.reset()
    kept = _copy(first)
    second = batch.step(batch.sample())
    assert _same(first, kept)
    for one, two in zip(first, second, strict=True):
        assert not np.shares_memory(one, two)
        assert not np.shares_memory(one, batch.games)
    assert batch.games.tobytes() != kept.observation.tobytes()


@each_game
def test_strided_and_frozen_arrays_will_do(game):
    batch = VectorGames(game.spec, 3, seed=1)
    twin = batch.clone()
    batch.reset()
    twin.reset()
    actions = batch.sample()
    frozen = actions.copy()
    frozen.flags.writeable = False
    assert _same(batch.step(np.repeat(actions, 2)[::2]), twin.step(frozen))


@each_game
def test_a_step_that_was_cut_short_can_be_looked_at_again(game):
    batch = VectorGames(game.spec, 3, seed=1)
    batch.reset()

    def interrupted(*args):
        game.spec.kernels.step_all(*args)
        raise KeyboardInterrupt

    kernels = dataclasses.replace(game.spec.kernels, step_all=interrupted)
    batch.spec = dataclasses.replace(game.spec, kernels=kernels)
    with pytest.raises(KeyboardInterrupt):
        batch.step(batch.sample())
    batch.spec = game.spec
    batch.step(batch.sample())


@each_game
def test_a_clone_goes_on_alike_and_alone(game):
    batch = VectorGames(game.spec, 5, seed=1, threads=2, **game.short)
    step = batch.reset()
    twin = batch.clone()
    for _ in range(20):
        actions = batch.sample()
        assert np.array_equal(actions, twin.sample())
        before = _copy(step)
        step = batch.step(actions)
        assert twin.games.tobytes() != batch.games.tobytes()
        assert _same(twin.look(), before._replace(**_nothing(before)))
        assert _same(twin.step(actions), step)


def _nothing(step):
    """What a look shows of rewards and ends."""
    return {
        name: np.zeros_like(getattr(step, name)) for name in ("rewards", "done", "final_scores")
    }


@each_game
def test_look_moves_nothing(game):
    batch = VectorGames(game.spec, 3, seed=1)
    batch.reset()
    step = _copy(batch.step(batch.sample()))
    before = batch.games.tobytes()
    assert _same(batch.look(), step._replace(**_nothing(step)))
    assert batch.games.tobytes() == before


@each_game
def test_observe_shows_any_seat(game):
    batch = VectorGames(game.spec, 4, num_players=2, seed=1)
    step = batch.reset()
    seen, mask = batch.observe(step.seat)
    assert np.array_equal(seen, step.observation)
    assert np.array_equal(mask, step.mask)
    other, nothing = batch.observe(1 - step.seat)
    assert not nothing.any()
    assert (other != seen).any(axis=1).all()
    env = game.env(2)
    for i, seed in enumerate(step.game_seed):
        env.reset(seed=int(seed))
        wanted = env.observe(f"player_{1 - step.seat[i]}")
        assert np.array_equal(other[i], wanted["observation"])


@each_game
def test_reset_can_lay_the_first_round_in_every_lane(game):
    batch = VectorGames(game.spec, 3, num_players=2, seed=1)
    batch.reset(options=game.fixed_table)
    env = game.env(2)
    env.reset(seed=0, options=game.fixed_table)
    assert [batch.snapshot(i) for i in range(3)] == [env.snapshot()] * 3


@each_game
def test_lanes_can_share_one_stream_of_deals(game):
    """Wherever a lane begins, the k-th deal of a seed is the same, and the next one follows."""
    batch = VectorGames(game.spec, 3, **game.short)
    deals = batch.reset(5, first_deal=[0, 1, 2]).game_seed.tolist()
    assert len(set(deals)) == 3
    step = batch.reset(5, first_deal=[2, 0, 0])
    assert step.game_seed.tolist() == [deals[2], deals[0], deals[0]]
    following = {}
    while len(following) < 3:
        step = batch.step(batch.sample())
        for lane in np.flatnonzero(step.done):
            following.setdefault(int(lane), int(step.game_seed[lane]))
    assert following[1] == following[2] == deals[1]
    assert following[0] not in deals
    for bad in ({"first_deal": [0, 1, 2]}, {"seed": 1, "first_deal": [-1, 0, 0]}):
        with pytest.raises(ValueError, match="first_deal"):
            batch.reset(**bad)
    with pytest.raises(ValueError, match="first_deal"):
        batch.reset(1, first_deal=[0, 1, 2], game_seed=[1, 2, 3])


@each_game
def test_reset_can_take_game_seeds(game):
    batch = VectorGames(game.spec, 3, seed=1)
    step = batch.reset(game_seed=[7, 2**63 - 1, 7])
    assert step.game_seed.tolist() == [7, 2**63 - 1, 7]
    env = game.env()
    env.reset(seed=7)
    assert batch.snapshot(0) == batch.snapshot(2) == env.snapshot()
    assert batch.snapshot(1) != env.snapshot()


@each_game
def test_reset_with_a_seed_begins_the_stream_again(game):
    batch = VectorGames(game.spec, 3, seed=1)
    first = batch.reset().game_seed.copy()
    assert not (batch.reset().game_seed == first).any()
    assert np.array_equal(batch.reset(seed=1).game_seed, first)


@each_game
def test_records_read_as_arrays(game):
    batch = VectorGames(game.spec, 3, seed=1)
    step = batch.reset()
    assert np.array_equal(batch.games.to_act, step.seat)
    assert game.spec.snapshot(batch.games[1]) == batch.snapshot(1)


@each_game
@pytest.mark.compiled
def test_samples_are_legal_and_even(game):
    n = 20_000
    batch = VectorGames(game.spec, n, num_players=2, seed=1)
    step = batch.reset(game_seed=np.full(n, 5))
    actions = batch.sample()
    assert step.mask[np.arange(n), actions].all()
    n_legal = int(step.mask[0].sum())
    counts = np.bincount(actions)[np.flatnonzero(step.mask[0])]
    assert np.abs(counts - n / n_legal).max() < 6 * np.sqrt(n / n_legal)


@each_game
def test_samples_go_on_and_begin_again_with_the_seed(game):
    batch = VectorGames(game.spec, 50, seed=1)
    batch.reset(seed=2)
    first, second = batch.sample(), batch.sample()
    assert (first != second).any()
    batch.reset(seed=2)
    assert np.array_equal(batch.sample(), first)


@each_game
def test_illegal_lanes_are_named_and_none_moves(game):
    batch = VectorGames(game.spec, 8, seed=1)
    step = batch.reset()
    before, shown = batch.games.tobytes(), _copy(step)
    actions = batch.sample()
    actions[2] = game.spec.n_actions
    actions[5] = int(np.flatnonzero(step.mask[5] == 0)[0])
    with pytest.raises(ValueError, match="2 of 8 lanes") as error:
        batch.step(actions)
    assert "lane 2:" in str(error.value)
    assert f"lane 5: player_{step.seat[5]} may not" in str(error.value)
    assert batch.games.tobytes() == before
    assert _same(step, shown)
    with pytest.raises(ValueError, match="8 of 8 lanes") as error:
        batch.step(np.full(8, -1))
    assert "3 more lanes: 5, 6, 7" in str(error.value)


@each_game
@pytest.mark.parametrize(
    ("actions", "error", "match"),
    [
        ([0, 0], ValueError, "shape"),
        ([[0, 0, 0]], ValueError, "shape"),
        (0, ValueError, "shape"),
        ([0.0, 0.0, 0.0], TypeError, "whole numbers"),
        ([True, True, True], TypeError, "whole numbers"),
        (["a", "b", "c"], TypeError, "whole numbers"),
        ([None] * 3, TypeError, "whole numbers"),
        (None, ValueError, "shape"),
        ([], ValueError, "shape"),
        (np.array([2**64 - 1] * 3, np.uint64), ValueError, "18446744073709551615"),
    ],
)
def test_wrong_arrays_are_refused(game, actions, error, match):
    batch = VectorGames(game.spec, 3, seed=1)
    batch.reset()
    before = batch.games.tobytes()
    with pytest.raises(error, match=match):
        batch.step(actions)
    assert batch.games.tobytes() == before


@each_game
@pytest.mark.parametrize(
    ("reset", "error"),
    [
        ({"seed": -1}, ValueError),
        ({"seed": 1.5}, TypeError),
        ({"seed": 2**63}, ValueError),
        ({"game_seed": [1, 2]}, ValueError),
        ({"game_seed": [1, 2, -3]}, ValueError),
        ({"game_seed": [1.0, 2.0, 3.0]}, TypeError),
        ({"game_seed": np.array([1, 2, 2**63], np.uint64)}, ValueError),
        ({"options": {"hands": []}}, ValueError),
        ({"options": "deck"}, TypeError),
    ],
)
def test_a_bad_reset_changes_nothing(game, reset, error):
    batch = VectorGames(game.spec, 3, seed=1)
    batch.reset()
    before = batch.games.tobytes()
    with pytest.raises(error):
        batch.reset(**reset)
    assert batch.games.tobytes() == before


@each_game
@pytest.mark.parametrize("seats", [[0, 1], [0, 1, 9], [0, -1, 0], [0.0, 0.0, 0.0]])
def test_observe_refuses_seats_that_are_not_there(game, seats):
    batch = VectorGames(game.spec, 3, seed=1)
    batch.reset()
    with pytest.raises((ValueError, TypeError), match="seats"):
        batch.observe(seats)


@each_game
@pytest.mark.parametrize("lane", [-1, 3, 1.0, "0"])
def test_snapshot_refuses_lanes_that_are_not_there(game, lane):
    batch = VectorGames(game.spec, 3, seed=1)
    batch.reset()
    with pytest.raises((ValueError, TypeError), match="lane"):
        batch.snapshot(lane)


@each_game
@pytest.mark.parametrize(
    ("call", "args"),
    [("step", [[0]]), ("look", []), ("sample", []), ("observe", [[0]]), ("state", []),
     ("snapshot", [0])],
)  # fmt: skip
def test_nothing_works_before_reset(game, call, args):
    batch = VectorGames(game.spec, 1, seed=1)
    with pytest.raises(RuntimeError, match="reset"):
        getattr(batch, call)(*args)


@each_game
def test_bad_options_of_the_batch_are_refused(game):
    for given, name in game.bad_options:
        with pytest.raises(ValueError, match=name):
            VectorGames(game.spec, 1, **given)
    for given, name in (({"n": 0}, "n must"), ({"n": 1.0}, "n must"), ({"threads": 0}, "threads"),
                        ({"seed": -1}, "seed"), ({"speed": 9}, "speed")):  # fmt: skip
        with pytest.raises(ValueError, match=name):
            VectorGames(**{"spec": game.spec, "n": 1, **given})


@each_game
def test_lanes_that_are_kept_go_on_as_they_would_have(game):
    whole = VectorGames(game.spec, 6, seed=4, final_observations=True, **game.short)
    whole.reset()
    whole.step(whole.sample())
    part, kept = whole.clone(), np.array([0, 5, 2])
    part.keep(kept)
    for _ in range(N_STEPS):
        actions = whole.sample()
        assert np.array_equal(part.sample(), actions[kept])
        all_shown, shown = whole.step(actions), part.step(actions[kept])
        for one, two in zip(shown[:-1], all_shown[:-1], strict=True):
            assert np.array_equal(one, two[kept])
        ends = all_shown.final_observation[kept[shown.done]]
        assert np.array_equal(shown.final_observation[shown.done], ends)


@each_game
def test_what_a_kept_lane_shows_is_what_it_showed(game):
    batch = VectorGames(game.spec, 5, seed=4, **game.short)
    with pytest.raises(RuntimeError, match="reset"):
        batch.keep([0])
    before = _copy(batch.reset())
    kept = [4, 1, 0]
    after = batch.keep(kept)
    assert batch.n == 3
    assert all(np.array_equal(a, b[kept]) for a, b in zip(after[:-1], before[:-1], strict=True))
    for wrong in ([], [3], [-1], [0.5], [[0]], [0, 1, 2, 0]):
        with pytest.raises(ValueError, match="lanes must be"):
            batch.keep(wrong)


@each_game
def test_a_fork_goes_on_like_its_lanes_and_can_be_put_back(game):
    batch = VectorGames(game.spec, 6, seed=4)
    batch.reset()
    for _ in range(9):
        batch.step(batch.sample())
    lanes = np.array([4, 1, 4])
    before = batch.games.tobytes()
    fork = batch.fork(lanes)
    assert (fork.look().observation == batch.look().observation[lanes]).all()
    chosen = batch.sample()
    seen = fork.step(chosen[lanes]).observation.copy()
    assert batch.games.tobytes() == before
    whole = batch.clone()
    assert (whole.step(chosen).observation[lanes] == seen).all()
    some = np.array([5, 0])
    part = batch.fork(some)
    part.step(chosen[some])
    batch.put(some, part)
    now, rest = batch.look(), np.array([1, 2, 3, 4])
    assert (now.observation[some] == part.look().observation).all()
    assert (batch.games[some] == part.games).all()
    assert batch.games[rest].tobytes() == np.frombuffer(before, game.spec.dtype)[rest].tobytes()


@each_game
def test_a_saved_batch_goes_on_alike_and_a_damaged_one_is_refused(game):
    batch = VectorGames(game.spec, 3, seed=4)
    with pytest.raises(RuntimeError, match="reset"):
        batch.save()
    batch.reset()
    for _ in range(9):
        batch.step(batch.sample())
    content, chosen = batch.save(), batch.sample()
    other = VectorGames(game.spec, 3, seed=9)
    shown = other.load(content)
    assert (shown.observation == batch.look().observation).all()
    assert (other.step(chosen).observation == batch.step(chosen).observation).all()
    before = other.save()
    for bad in (content[:-1], b"", b"\x7f" * len(content)):
        with pytest.raises(ValueError, match=r"bytes are not 3 games|damaged|must|no "):
            other.load(bad)
        assert other.save() == before
