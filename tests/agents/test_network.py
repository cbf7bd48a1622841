"""Networks that play: the arithmetic, the files, and that nothing else is needed."""

import json
import subprocess
import sys

import numpy as np
import pytest
from safetensors.numpy import load, save

from agents.aspects import aspects_of
from agents.network import Network, NetworkPlayer, Ppo, load_network, network_bytes
from agents.players import Chance, View, new_generators
from cardcore import VectorGames
from cardcore.jit import JIT_ON
from tests.games import GAMES, each_game

SPEC = GAMES[0].spec
HIDDEN = (12, 9)


def some_network(spec, hidden=HIDDEN):
    chance = np.random.default_rng(0)
    n_1, n_2 = hidden
    shapes = [(spec.obs_size, n_1), (n_1,), (n_1, n_2), (spec.n_actions, n_2)]
    shapes += [(aspects_of(spec).n, n_2), (n_2,)]
    arrays = [chance.normal(size=shape) / np.sqrt(max(shape[0], 1)) for shape in shapes]
    return Network(*(array.astype(np.float32) for array in arrays))


def positions(spec, n, steps=20):
    games = VectorGames(spec, n, seed=3)
    now = games.reset()
    for _ in range(steps):
        now = games.step(games.sample())
    return now


def view_of(now, rows=slice(None), seed=0):
    generators = new_generators(len(now.mask))
    generators["rng"] = np.arange(len(now.mask)) + seed * 1000
    return View(
        now.observation[rows],
        now.mask[rows],
        np.arange(len(now.mask))[rows],
        Chance(generators[rows]),
    )


def outputs(spec, network, now):
    """The obvious way: how much each action is liked, minus infinity for what is not allowed."""
    first = np.maximum(now.observation.astype(float) @ network.weight_1 + network.bias_1, 0)
    likes = np.full(now.mask.shape, -np.inf)
    for decision, action, aspects in zip(*aspects_of(spec).choices(*now[:2]), strict=True):
        second = first[decision] @ network.weight_2 + network.of_action[action]
        second += aspects.astype(float) @ network.of_aspect
        likes[decision, action] = np.maximum(second, 0) @ network.weight_3
    return likes


@each_game
def test_the_best_action_is_taken(game):
    now, network = positions(game.spec, 40), some_network(game.spec)
    chosen = NetworkPlayer(game.spec, {}, network).act(view_of(now))
    allowed = outputs(game.spec, network, now)
    assert (np.isfinite(allowed) == (now.mask == 1)).all()
    taken = np.take_along_axis(allowed, chosen[:, None], axis=1)[:, 0]
    assert taken == pytest.approx(allowed.max(axis=1), abs=1e-4)


@each_game
@pytest.mark.parametrize("greedy", [True, False])
def test_a_decision_is_the_same_alone_and_in_a_batch(game, greedy):
    now = positions(game.spec, 30)
    player = NetworkPlayer(game.spec, {}, some_network(game.spec), greedy)
    together = player.act(view_of(now))
    alone = [player.act(view_of(now, slice(i, i + 1)))[0] for i in range(30)]
    assert together.tolist() == alone


def test_draws_follow_the_odds():
    now, network = positions(SPEC, 1), some_network(SPEC)
    player = NetworkPlayer(SPEC, {}, network, greedy=False)
    n = 4000 if JIT_ON else 300
    draws = np.array([player.act(view_of(now, seed=k))[0] for k in range(n)])
    odds = np.exp(outputs(SPEC, network, now)[0])
    odds /= odds.sum()
    found = np.bincount(draws, minlength=SPEC.n_actions) / n
    assert (found[odds == 0] == 0).all()
    assert np.abs(found - odds).max() < 4 * np.sqrt(0.25 / n)


@each_game
def test_the_network_that_learned_is_the_network_that_plays(game):
    """The actor of a learner and the arrays taken from it say the same."""
    import torch

    from agents.training import Run, Settings

    settings = Settings(game.spec.name, 2, 100, lanes=2, rollout=4, hidden=HIDDEN, batch=8)
    run = Run(None, settings)
    now = positions(game.spec, 20)
    with torch.no_grad():
        policy = run.model.policy
        odds = policy.get_distribution(torch.from_numpy(now.observation), now.mask)
    ours = np.exp(outputs(game.spec, policy.network(), now))
    ours /= ours.sum(axis=1, keepdims=True)
    assert ours == pytest.approx(odds.distribution.probs.numpy(), abs=1e-4)


def test_a_file_gives_the_network_back(tmp_path):
    network, path = some_network(SPEC), tmp_path / "one.safetensors"
    path.write_bytes(network_bytes(network))
    for ours, theirs in zip(network, load_network(path, SPEC), strict=True):
        assert theirs.dtype == np.float32
        assert theirs == pytest.approx(ours, rel=1e-3, abs=1e-4)


def damaged():
    """Files that are no network, and what is said of them."""
    whole = network_bytes(some_network(SPEC))
    arrays = load(whole)
    yield b"", "is no network"
    yield whole[:-5], "is no network"
    yield b"\x80\x04cos\nsystem\n(S'true'\ntR.", "is no network"
    yield save({k: v for k, v in arrays.items() if k != "weight_3"}), "it must hold"
    yield save(arrays | {"more": arrays["bias_1"]}), "it must hold"
    yield save(arrays | {"weight_2": arrays["weight_2"][:-1]}), "weight_2 must have shape"
    yield save(arrays | {"weight_1": arrays["weight_1"][:-1]}), "weight_1 must have shape"
    yield save(arrays | {"of_aspect": arrays["of_aspect"][:-1]}), "of_aspect must have shape"
    yield save(arrays | {"weight_3": arrays["weight_3"][:, None]}), "weight_3 must be floats"
    yield save(arrays | {"weight_3": arrays["weight_3"].astype(np.int32)}), "weight_3 must be float"
    yield save(arrays | {"bias_1": np.full_like(arrays["bias_1"], np.nan)}), "not finite"
    yield save(some_network(SPEC, hidden=(0, 9))._asdict()), "no width"
    yield save(some_network(SPEC, hidden=(9, 0))._asdict()), "no width"
    for kind in ("BF16", "F8_E5M2", "F8_E4M3"):
        yield of_kind(whole, kind), f"numpy does not know: '{kind}'"


def of_kind(whole, kind):
    """A file that says that its first numbers are of some kind of floats."""
    length = int.from_bytes(whole[:8], "little")
    header, rest = json.loads(whole[8 : 8 + length]), whole[8 + length :]
    first = min(header, key=lambda name: header[name]["data_offsets"])
    if kind.startswith("F8"):
        header[first]["shape"][-1] *= 2
    header[first]["dtype"] = kind
    content = json.dumps(header).encode()
    return len(content).to_bytes(8, "little") + content + rest


@pytest.mark.parametrize(("content", "words"), list(damaged()))
def test_a_file_that_is_no_network_is_refused(tmp_path, content, words):
    path = tmp_path / "bad.safetensors"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=words):
        load_network(path, SPEC)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"none\.safetensors cannot be read"):
        load_network(tmp_path / "none.safetensors", SPEC)


@each_game
def test_a_flipped_byte_never_crashes(game, tmp_path):
    whole = bytearray(network_bytes(some_network(game.spec)))
    chance, path = np.random.default_rng(0), tmp_path / "flipped.safetensors"
    now = positions(game.spec, 2)
    for _ in range(100):
        bad = whole.copy()
        bad[int(chance.integers(min(len(bad), 700)))] ^= int(chance.integers(1, 256))
        path.write_bytes(bad)
        try:
            network = load_network(path, game.spec)
        except ValueError:
            continue
        NetworkPlayer(game.spec, {}, network).act(view_of(now))


def test_a_network_of_another_game_is_no_player():
    """However it was made: kernels do not check bounds."""
    other = some_network(GAMES[1].spec)
    with pytest.raises(ValueError, match=f"must have shape .* for {SPEC.env_name}"):
        NetworkPlayer(SPEC, {}, other)


def test_playing_needs_no_torch():
    script = (
        "import sys; from cardcore import find_game; from agents.tournament import hold;"
        "hold(find_game('cabanga'), ['ppo', 'tuned'], deals=2);"
        "assert 'torch' not in sys.modules and 'stable_baselines3' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@each_game
def test_ppo_sits_down_at_every_table(game):
    for seats in game.tables:
        options = game.spec.checked(seats, {})
        now = VectorGames(game.spec, 2, seed=1, **options).reset()
        chosen = Ppo(game.spec, options).act(view_of(now))
        assert (np.take_along_axis(now.mask, chosen[:, None], axis=1) == 1).all()
