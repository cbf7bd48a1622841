"""Runs: what they write, what they refuse, and that a cut never shows in what comes out."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace

import numpy as np
import pytest
import torch

from agents import aims
from agents.aspects import Choices
from agents.network import NetworkPlayer, load_network
from agents.players import Chance, View, new_generators
from agents.ppo import KEPT, Weighed, copy_loss, lesson_loss, log_odds, worth_trying
from agents.seeds import CHOOSING, PUBLISHED, TRAINING, TUNING, seed_for
from agents.training import BEST, CHECKPOINT, LEAST, PROGRESS, SETTINGS, WITHIN, Run, Settings
from cardcore import VectorGames, find_game

pytestmark = pytest.mark.compiled
aims.GAMES = 30  # enough for runs as small as these

SMALL = {
    **{"lanes": 16, "rollout": 8, "batch": 64, "epochs": 2, "hidden": (16, 16), "deals": 4},
    **{"copy_steps": 256, "lesson_steps": 256, "practice_steps": 256},
    **{"checkpoint_every": 256, "evaluate_every": 512},
}
STEPS = 1536


def settings(game="cabanga", **more):
    return Settings(game, 2, STEPS, **SMALL | more)


def trained(folder, **more):
    run = Run.begin(folder, settings(**more))
    run.train()
    return run


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run that nobody cut."""
    return trained(tmp_path_factory.mktemp("runs") / "whole").folder


class Cut(Exception):
    pass


def cut_at(run, steps):
    """Train a run until then, and let it go without another word."""

    def tell(progress):
        if progress.steps >= steps:
            raise Cut

    with pytest.raises(Cut):
        run.train(tell)


@pytest.mark.parametrize("steps", [200, 500, 700, 1400])
def test_a_run_that_was_cut_ends_in_the_same_bytes(whole, tmp_path, steps):
    """While it copies, in its lessons, in practice, and near the end."""
    cut_at(Run.begin(tmp_path / "cut", settings()), steps)
    Run.resume(tmp_path / "cut").train()
    for name in (CHECKPOINT, BEST, PROGRESS, SETTINGS):
        assert (tmp_path / "cut" / name).read_bytes() == (whole / name).read_bytes()


def test_a_run_killed_at_any_moment_goes_on(whole, tmp_path):
    """SIGKILL again and again; every file is whole at every time."""
    folder = tmp_path / "killed"
    script = (
        "import sys, pathlib; from agents.training import Run; from tests.agents import "
        "test_training as t; f = pathlib.Path(sys.argv[1]);"
        "run = Run.resume(f) if (f / 'settings.json').exists() else Run.begin(f, t.settings());"
        "print('up', flush=True); run.train()"
    )
    for wait in (0.05, 0.4, 0.9):
        child = subprocess.Popen(
            [sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE
        )
        child.stdout.readline()
        time.sleep(wait)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        if (folder / BEST).exists():
            load_network(folder / BEST, find_game("cabanga"))
    Run.resume(folder).train()
    assert (folder / CHECKPOINT).read_bytes() == (whole / CHECKPOINT).read_bytes()


def test_a_finished_run_has_nothing_left_to_do(whole):
    before = (whole / CHECKPOINT).read_bytes()
    run = Run.resume(whole)
    run.train()
    assert (whole / CHECKPOINT).read_bytes() == before


def test_a_run_tells_what_it_found(whole):
    found = json.loads((whole / PROGRESS).read_text())
    assert [one["steps"] for one in found] == sorted({one["steps"] for one in found})
    assert found[-1]["steps"] >= STEPS
    for one in found:
        for way in ("greedy", "sampled"):
            share = one[way]["share"]
            assert 0 <= share["low"] <= share["value"] <= share["high"] <= 1
    assert list((whole / "log").glob("events.*"))
    assert not list(whole.glob(".*.new"))


def test_another_seed_is_another_run(whole, tmp_path):
    trained(tmp_path / "other", seed=1)
    assert (tmp_path / "other" / BEST).read_bytes() != (whole / BEST).read_bytes()


DECISION = torch.tensor([0, 0, 0, 1, 1, 1])  # of six allowed actions
ACTION = torch.tensor([0, 1, 2, 0, 1, 3])


def weighed(likes, values):
    return Weighed(DECISION, ACTION, log_odds(likes, DECISION, 2), values)


def test_lessons_find_the_best_by_its_mean_outcome():
    """From noisy outcomes; and the critic learns what the best is worth."""
    truth = torch.tensor([0.3, -0.2, 0.0, 0.0, 0.5, 0.1])
    likes, values = torch.zeros(6, requires_grad=True), torch.zeros(2, requires_grad=True)
    optimiser = torch.optim.SGD([{"params": likes}, {"params": values, "lr": 0.02}], lr=0.5)
    chance = torch.Generator().manual_seed(0)
    for _ in range(2000):
        noisy = truth + 0.5 * torch.randn(6, generator=chance)
        optimiser.zero_grad()
        lesson_loss(weighed(likes, values), noisy).backward()
        optimiser.step()
    odds = weighed(likes, values).odds.exp().reshape(2, 3)
    assert odds.argmax(dim=1).tolist() == [0, 1]
    assert odds.max(dim=1).values.min() > 0.9
    assert values.tolist() == pytest.approx([0.3, 0.5], abs=0.1)


def test_copying_finds_what_was_chosen():
    chosen = torch.tensor([0.0, 1.0, 0.0, 1.0, 0.0, 0.0])
    good, bad = torch.tensor([0.0, 3, 0, 3, 0, 0]), torch.tensor([3.0, 0, 0, 0, 3, 3])
    values = torch.zeros(2)
    assert copy_loss(weighed(good, values), chosen) < copy_loss(weighed(bad, values), chosen)


def test_odds_are_those_of_the_softmax_of_each_decision():
    likes = torch.tensor([1.0, 2, 300, -400, -401, -402])
    found = weighed(likes, torch.zeros(2))
    dense = torch.log_softmax(likes.reshape(2, 3), dim=1)
    assert torch.allclose(found.odds, dense.flatten())
    assert torch.allclose(found.odds_of(torch.tensor([2, 3])), dense[[0, 1], [2, 2]])
    assert torch.allclose(found.entropy(), -(dense.exp() * dense).sum(dim=1))


def test_the_odds_among_some_actions_leave_the_others_out():
    likes = torch.tensor([1.0, 2, 9, 0, 3, 4])
    tried = torch.tensor([True, True, False, False, True, True])
    found = weighed(likes, torch.zeros(2)).among(tried)
    assert found.action.tolist() == [0, 1, 1, 3]
    first = torch.log_softmax(likes[:2], dim=0)
    second = torch.log_softmax(likes[4:], dim=0)
    assert torch.allclose(found.odds, torch.cat([first, second]))


def test_what_is_all_but_ruled_out_is_not_tried():
    decision, action = np.array([0, 0, 0, 1, 1, 2]), np.array([3, 5, 7, 0, 1, 4])
    choices = Choices(decision, action, np.zeros((6, 0), np.float32))
    likes = np.array([4.0, 3.9, -9.0, 0.0, 80.0, 1.0], np.float32)
    assert worth_trying(choices, likes, 0.002).tolist() == [0, 1]
    assert worth_trying(choices, likes, 0).tolist() == [0, 1, 2, 3, 4]


def test_the_player_is_the_mean_of_the_weights_of_late(tmp_path):
    taught = settings(copy_steps=0, lesson_steps=128, practice_steps=128)
    run = Run.begin(tmp_path / "run", replace(taught, steps=384))  # a little of every part
    policy, seen = run.model.policy, []
    mean = policy.third.detach().clone()
    policy.optimizer.register_step_post_hook(lambda *_: seen.append(policy.third.detach().clone()))
    run.train()
    assert len(seen) > 6
    for weights in seen:
        mean = KEPT * mean + (1 - KEPT) * weights
    assert torch.allclose(torch.from_numpy(run.model.network().weight_3), mean)
    assert torch.equal(policy.third, seen[-1])
    assert not torch.allclose(policy.third, mean)


def test_in_its_lessons_the_network_sits_alone_among_its_teachers(tmp_path):
    """It learns from the decisions of its own seat only, and everybody else does as the teacher."""
    taught = settings(copy_steps=0, lesson_steps=128, practice_steps=0, rollout=32, lanes=32)
    run = Run.begin(tmp_path / "run", replace(taught, seats=4, steps=1024))
    run.train()
    buffer, its_seat = run.model.rollout_buffer, np.arange(32) % 4
    mine = buffer.seat == its_seat
    assert mine.any(axis=0).all()
    assert buffer.known[mine].mean() > 0.9  # there is little that is not a choice in Cabanga
    assert not buffer.known[~mine].any()
    seen, mask = buffer.observations[~mine], buffer.action_masks[~mine]
    view = View(seen, mask, np.arange(len(seen)), Chance(new_generators(len(seen))))
    assert (buffer.actions[~mine].ravel() == run.model.teacher.act(view)).all()


def test_a_network_that_only_copies_is_itself_the_player(tmp_path):
    run = Run.begin(tmp_path / "run", replace(settings(), steps=256))
    run.train()
    assert run.model.mean is None
    weights = run.model.policy.third.detach().numpy()
    assert (run.model.network().weight_3 == weights).all()


def test_a_teacher_is_copied(tmp_path):
    """After a part of copying alone the network agrees with its teacher more often."""
    larger = {"lanes": 64, "rollout": 32, "hidden": (32, 32), "evaluate_every": 10**6}
    chosen = replace(settings(**larger), steps=40_000, copy_steps=60_000)
    run = Run.begin(tmp_path / "taught", chosen)
    before = agreement(run)
    run.train()
    assert agreement(run) > before + 0.05


def agreement(run):
    """How often a network would do what its teacher does."""
    games = VectorGames(run.spec, 400, seed=9, **run.options)
    now = games.reset()
    for _ in range(12):
        now = games.step(games.sample())
    view = View(now.observation, now.mask, np.arange(400), Chance(new_generators(400)))
    player = NetworkPlayer(run.spec, run.options, run.model.policy.network())
    return (player.act(view) == run.model.teacher.act(view)).mean()


@pytest.mark.parametrize("n", [0, 10, 5000, -3])
def test_a_damaged_checkpoint_is_refused(whole, tmp_path, n):
    folder = tmp_path / "damaged"
    folder.mkdir()
    content = (whole / CHECKPOINT).read_bytes()
    (folder / SETTINGS).write_bytes((whole / SETTINGS).read_bytes())
    (folder / CHECKPOINT).write_bytes(content[:n])
    with pytest.raises(ValueError, match="is damaged or of another run"):
        Run.resume(folder)
    assert (folder / CHECKPOINT).read_bytes() == content[:n]


def test_a_checkpoint_of_other_settings_is_refused(whole, tmp_path):
    folder = tmp_path / "other"
    Run.begin(folder, settings(entropy=0.5))
    (folder / CHECKPOINT).write_bytes((whole / CHECKPOINT).read_bytes())
    with pytest.raises(ValueError, match="other settings"):
        Run.resume(folder)


def test_games_that_cannot_be_are_refused(whole, tmp_path):
    """The records in a checkpoint are checked like any save: kernels do not check bounds."""
    from safetensors.torch import load, save

    from agents.training import read_checkpoint

    content = (whole / CHECKPOINT).read_bytes()
    about, tensors = read_checkpoint(content)
    tensors = dict(load(content))
    tensors["games"] = tensors["games"] * 0 + 127
    folder = tmp_path / "bad"
    folder.mkdir()
    (folder / SETTINGS).write_bytes((whole / SETTINGS).read_bytes())
    (folder / CHECKPOINT).write_bytes(save(tensors, {"about": json.dumps(about)}))
    with pytest.raises(ValueError, match="is damaged or of another run"):
        Run.resume(folder)


def test_a_folder_has_one_run(whole, tmp_path):
    with pytest.raises(ValueError, match="already holds a run: go on with --resume"):
        Run.begin(whole, settings())
    with pytest.raises(ValueError, match="holds no run: begin one with --out"):
        Run.resume(tmp_path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"lanes": 0}, "lanes"),
        ({"hidden": (3,)}, "hidden must be 2 numbers, not 1"),
        ({"hidden": "ab"}, "hidden must be 2 whole numbers"),
        ({"hidden": 5}, "hidden must be 2 whole numbers"),
        ({"hidden": (8, 0)}, "hidden"),
        ({"batch": 1}, "batch must be from 2"),
        ({"epochs": "4"}, "epochs must be a whole number"),
        ({"copy_steps": 1.5}, "copy_steps must be a whole number"),
        ({"learning_rate": 0}, "learning_rate must be a number from 1e-09 to 1, not 0"),
        ({"learning_rate": float("nan")}, "learning_rate"),
        ({"entropy": -0.1}, "entropy must be a number from 0 to 10"),
        ({"entropy": "much"}, "entropy must be a number from 0 to 10, not 'much'"),
        ({"gae_lambda": 1.1}, "gae_lambda must be a number from 0 to 1"),
        ({"gae_lambda": True}, "gae_lambda must be a number"),
        ({"clip": 0.0}, "clip must be a number"),
        ({"clip": float("inf")}, "clip must be a number"),
        ({"seats": 9}, "num_players"),
        ({"seats": None}, "num_players"),
        ({"seed": -1}, "seed"),
        ({"game": "whist"}, "there is no game 'whist'"),
        ({"game": []}, "there is no game"),
    ],
)
def test_settings_that_cannot_be_are_refused(given, words):
    with pytest.raises(ValueError, match=words):
        Settings(**{"game": "cabanga", "seats": 2, "steps": 100} | given)


def test_settings_are_given_by_name():
    made = Settings.of("cabanga", 2, 100, 0, {"entropy": 1, "hidden": [8, 8]})
    assert made.hidden == (8, 8)
    assert made.entropy == 1
    assert Settings.read(json.dumps(made.__dict__)) == made
    with pytest.raises(ValueError, match="there is no setting 'entropie'; there are lanes"):
        Settings.of("cabanga", 2, 100, 0, {"entropie": 1})
    with pytest.raises(ValueError, match=r"lanes must be a whole number from 1 to \d+, not 'many'"):
        Settings.of("cabanga", 2, 100, 0, {"lanes": "many"})


def test_every_setting_has_bounds():
    checked = {"game", "seats", "seed", "hidden", *LEAST, *WITHIN}
    assert checked == {field.name for field in fields(Settings)}


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", "[" * 100_000, '{"game": "cabanga"}', "\0"],
)
def test_a_folder_whose_settings_are_damaged_is_refused(tmp_path, content):
    (tmp_path / SETTINGS).write_text(content)
    with pytest.raises(ValueError, match=r"settings\.json is damaged"):
        Run.resume(tmp_path)


def test_settings_of_a_wrong_kind_are_refused_in_a_folder_too(whole, tmp_path):
    good = json.loads((whole / SETTINGS).read_text())
    for name, value in (("hidden", 5), ("lanes", "16"), ("clip", None), ("seats", [2])):
        (tmp_path / SETTINGS).write_text(json.dumps(good | {name: value}))
        with pytest.raises(ValueError, match="is damaged"):
            Run.resume(tmp_path)


def test_a_run_that_cannot_be_leaves_no_folder(tmp_path):
    with pytest.raises(ValueError, match="must be from 1 to"):
        Run.begin(tmp_path / "run", settings(lanes=10**11))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("part", ["copy_steps", "lesson_steps", "practice_steps", "steps"])
def test_rollouts_that_show_nothing_teach_nothing(tmp_path, part):
    """Two decisions of four seats: nobody's second decision is in sight, mostly."""
    taught = {name: 0 for name in ("copy_steps", "lesson_steps", "practice_steps")}
    tiny = {"lanes": 1, "rollout": 2, "batch": 2, "evaluate_every": 10**6}
    chosen = replace(settings(**taught | tiny), **{"seats": 4, "steps": 40, part: 40})
    run = Run.begin(tmp_path / "run", chosen)
    run.train()
    assert all(bool(one.isfinite().all()) for one in run.model.policy.parameters())


def test_seeds_of_different_purposes_never_meet():
    ranges = (PUBLISHED, TUNING, TRAINING, CHOOSING)
    assert all(set(a).isdisjoint(b) for a in ranges for b in ranges if a is not b)
    assert seed_for(TRAINING, 3) in TRAINING
    with pytest.raises(ValueError, match="seed"):
        seed_for(TRAINING, len(TRAINING))


def test_nothing_that_loads_can_run_code():
    """No pickle on the way in: neither ours nor torch's."""
    from pathlib import Path

    import agents

    pages = list(Path(agents.__file__).parent.rglob("*.py"))
    assert len(pages) > 10
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "pickle" not in text
        assert "torch.load" not in text
