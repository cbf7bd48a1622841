"""Training by self-play: MaskablePPO on the batch, every seat learning, after a look at a teacher.

A run lives in a folder: `settings.json`, `checkpoint.safetensors` (everything that the rest of the
run depends on, in one file that is replaced as a whole), `best.safetensors` (the network that did
best so far), `progress.json` (the evaluations) and `log/` for TensorBoard. A run that was cut short
and is resumed ends in the same weights, to the last bit, as one that was not.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger, TensorBoardOutputFormat

from agents.aims import Winning, aim_to_win
from agents.aspects import aspects_of
from agents.checkpoint import (
    DAMAGES,
    checkpoint_bytes,
    fitting,
    parsed,
    read_checkpoint,
    write_whole,
)
from agents.match import Entrant
from agents.network import Network, NetworkPlayer, network_bytes
from agents.players import find_player
from agents.ppo import COPYING, LESSONS, PRACTICE, SELF_PLAY, Part, SelfPlay, WeighingPolicy
from agents.sb3 import FEWEST, AllSeats, SeatBuffer
from agents.seeds import CHOOSING, TRAINING, seed_for
from agents.tournament import alone
from cardcore import GameSpec, VectorGames, find_game
from cardcore.options import OptionError, whole_number, whole_numbers

SETTINGS, CHECKPOINT, BEST, PROGRESS = (
    "settings.json",
    "checkpoint.safetensors",
    "best.safetensors",
    "progress.json",
)
TEACHER = "tuned"
YARDSTICK = "tuned"
RECORDS = "games"  # the batch, in a checkpoint
CHANCE = "torch_rng"
LAST_PART = 0.1  # of the learning rate and the entropy that is left at the end of a run
MOMENTS = {"exp_avg": -math.inf, "exp_avg_sq": 0.0, "step": 0.0}  # of Adam, and their least
WAYS = ("greedy", "sampled")  # to play in an evaluation

LEAST = {  # that the settings which are whole numbers may be
    "steps": 1,
    "lanes": 1,
    "rollout": 1,
    "batch": FEWEST,
    "epochs": 1,
    "copy_steps": 0,
    "lesson_steps": 0,
    "practice_steps": 0,
    "checkpoint_every": 1,
    "evaluate_every": 1,
    "deals": 1,
}
MOST = 10**12
WITHIN = {  # the settings that are any numbers
    "softness": (0.0, 10.0),
    "practice_rate": (1e-9, 1.0),
    "ruled_out": (0.0, 0.5),
    "learning_rate": (1e-9, 1.0),
    "entropy": (0.0, 10.0),
    "gae_lambda": (0.0, 1.0),
    "clip": (1e-9, 1.0),
}
WIDEST = 10**5  # layer

Tell = Callable[["Progress"], object]


@dataclass(frozen=True)
class Settings:
    """What a run is made of; two runs of the same settings give the same network."""

    game: str
    seats: int
    steps: int  # decisions in all
    seed: int = 0
    lanes: int = 1024
    rollout: int = 32  # steps of all lanes between updates
    batch: int = 4096
    epochs: int = 4
    hidden: tuple[int, int] = (256, 128)
    copy_steps: int = 400_000  # first decisions, in which the network copies its teacher
    lesson_steps: int = 1_200_000  # then it is shown what every action leads to; see agents/ppo.py
    practice_steps: int = 2_400_000  # and then what it leads to when the network itself plays on
    softness: float = 0.04  # reward that a unit of entropy is worth there: hard odds learn no more
    practice_rate: float = 5e-4  # of learning there; falls to a tenth over the part
    ruled_out: float = 0.01  # odds below which an action is not played out there
    learning_rate: float = 3e-4  # in self-play; falls to a tenth over the run
    entropy: float = 0.01  # falls to a tenth over the run
    gae_lambda: float = 0.95
    clip: float = 0.2
    checkpoint_every: int = 500_000  # steps
    evaluate_every: int = 1_000_000
    deals: int = 500  # of an evaluation

    def __post_init__(self) -> None:
        for name, least in LEAST.items():
            whole_number(name, getattr(self, name), least, MOST)
        for name, (low, high) in WITHIN.items():
            real_number(name, getattr(self, name), low, high)
        widths = whole_numbers("hidden", self.hidden, 2, 1, WIDEST)
        object.__setattr__(self, "hidden", widths)  # JSON knows no tuples
        find_game(self.game).seats.check(self.seats)
        seed_for(TRAINING, self.seed)

    @classmethod
    def of(cls, game: str, seats: int, steps: int, seed: int, given: Mapping[str, Any]) -> Settings:
        """Settings with some of them given by name."""
        known = [field.name for field in cls.named()]
        for name in given:
            if name not in known:
                raise ValueError(f"there is no setting {name!r}; there are {', '.join(known)}")
        return cls(game, seats, steps, seed, **given)

    @classmethod
    def named(cls) -> tuple[Field[Any], ...]:
        """The settings that are given by name; the others have words of their own."""
        return fields(cls)[4:]

    def parts(self) -> list[Part]:
        """The parts in which the network is taught; self-play is what comes after them."""
        found, start = [], 0
        taught = (COPYING, self.copy_steps), (LESSONS, self.lesson_steps)
        for name, steps in (*taught, (PRACTICE, self.practice_steps)):
            found.append(Part(name, start, start + steps))
            start += steps
        return found

    def command(self) -> str:
        """The command that begins a run of these settings."""
        words = [f"malus train {self.game} --seats {self.seats} --steps {self.steps}"]
        words += [f"--seed {self.seed}"] if self.seed else []
        for field in self.named():
            value = getattr(self, field.name)
            if value != field.default:
                words.append(f"--set {field.name}={json.dumps(value).replace(' ', '')}")
        return " ".join(words)

    @classmethod
    def read(cls, text: str) -> Settings:
        """Settings from the JSON of a run."""
        given = parsed(text)
        known = {field.name for field in fields(cls)}
        if not isinstance(given, dict) or set(given) != known:
            raise ValueError(f"settings must have {', '.join(sorted(known))}")
        return cls(**given)


@dataclass(frozen=True)
class Progress:
    """Where a run is."""

    steps: int
    part: str  # copying, lessons, practice or self-play
    evaluations: list[dict[str, Any]]


class Run:
    """A run in its folder."""

    def __init__(self, folder: Path | None, settings: Settings) -> None:
        self._folder, self.settings = folder, settings
        self.spec: GameSpec = find_game(settings.game)
        self.options = self.spec.checked(settings.seats, {})
        self.evaluations: list[dict[str, Any]] = []
        seed = seed_for(TRAINING, settings.seed)
        torch.set_num_threads(1)  # two that wait for each other lose more than they gain
        torch.distributions.Distribution.set_default_validate_args(False)
        teacher = find_player(TEACHER, self.spec)(self.spec, self.options)
        games = VectorGames(self.spec, settings.lanes, seed=seed, **self.options)
        self.env = AllSeats(games)
        self.model = SelfPlay(
            WeighingPolicy,
            self.env,
            learning_rate=lambda left: settings.learning_rate * max(left, LAST_PART),
            n_steps=settings.rollout,
            batch_size=settings.batch,
            n_epochs=settings.epochs,
            gamma=1.0,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip,
            ent_coef=settings.entropy,
            rollout_buffer_class=SeatBuffer,
            rollout_buffer_kwargs={"source": self.env, "seed": seed},
            policy_kwargs={"aspects": aspects_of(self.spec), "hidden": settings.hidden},
            seed=seed,
            device="cpu",
        )
        self.model.teacher = teacher
        self.model.parts = settings.parts()
        self.model.practice_rate = settings.practice_rate
        self.model.softness = settings.softness
        self.model.ruled_out = settings.ruled_out

    def set_aim(self) -> None:
        """To win the game, round by round."""
        seed = seed_for(TRAINING, self.settings.seed)
        self.env.aim = aim_to_win(self.spec, self.options, self.model.teacher, seed)

    @property
    def folder(self) -> Path:
        """Where the run lives; one that is only looked at has no folder."""
        if self._folder is None:
            raise ValueError("this run has no folder: begin one with Run.begin(folder, settings)")
        return self._folder

    @classmethod
    def begin(cls, folder: Path, settings: Settings) -> Run:
        """A new run in a folder that has none."""
        if (folder / SETTINGS).exists():
            raise ValueError(f"{folder} already holds a run: go on with --resume {folder}")
        run = cls(folder, settings)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ValueError(f"{folder} cannot be made: {error.strerror}") from None
        if not os.access(folder, os.W_OK):
            raise ValueError(f"{folder} may not be written")
        run.set_aim()
        write_whole(folder / SETTINGS, json.dumps(asdict(settings), indent=1).encode() + b"\n")
        return run

    @classmethod
    def resume(cls, folder: Path) -> Run:
        """The run of a folder, from its last checkpoint, or from its start if there is none."""
        run = cls(folder, settings_of(folder))
        if (folder / CHECKPOINT).exists():
            run._restore((folder / CHECKPOINT).read_bytes())
        else:
            run.set_aim()
        return run

    def train(self, tell: Tell = lambda progress: None) -> Network:
        """Train to the end, and give the network."""
        log = TensorBoardOutputFormat(str(self.folder / "log"))
        self.model.set_logger(Logger(None, [log]))
        left = self.settings.steps - self.model.num_timesteps
        if left > 0:
            self.model.learn(left, callback=Watch(self, tell), reset_num_timesteps=False)
            self._evaluate()
            self._checkpoint()
        log.close()
        tell(self.progress())
        return self.model.network()

    def progress(self) -> Progress:
        """Where the run is."""
        model = self.model
        part = model.now_comes.name if model.now_comes else SELF_PLAY
        return Progress(model.num_timesteps, part, self.evaluations)

    def at_rest(self) -> None:
        """Between an update and the next rollout: look, save, go on."""
        done, settings = self.model.num_timesteps, self.settings
        left = max(1 - done / settings.steps, LAST_PART)
        self.model.ent_coef = settings.entropy * left
        per_rollout = settings.lanes * settings.rollout
        if done and done % settings.evaluate_every < per_rollout:
            self._evaluate()
        if done and done % settings.checkpoint_every < per_rollout:
            self._checkpoint()

    def _evaluate(self) -> None:
        """Measure the network against the yardstick, and keep it if it is the best so far."""
        done = self.model.num_timesteps
        if any(one["steps"] == done for one in self.evaluations):
            return
        network = self.model.network()
        found: dict[str, Any] = {"steps": done}
        for way in WAYS:
            one = Entrant(way, partial(NetworkPlayer, network=network, greedy=way == "greedy"))
            rest = Entrant(YARDSTICK, find_player(YARDSTICK, self.spec))
            seed = seed_for(CHOOSING, self.settings.seed)
            figures = alone(self.spec, self.options, one, rest, self.settings.deals, seed)
            found[way] = asdict(figures)
            self.model.logger.record(f"against_{YARDSTICK}/{way}_share", figures.share.value)
            self.model.logger.record(
                f"against_{YARDSTICK}/{way}_difference", figures.difference.value
            )
        self.evaluations.append(found)
        if max(self.evaluations, key=strength) is found:
            write_whole(self.folder / BEST, network_bytes(network))
        text = json.dumps(self.evaluations, indent=1) + "\n"
        write_whole(self.folder / PROGRESS, text.encode())
        self.model.logger.dump(done)

    # checkpoints

    def _checkpoint(self) -> None:
        """Write down everything that the rest of the run depends on."""
        model, tensors = self.model, {}
        for name, parameter in model.policy.named_parameters():
            tensors[f"network.{name}"] = parameter.detach()
            state = model.policy.optimizer.state.get(parameter, {})
            for moment in MOMENTS:
                if moment in state:
                    tensors[f"{moment}.{name}"] = state[moment]
            if model.mean is not None:
                tensors[f"mean.{name}"] = model.mean[name]
        tensors[CHANCE] = torch.get_rng_state()
        tensors[RECORDS] = torch.frombuffer(bytearray(self.env.games.save()), dtype=torch.uint8)
        about = {
            "settings": asdict(self.settings),
            "steps": model.num_timesteps,
            "updates": model._n_updates,
            "mean_of": model.mean_of,
            "n_steps_in_mean": model.n_steps_in_mean,
            "aim": vars(self.env.aim),
            "order": model.rollout_buffer.chance.bit_generator.state,
            "evaluations": self.evaluations,
        }
        write_whole(self.folder / CHECKPOINT, checkpoint_bytes(about, tensors))

    def _restore(self, content: bytes) -> None:
        """Go on from a checkpoint; one that is not of this run is refused."""
        try:
            about, tensors = read_checkpoint(content)
            if about["settings"] != json.loads(json.dumps(asdict(self.settings))):
                raise ValueError("it is of other settings than the run")
            self._put(about, tensors)
        except DAMAGES as error:
            where = self.folder / CHECKPOINT
            raise ValueError(f"{where} is damaged or of another run: {error}") from None

    def _put(self, about: Mapping[str, Any], tensors: Mapping[str, torch.Tensor]) -> None:
        """What `_checkpoint` took, back in its places."""
        model, settings, aim = self.model, self.settings, about["aim"]
        self._put_weights(tensors)
        torch.set_rng_state(fitting(tensors[CHANCE], torch.get_rng_state()))
        model.rollout_buffer.chance.bit_generator.state = about["order"]
        self.env.now = self.env.games.load(tensors[RECORDS].numpy().tobytes())
        model._last_obs = self.env.now.observation
        model._last_episode_starts = np.zeros(self.env.num_envs, np.bool_)
        most = settings.steps + settings.lanes * settings.rollout
        model.num_timesteps = whole_number("steps", about["steps"], 0, most)
        model._n_updates = whole_number("updates", about["updates"], 0, MOST)
        model.mean_of = checked_part(about["mean_of"], has_mean(tensors))
        model.n_steps_in_mean = whole_number("steps in mean", about["n_steps_in_mean"], 0, MOST)
        at_first, by_round, by_point = map(float, aim["rounds_left"])
        rounds_left = at_first, by_round, by_point
        self.env.aim = Winning(rounds_left, float(aim["spread"]), float(aim["scale"]))
        self.evaluations = checked_evaluations(about["evaluations"])

    def _put_weights(self, tensors: Mapping[str, torch.Tensor]) -> None:
        """The network, its mean and what the optimiser remembers, back in their places."""
        named = dict(self.model.policy.named_parameters())
        check_names(tensors, named)
        state = self.model.policy.optimizer.state
        for name, parameter in named.items():
            parameter.data = fitting(tensors[f"network.{name}"], parameter)
            for moment, least in MOMENTS.items():
                if f"{moment}.{name}" in tensors:
                    like = parameter if moment != "step" else torch.zeros(())
                    found = fitting(tensors[f"{moment}.{name}"], like, least)
                    state[parameter][moment] = found
        if has_mean(tensors):
            means = {name: fitting(tensors[f"mean.{name}"], one) for name, one in named.items()}
            self.model.mean = means


class Watch(BaseCallback):
    """SB3's hook between an update and the next rollout."""

    def __init__(self, run: Run, tell: Tell) -> None:
        super().__init__()
        self.run, self.tell = run, tell

    def _on_rollout_start(self) -> None:
        self.run.at_rest()
        self.tell(self.run.progress())

    def _on_step(self) -> bool:
        return True


def strength(evaluation: Mapping[str, Any]) -> float:
    """By what checkpoints are compared: the share of wins, played greedily."""
    return float(evaluation["greedy"]["share"]["value"])


def settings_of(folder: Path) -> Settings:
    """The settings of the run in a folder."""
    if not (folder / SETTINGS).is_file():
        raise ValueError(f"{folder} holds no run: begin one with --out {folder}")
    try:
        return Settings.read((folder / SETTINGS).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{folder / SETTINGS} is damaged: {error}") from None


def evaluations_of(folder: Path) -> list[dict[str, Any]]:
    """The evaluations of the run in a folder, so far."""
    if not (folder / PROGRESS).exists():
        return []
    try:
        return checked_evaluations(parsed((folder / PROGRESS).read_text(encoding="utf-8")))
    except DAMAGES as error:
        raise ValueError(f"{folder / PROGRESS} is damaged: {error}") from None


def check_names(tensors: Mapping[str, torch.Tensor], named: Iterable[str]) -> None:
    """An error, unless there is all that a checkpoint of these parameters has, and no more.

    A parameter that was never learned has no moments; of others there are all. There is a mean of
    all parameters or of none.
    """
    wanted = {CHANCE, RECORDS}
    for name in named:
        kinds = ["network", *(["mean"] if has_mean(tensors) else [])]
        kinds += [*MOMENTS] if f"step.{name}" in tensors else []
        wanted |= {f"{kind}.{name}" for kind in kinds}
    if wrong := sorted(wanted ^ set(tensors)):
        raise ValueError(f"it lacks, or should not have, {', '.join(wrong)}")


def checked_part(name: Any, has_mean: bool) -> str | None:
    """The part that a mean of the weights is of, or none if there is no mean."""
    if name not in ((LESSONS, PRACTICE, SELF_PLAY) if has_mean else (None,)):
        raise ValueError(f"a mean of {name!r}")
    return name


def has_mean(tensors: Iterable[str]) -> bool:
    """Whether there is a mean of the weights among what a checkpoint holds."""
    return any(name.startswith("mean.") for name in tensors)


def checked_evaluations(given: Any) -> list[dict[str, Any]]:
    """The evaluations of a run, if these can be such; one of DAMAGES if not."""
    for one in given:
        whole_number("steps", one["steps"], 0, MOST)
        figures = [one[way][name] for way in WAYS for name in ("share", "difference")]
        numbers = [one[part] for one in figures for part in ("value", "low", "high")]
        if not np.isfinite(numbers).all():
            raise ValueError("it has an evaluation whose figures are not finite")
    return list(given)


def real_number(name: str, value: Any, low: float, high: float) -> None:
    """An error that names what was given, if it is no number within bounds."""
    if type(value) not in (int, float) or not low <= value <= high:
        raise OptionError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")
