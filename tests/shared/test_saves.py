"""Saved games go on identically, and a bad save is refused without harm."""

import copy
import dataclasses
import json
import pickle
import random
import zlib

import numpy as np
import pytest

from cardcore.aec import GameEnv
from cardcore.saves import MAGIC
from tests.games import all_seen, each_game, each_table, is_over, legal, play_on

N_FLIPS = 10_000


def _loaded(env):
    twin = GameEnv(env.spec, **env.options)
    twin.load(env.save())
    return twin


WAYS = {
    "load": _loaded,
    "clone": lambda env: env.clone(),
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}
each_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def _go_on_alike(one, two, chance):
    """Play both to the last agent's leave; they must show the same at every step."""
    while True:
        assert all_seen(one) == all_seen(two)
        if not one.agents:
            return
        for mine, theirs in zip(one.last()[1:], two.last()[1:], strict=True):
            assert mine == theirs
        action = None if is_over(one) else chance.choice(legal(one))
        one.step(action)
        two.step(action)


@each_way
@each_table
def test_a_copy_goes_on_identically(game, seats, way):
    chance = random.Random(seats)
    for n_steps in (0, 1, 7, 30):
        env = game.env(seats, **game.short)
        env.reset(seed=100 + n_steps)
        play_on(env, chance, n_steps)
        _go_on_alike(env, way(env), chance)


@each_way
@each_game
def test_a_copy_of_every_phase_goes_on_identically(game, way):
    env = game.env(**game.short)
    env.reset(seed=9)
    chance = random.Random(9)
    phases = {}
    while not is_over(env):
        phases.setdefault(env.snapshot()["phase"], env.clone())
        env.step(chance.choice(legal(env)))
    assert len(phases) >= 2
    for found in phases.values():
        _go_on_alike(found, way(found), chance)


@each_way
@each_game
def test_a_copy_goes_on_when_half_of_the_agents_have_left(game, way):
    env = game.env(4, **game.short)
    env.reset(seed=2)
    play_on(env, random.Random(2))
    for n_left in range(5):
        twin = way(env)
        assert twin.agents == env.possible_agents[n_left:]
        assert all_seen(twin) == all_seen(env)
        if env.agents:
            env.step(None)


@each_way
@each_game
def test_a_copy_stands_alone(game, way):
    env = game.env(**game.short)
    env.reset(seed=4)
    before = all_seen(env)
    play_on(way(env), random.Random(4))
    assert all_seen(env) == before


@each_game
def test_reset_after_load_goes_on_in_the_same_stream(game):
    env = game.env(**game.short)
    env.reset(seed=4)
    twin = _loaded(env)
    env.reset()
    twin.reset()
    assert all_seen(twin) == all_seen(env)


def _framed(body):
    return MAGIC + b"%08x\n" % zlib.crc32(body) + body


def _changed(data, **fields):
    """A save with other words in its first line and the checksum made to fit."""
    line, _, content = data[len(MAGIC) + 9 :].partition(b"\n")
    return _framed(json.dumps(json.loads(line) | fields).encode() + b"\n" + content)


def _refuses(env, data, error, match):
    before = all_seen(env)
    with pytest.raises(error, match=match):
        env.load(data)
    assert all_seen(env) == before


@pytest.fixture
def saved(game):
    """An environment in the middle of a game, and its save."""
    env = game.env(**game.short)
    env.reset(seed=6)
    play_on(env, random.Random(6), 9)
    return env, env.save()


@each_game
@pytest.mark.parametrize(
    ("fields", "match"),
    [
        ({"game": "whist"}, "whist"),
        ({"version": 99}, "version"),
        ({"layout": "0"}, "layout"),
        ({"options": {}}, "options"),
        ({"face": None}, "face"),
        ({"face": {}}, "agents"),
        ({"face": {"rewards": [], "since_last_step": []}}, "agents"),
        ({"face": {"rewards": {}, "since_last_step": {}}}, "agents"),
    ],
)
def test_a_save_of_something_else_is_refused(saved, fields, match):
    env, data = saved
    assert _changed(data) == data
    _refuses(env, _changed(data, **fields), ValueError, match)


@each_game
@pytest.mark.parametrize("value", [0.5, "1", None, True, 1, float("nan"), float("inf")])
def test_a_reward_that_is_no_whole_float_is_refused(saved, value):
    env, data = saved
    rewards = dict.fromkeys(env.possible_agents, value)
    face = {"rewards": rewards, "since_last_step": rewards}
    _refuses(env, _changed(data, face=face), ValueError, "reward")


@each_game
def test_a_save_of_other_options_is_refused(game, saved):
    env, _ = saved
    for other in (game.env(**game.other), game.env(game.tables[0], **game.short)):
        other.reset(seed=6)
        _refuses(env, other.save(), ValueError, "options")


@each_game
def test_a_save_of_another_version_of_the_game_is_refused(game, saved):
    env, _ = saved
    later = GameEnv(dataclasses.replace(game.spec, version=game.spec.version + 1), **env.options)
    later.reset(seed=6)
    _refuses(env, later.save(), ValueError, "version")


@each_game
def test_a_cut_or_lengthened_save_is_refused(saved):
    env, data = saved
    body = data[len(MAGIC) + 9 :]
    for size in range(0, len(data), 7):
        _refuses(env, data[:size], ValueError, "no saved game|damaged")
    for wrong in (body[:-1], body + b"\0", body + body, body.partition(b"\n")[0]):
        _refuses(env, _framed(wrong), ValueError, "bytes of game")
    _refuses(env, data + b"\0", ValueError, "damaged")
    for line in (b"", b"[]\n", b"{\n", b"\xff\n", b"[" * 100_000 + b"\n"):
        _refuses(env, _framed(line), ValueError, "damaged")


@each_game
@pytest.mark.parametrize("data", ["text", None, 5, [1, 2], {"a": 1}])
def test_a_save_that_is_not_bytes_is_refused(saved, data):
    _refuses(saved[0], data, TypeError, "bytes")


@each_game
def test_a_fresh_environment_is_not_started_by_a_bad_save(game):
    env = game.env()
    with pytest.raises(ValueError, match="no saved game"):
        env.load(b"nonsense")
    with pytest.raises(RuntimeError, match="reset"):
        env.save()


def _flip_and_play(game, n_flips, mend):
    """Flip single bits of saves from many positions; gives how many were accepted."""
    chance = random.Random(n_flips + mend)
    env = game.env(**game.short)
    victim = game.env(**game.short)
    n_accepted = 0
    for k in range(n_flips):
        if k % 50 == 0:
            env.reset(seed=k)
            play_on(env, chance, chance.randrange(150))
            data = env.save()
        head = len(MAGIC) + 9 if mend else 0
        body = bytearray(data[head:])
        body[chance.randrange(len(body))] ^= 1 << chance.randrange(8)
        try:
            victim.load(_framed(bytes(body)) if mend else bytes(body))
        except ValueError:
            continue
        n_accepted += 1
        _play_soundly(game, victim, chance)
    return n_accepted


def _play_soundly(game, env, chance):
    """Play to the end: cards stay, rounds end, rewards are what the scores say."""
    rounds = set()
    while not is_over(env):
        before = env.snapshot()
        env.step(chance.choice(legal(env)))
        now = env.snapshot()
        rounds.add(now["round"])
        if now["round"] == before["round"]:
            assert game.cards(now) == game.cards(before)
        assert now["turn"] <= game.turn_limit
        costs = [b - a for a, b in zip(before["scores"], now["scores"], strict=True)]
        assert [-reward for reward in env.rewards.values()] == costs
        assert len(rounds) < 100
    while env.agents:
        env.step(None)
    env.reset()
    play_on(env, chance, 3)


@each_game
@pytest.mark.parametrize("mend", [False, True], ids=["as it is", "checksum mended"])
@pytest.mark.parametrize("n_flips", [200, pytest.param(N_FLIPS, marks=pytest.mark.compiled)])
def test_flipped_bits_are_an_error_or_a_valid_game(game, n_flips, mend):
    n_accepted = _flip_and_play(game, n_flips, mend)
    assert n_accepted < n_flips
    assert mend or n_accepted == 0


@each_game
@pytest.mark.compiled
def test_records_of_noise_are_refused(game, saved):
    env, data = saved
    size = game.spec.dtype.itemsize
    chance = np.random.default_rng(1)
    head = data[len(MAGIC) + 9 : -size]
    for _ in range(300):
        _refuses(env, _framed(head + chance.bytes(size)), ValueError, None)


@each_game
@pytest.mark.compiled  # numpy warns of what the compiler lets wrap around
def test_largest_numbers_in_a_record_do_no_harm(game):
    for field in ("episode", "game_seed", "round_no", "stream"):
        env = game.env(**game.short)
        env.reset(seed=1)
        env._games[field] = np.iinfo(env._games[field].dtype).max
        twin = game.env(**game.short)
        try:
            twin.load(env.save())
        except ValueError:
            continue
        _play_soundly(game, twin, random.Random(1))
