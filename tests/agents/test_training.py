"""Runs: what they write, what they refuse, and that a cut never shows in what comes out."""

import json
import math
import os
import signal
import stat
import subprocess
import sys
from dataclasses import fields, replace
from itertools import pairwise

import hypothesis
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents import aims, training
from agents.aspects import Choices
from agents.checkpoint import checkpoint_bytes, read_checkpoint, write_whole
from agents.network import NetworkPlayer, load_network
from agents.players import Chance, View, new_generators
from agents.ppo import (
    COPYING,
    LATE,
    LESSONS,
    PRACTICE,
    SELF_PLAY,
    Weighed,
    copy_loss,
    lesson_loss,
    log_odds,
    worth_trying,
)
from agents.seeds import CHOOSING, PUBLISHED, TRAINING, TUNING, seed_for
from agents.tournament import alone
from agents.training import BEST, CHECKPOINT, LEAST, PROGRESS, SETTINGS, WITHIN, Run, Settings
from cardcore import VectorGames, find_game

pytestmark = pytest.mark.compiled
aims.GAMES = 30  # enough for runs as small as these

SMALL = {
    **{"lanes": 16, "rollout": 8, "batch": 64, "epochs": 2, "hidden": (16, 16), "deals": 4},
    **{"copy_steps": 320, "lesson_steps": 330, "practice_steps": 300},
    **{"checkpoint_every": 200, "evaluate_every": 512},
}
STEPS, PER_ROLLOUT = 1536, 128
FILES = (CHECKPOINT, BEST, PROGRESS, SETTINGS)


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


def same_files(one, other):
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in FILES)


@pytest.mark.parametrize(
    ("steps", "part"),
    [(300, COPYING), (512, LESSONS), (896, PRACTICE), (1400, SELF_PLAY)],
)
def test_a_run_that_was_cut_ends_in_the_same_bytes(whole, tmp_path, steps, part):
    """In the middle of every part: it had begun when the last checkpoint was written."""
    cut_at(Run.begin(tmp_path / "cut", settings()), steps)
    run = Run.resume(tmp_path / "cut")
    assert run.progress().part == part
    run.model.num_timesteps -= PER_ROLLOUT
    assert run.progress().part == part
    run.model.num_timesteps += PER_ROLLOUT
    run.train()
    assert same_files(tmp_path / "cut", whole)


def test_a_run_that_was_cut_before_its_first_checkpoint_begins_anew(whole, tmp_path):
    cut_at(Run.begin(tmp_path / "cut", settings()), 100)
    assert not (tmp_path / "cut" / CHECKPOINT).exists()
    Run.resume(tmp_path / "cut").train()
    assert same_files(tmp_path / "cut", whole)


KILLED = """
import os, signal, sys
from pathlib import Path
from agents import aims, checkpoint
from agents.training import Run

folder, aims.GAMES, steps, how = Path(sys.argv[1]), *map(int, sys.argv[2:4]), sys.argv[4]

def die():
    os.kill(os.getpid(), signal.SIGKILL)

def half_written(file):
    os.ftruncate(file, os.fstat(file).st_size // 2)
    die()

def tell(progress):
    if progress.steps >= steps and how == "at once":
        die()
    if progress.steps >= steps:
        checkpoint.os.fsync = half_written

Run.resume(folder).train(tell)
"""


def test_a_run_killed_at_any_moment_goes_on(whole, tmp_path):
    """In every part, and while it writes; every file is whole at every time."""
    folder = Run.begin(tmp_path / "killed", settings()).folder
    for steps, how in ((384, "at once"), (640, "at once"), (896, "at once"), (1200, "writing")):
        words = [str(folder), str(aims.GAMES), str(steps), how]
        child = subprocess.run([sys.executable, "-c", KILLED, *words])
        assert child.returncode == -signal.SIGKILL
        if (folder / BEST).exists():
            load_network(folder / BEST, find_game("cabanga"))
    assert list(folder.glob(".*.new"))
    Run.resume(folder).train()
    assert same_files(folder, whole)
    assert not list(folder.glob(".*.new"))


def test_a_file_is_on_the_disk_with_its_name(tmp_path, monkeypatch):
    """What was written, and then the folder in which it got its name."""
    synced, sync = [], os.fsync

    def spy(opened):
        sync(opened)
        synced.append((stat.S_ISDIR(os.fstat(opened).st_mode), (tmp_path / "x").exists()))

    monkeypatch.setattr(os, "fsync", spy)
    write_whole(tmp_path / "x", b"content")
    assert synced == [(False, False), (True, True)]


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
    assert not list(whole.glob(".*.new"))


def test_evaluations_are_in_the_log_when_they_were_made(whole):
    """The last one too."""
    found = json.loads((whole / PROGRESS).read_text())
    log = EventAccumulator(str(whole / "log")).Reload()
    for way in ("greedy", "sampled"):
        for figure in ("share", "difference"):
            seen = log.Scalars(f"against_tuned/{way}_{figure}")
            assert [one.step for one in seen] == [one["steps"] for one in found]
            values = [one[way][figure]["value"] for one in found]
            assert [one.value for one in seen] == pytest.approx(values, rel=1e-6)


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
        lesson_loss(weighed(likes, values), noisy, 0.01).backward()
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


def test_a_decision_without_an_allowed_action_is_refused():
    """Such as a seat that is not asked: its odds would be those of nothing."""
    run = Run(None, settings())
    now = run.env.games.reset()
    seen, masks = torch.from_numpy(now.observation), now.mask.copy()
    assert len(run.model.policy.weigh(seen, masks).values) == len(seen)
    masks[3] = 0
    with pytest.raises(ValueError, match="without an allowed action"):
        run.model.policy.weigh(seen, masks)


def test_what_is_all_but_ruled_out_is_not_tried():
    decision, action = np.array([0, 0, 0, 1, 1, 2]), np.array([3, 5, 7, 0, 1, 4])
    choices = Choices(decision, action, np.zeros((6, 0), np.float32))
    likes = np.array([4.0, 3.9, -9.0, 0.0, 80.0, 1.0], np.float32)
    assert worth_trying(choices, likes, 0.002).tolist() == [0, 1]
    assert worth_trying(choices, likes, 0).tolist() == [0, 1, 2, 3, 4]


def test_the_player_is_the_mean_of_the_weights_of_late(tmp_path):
    """Of each part but copying; the next part goes on from it."""
    taught = settings(copy_steps=0, lesson_steps=128, practice_steps=128)
    run = Run.begin(tmp_path / "run", replace(taught, steps=384))  # a little of every part
    policy, model, seen = run.model.policy, run.model, []
    policy.optimizer.register_step_pre_hook(
        lambda *_: seen.append([model.mean_of, policy.third.detach().clone()])
    )
    policy.optimizer.register_step_post_hook(
        lambda *_: seen[-1].append(policy.third.detach().clone())
    )
    run.train()
    assert list(dict.fromkeys(part for part, *_ in seen)) == ["lessons", "practice", "self-play"]
    mean = seen[0][1]
    for part in ("lessons", "practice", "self-play"):
        steps = [weights for name, *weights in seen if name == part]
        assert torch.allclose(steps[0][0], mean)
        mean = steps[0][0]
        for k, (_, after) in enumerate(steps, 1):
            mean = (k * mean + LATE * after) / (k + LATE)
    assert torch.allclose(torch.from_numpy(model.network().weight_3), mean)
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


@pytest.fixture(scope="module")
def resumed(whole):
    return Run.resume(whole)


def refused(run, content):
    """Whether the run does not go on from this."""
    with pytest.raises(ValueError, match="is damaged or of another run"):
        run._restore(content)
    return True


@given(st.data())
@hypothesis.settings(max_examples=100, deadline=None, derandomize=True, database=None)
def test_a_damaged_checkpoint_is_refused(whole, resumed, data):
    """Wherever it was changed, and wherever it was cut."""
    content = bytearray((whole / CHECKPOINT).read_bytes())
    where = data.draw(st.integers(0, len(content) - 1))
    assert refused(resumed, bytes(content[:where]))
    content[where] ^= data.draw(st.integers(1, 255))
    assert refused(resumed, bytes(content))


def test_a_refused_checkpoint_stays_as_it_is(whole, tmp_path):
    content = (whole / CHECKPOINT).read_bytes()[:-3]
    (tmp_path / SETTINGS).write_bytes((whole / SETTINGS).read_bytes())
    (tmp_path / CHECKPOINT).write_bytes(content)
    with pytest.raises(ValueError, match="is damaged or of another run"):
        Run.resume(tmp_path)
    assert (tmp_path / CHECKPOINT).read_bytes() == content


def put(*path):
    """A change of what a checkpoint says of itself: the last of these in the place before it."""
    *places, last, value = path

    def change(about, tensors):
        for place in places:
            about = about[place]
        about[last] = value

    return change


def fill(name, value):
    """A change of a tensor."""
    return lambda about, tensors: tensors[name].fill_(value)


def drop(name):
    """A checkpoint without a tensor."""
    return lambda about, tensors: tensors.pop(name)


FORGED = {
    "a weight that is no number": fill("network.third", math.nan),
    "a mean that is no number": fill("mean.third", math.inf),
    "a moment that is no number": fill("exp_avg.third", -math.inf),
    "a square below zero": fill("exp_avg_sq.third", -1),
    "steps below zero": fill("step.third", -1),
    "games that cannot be": fill("games", 127),
    "chance that cannot be": fill("torch_rng", 255),
    "two moments of three": drop("exp_avg_sq.third"),
    "two other moments of three": drop("step.third"),
    "a mean of some": drop("mean.third"),
    "no games": drop("games"),
    "one tensor more": lambda about, tensors: tensors.update(more=torch.zeros(1)),
    "no aim": lambda about, tensors: about.pop("aim"),
    "no spread": put("aim", "spread", 0),
    "a scale below zero": put("aim", "scale", -1.0),
    "a scale beyond numbers": put("aim", "scale", 10**400),
    "rounds that are no number": put("aim", "rounds_left", [1.0, math.nan, 0.0]),
    "two numbers for the rounds": put("aim", "rounds_left", [1.0, 2.0]),
    "a mean of copying": put("mean_of", "copying"),
    "a mean of nothing": put("mean_of", None),
    "a mean of no steps at all": put("n_steps_in_mean", -1),
    "steps beyond the end": put("steps", 10**9),
    "chance of another kind": put("order", "bit_generator", "MT19937"),
    "chance beyond numbers": put("order", "state", "state", 10**400),
    "evaluations that are a number": put("evaluations", 3),
    "an evaluation of nothing": put("evaluations", 0, {}),
    "an evaluation without steps": put("evaluations", 0, "steps", None),
    "a figure without its numbers": put("evaluations", 0, "greedy", "difference", {}),
    "a figure that is no number": put("evaluations", 0, "greedy", "share", "low", math.nan),
    "a figure in words": put("evaluations", 0, "sampled", "share", "low", "much"),
}


@pytest.mark.parametrize("change", FORGED.values(), ids=FORGED)
def test_a_forged_checkpoint_is_refused(whole, resumed, change):
    """Its digest is right, but it cannot be of a run."""
    about, tensors = read_checkpoint((whole / CHECKPOINT).read_bytes())
    resumed._restore(checkpoint_bytes(about, tensors))
    change(about, tensors)
    assert refused(resumed, checkpoint_bytes(about, tensors))


def test_words_without_end_are_refused(resumed):
    words = b'{"__metadata__":{"about":"' + b"[" * 100_000 + b'"}}'
    assert refused(resumed, len(words).to_bytes(8, "little") + words)
    assert refused(resumed, (10**5).to_bytes(8, "little") + b"[" * 100_000)


def test_a_checkpoint_of_other_settings_is_refused(whole, tmp_path):
    folder = tmp_path / "other"
    Run.begin(folder, settings(entropy=0.5))
    (folder / CHECKPOINT).write_bytes((whole / CHECKPOINT).read_bytes())
    with pytest.raises(ValueError, match="other settings"):
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
    ranges = sorted((PUBLISHED, TUNING, TRAINING, CHOOSING), key=lambda one: one.start)
    assert all(one.stop <= other.start for one, other in pairwise(ranges))
    assert seed_for(TRAINING, 3) in TRAINING
    with pytest.raises(ValueError, match="seed"):
        seed_for(TRAINING, len(TRAINING))


def test_a_run_learns_from_seeds_of_one_range_and_chooses_by_those_of_another(
    tmp_path, monkeypatch
):
    learned, chosen = [], []

    def learning(*args, seed, **options):
        learned.append(seed)
        return VectorGames(*args, seed=seed, **options)

    def choosing(spec, options, one, rest, deals, seed):
        chosen.append(seed)
        return alone(spec, options, one, rest, deals, seed)

    for page in (training, aims):
        monkeypatch.setattr(page, "VectorGames", learning)
    monkeypatch.setattr(training, "alone", choosing)
    Run.begin(tmp_path / "run", replace(settings(), seed=7, steps=128)).train()
    assert learned == [seed_for(TRAINING, 7)] * 2
    assert chosen == [seed_for(CHOOSING, 7)] * 2


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
