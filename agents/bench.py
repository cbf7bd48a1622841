"""`make bench`: how fast games and tournaments run, as ratios to RLCard measured in the same run.

All contestants take turns in short slices on one core, so that a busy machine slows them alike; a
ratio is the median over the slices. Games: play is random and legal, picking actions included, with
four players, default options, legality checks on and every array filled at every step. Tournaments:
decisions of four equal players, as ratios to RLCard's `tournament()` on Uno with its rule agent.
"""

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from agents import match
from agents.match import Entrant
from agents.players import find_player
from agents.report import check_place
from cardcore import GameSpec, VectorGames, find_game, game_names

PLAYERS = 4
LANES = (1, 64, 1024, 8192)
THREADED_LANES = 8192
BASELINE = "RLCard Uno"
TOURNAMENT = "RLCard Uno tournament"
TOURNAMENT_TARGETS = {"tuned": 20.0, "random": 100.0}
DEALS_TO_TRY = 1024  # how long they take tells how many deals fill a turn
FIRST_STEP = """
import time
start = time.perf_counter()
from {package} import {module}
env = {module}.env()
env.reset(seed=0)
observation, *_ = env.last()
env.step(int(observation["action_mask"].nonzero()[0][0]))
print(time.perf_counter() - start)
"""

LEARNING = (  # name in the report, in words, factor, to reach
    ("all_seats", "all seats, samples a CPU-second", 1.0, "4,000 or more"),
    ("stepping", "of that stepping and masks, %", 100.0, "5 or less"),
    ("learner_seat", "learner seat, samples a CPU-second", 1.0, ""),
    ("decisions", "a network, decisions a CPU-second", 1.0, "50,000 or more"),
    ("one_decision", "one decision alone, µs", 1e6, "100 or less"),
)

Play = Callable[[float], int]  # plays for about so many seconds, gives the number of steps


@dataclass
class Row:
    """One contestant's figures."""

    name: str
    steps_per_second: float
    ratio: float  # to the baseline
    baseline: str
    target: float | None  # a ratio to reach


class Contestant(NamedTuple):
    """How somebody plays, on how many cores, and what it is compared with."""

    play: Play
    cores: int = 1
    baseline: str = BASELINE
    target: float | None = None


def play_rlcard(seconds: float) -> int:
    """RLCard's own reset and step, with the cheapest random choice there is."""
    import rlcard

    env = rlcard.make("uno", config={"game_num_players": PLAYERS})
    state, _ = env.reset()
    steps, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        for _ in range(100):
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            steps += 1
            if env.is_over():
                state, _ = env.reset()
    return steps


def aec_player(spec: GameSpec) -> Play:
    """The PettingZoo loop: `last`, a legal action from the mask, `step`."""
    env = import_module(f"{spec.package}.{spec.env_name}").env(num_players=PLAYERS)

    def play(seconds: float) -> int:
        steps, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, _, _ = env.last()
                if terminated:
                    env.step(None)
                    continue
                legal = observation["action_mask"].nonzero()[0]
                env.step(legal.item(int(random.random() * len(legal))))
                steps += 1
        return steps

    return play


def batch_player(spec: GameSpec, lanes: int, threads: int) -> Play:
    """The batch, with a random legal action for each lane."""
    games = VectorGames(spec, lanes, num_players=PLAYERS, seed=0, threads=threads)
    games.reset()
    games.step(games.sample())

    def play(seconds: float) -> int:
        steps, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            for _ in range(max(1, 1024 // lanes)):
                games.step(games.sample())
                steps += lanes
        return steps

    return play


def play_rlcard_tournament(seconds: float) -> int:
    """RLCard's own tournament among four of its rule agents; gives the number of decisions."""
    import rlcard
    from rlcard.models.uno_rule_models import UNORuleAgentV1
    from rlcard.utils import tournament

    env = rlcard.make("uno", config={"game_num_players": PLAYERS})
    decisions = 0

    class Counted(UNORuleAgentV1):
        def eval_step(self, state: Any) -> Any:
            nonlocal decisions
            decisions += 1
            return super().eval_step(state)

    env.set_agents([Counted() for _ in range(PLAYERS)])
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        tournament(env, 5)
    return decisions


def tournament_player(spec: GameSpec, name: str) -> Play:
    """One tournament of ours a turn, among four equal players, on as many deals as fill it."""
    entrants = [Entrant(name, find_player(name, spec))]
    table = np.zeros((1, PLAYERS), np.int64)
    options = spec.checked(PLAYERS, {})

    def hold(n_deals: int) -> int:
        return match.play(spec, options, entrants, table, range(n_deals), 0).decisions

    hold(1)  # compiles
    start = time.perf_counter()
    hold(DEALS_TO_TRY)
    pace = DEALS_TO_TRY / (time.perf_counter() - start)
    return lambda seconds: hold(math.ceil(pace * seconds))


def contestants(spec: GameSpec) -> dict[str, Contestant]:
    """Who takes part for one game."""
    title = spec.name.capitalize()
    entries = {f"{title} AEC env()": Contestant(aec_player(spec), target=2.5)}
    for lanes in LANES:
        target = 200.0 if lanes == 1024 else None
        entries[f"{title} batch of {lanes}"] = Contestant(
            batch_player(spec, lanes, 1), target=target
        )
    two = batch_player(spec, THREADED_LANES, 2)
    entries[f"{title} batch of {THREADED_LANES}, 2 threads"] = Contestant(two, cores=2)
    for name, target in TOURNAMENT_TARGETS.items():
        entries[f"{title} tournament of {name}"] = Contestant(
            tournament_player(spec, name), baseline=TOURNAMENT, target=target
        )
    return entries


def race(entries: dict[str, Contestant], slices: int, seconds: float) -> list[Row]:
    """Let everybody play in turn, several times over."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    rates: dict[str, list[float]] = {name: [] for name in entries}
    for _ in track(range(slices), "Racing"):
        for name, one in entries.items():
            if cores:
                os.sched_setaffinity(0, cores[-one.cores :])
            start = time.perf_counter()
            rates[name].append(one.play(seconds) / (time.perf_counter() - start))
    if cores:
        os.sched_setaffinity(0, cores)
    return [
        Row(
            name,
            statistics.median(rates[name]),
            statistics.median(a / b for a, b in zip(rates[name], rates[one.baseline], strict=True)),
            one.baseline,
            one.target,
        )
        for name, one in entries.items()
    ]


def first_steps(spec: GameSpec) -> dict[str, float]:
    """Seconds from the start of the import to the first step taken, without and with a cache."""
    script = FIRST_STEP.format(package=spec.package, module=spec.env_name)
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}

        def run() -> float:
            done = subprocess.run(
                [sys.executable, "-c", script], env=environment, capture_output=True, check=True
            )
            return float(done.stdout)

        return {"cold": run(), "warm": min(run() for _ in range(3))}


def show(report: dict[str, Any], console: Console) -> None:
    """The report as tables."""
    for baseline in (BASELINE, TOURNAMENT):
        unit = "steps/s" if baseline == BASELINE else "decisions/s"
        table = Table("contestant", unit, f"× {baseline}", "to reach")
        for row in report["rows"]:
            if row["baseline"] == baseline:
                target = "" if row["target"] is None else f"{row['target']:g} ×"
                speed = f"{row['steps_per_second']:,.0f}"
                table.add_row(row["name"], speed, f"{row['ratio']:.2f}", target)
        console.print(table)
    for name, game in report["games"].items():
        console.print(
            f"{name}: two threads {game['two_threads']:.2f} × one at {THREADED_LANES} lanes "
            f"(to reach 1.5); import and first step {game['first_step']['warm']:.2f} s from a warm "
            f"cache (1.5), {game['first_step']['cold']:.1f} s with cold compile (25)"
        )
    table = Table("learning and playing", *report["games"], "to reach")
    for key, words, factor, goal in LEARNING:
        figures = [f"{game['learning'][key] * factor:,.1f}" for game in report["games"].values()]
        table.add_row(words, *figures, goal)
    console.print(table)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, show and write the report."""
    parser = argparse.ArgumentParser(description="Speed of the games, as ratios to RLCard's Uno.")
    parser.add_argument("--slices", type=int, default=9, help="turns of each contestant")
    parser.add_argument("--seconds", type=float, default=0.4, help="length of a turn")
    parser.add_argument("--out", type=Path, default=Path("runs/bench.json"), help="JSON report")
    options = parser.parse_args(words)
    if options.slices < 1 or options.seconds <= 0:
        parser.error("--slices must be at least 1 and --seconds above 0")
    try:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        check_place(options.out)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    from agents import bench_training  # brings torch

    specs = [find_game(name) for name in game_names()]
    games: dict[str, Any] = {spec.name: {"first_step": first_steps(spec)} for spec in specs}
    entries = {
        BASELINE: Contestant(play_rlcard),
        TOURNAMENT: Contestant(play_rlcard_tournament, baseline=TOURNAMENT),
    }
    for spec in specs:
        entries |= contestants(spec)
    rows = race(entries, options.slices, options.seconds)
    rate = {row.name: row.steps_per_second for row in rows}
    for spec in specs:
        one = f"{spec.name.capitalize()} batch of {THREADED_LANES}"
        games[spec.name]["two_threads"] = rate[f"{one}, 2 threads"] / rate[one]
        games[spec.name]["learning"] = bench_training.speeds(spec)
    versions = {name: version(name) for name in ("numpy", "numba", "pettingzoo", "rlcard", "torch")}
    report = {"rows": [asdict(row) for row in rows], "games": games, "versions": versions}
    options.out.write_text(json.dumps(report, indent=1, allow_nan=False) + "\n")
    console = Console()
    show(report, console)
    console.print(f"written to {options.out}")


if __name__ == "__main__":
    main()
