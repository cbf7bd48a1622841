"""The demo: every installed game, thousands of times among random players, with a table of scores.

python -m agents.demo --games 400000 --players 4 --seed 1
"""

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from cardcore import GameSpec, VectorGames, find_game, game_names
from cardcore.options import whole_number
from cardcore.scoring import win_shares
from cardcore.spec import check_seed

LANES = 1024  # games that are played side by side
DEFAULT_GAMES = 400_000
MOST_GAMES = 100_000_000
STEPS_PER_REPORT = 16  # the bar is not redrawn at every step


@dataclass(frozen=True)
class Result:
    """What came of a number of games."""

    scores: NDArray[np.int64]  # [games, seat]
    n_steps: int  # over all lanes
    seconds: float


def warm_up(spec: GameSpec) -> None:
    """Compile what `play` calls, so that its clock measures play alone."""
    games = VectorGames(spec, 1, seed=0)
    games.reset()
    games.step(games.sample())


def play(
    spec: GameSpec,
    n_games: int,
    num_players: int | None,
    seed: int,
    report: Callable[[int], object] = lambda n_finished: None,
) -> Result:
    """Random players play n games, each lane its share, so that short games do not crowd in."""
    n_lanes = min(LANES, n_games)
    games = VectorGames(spec, n_lanes, num_players=num_players, seed=seed)
    left = n_games // n_lanes + (np.arange(n_lanes) < n_games % n_lanes)  # [n] games to come
    games.reset()
    scores, n_calls, start = [], 0, time.perf_counter()
    while left.any():
        step = games.step(games.sample())
        counted = step.done & (left > 0)
        if counted.any():
            scores.append(step.final_scores[counted].astype(np.int64))
            left -= counted
        n_calls += 1
        if n_calls % STEPS_PER_REPORT == 0:
            report(n_games - int(left.sum()))
    report(n_games)
    return Result(np.concatenate(scores), n_calls * n_lanes, time.perf_counter() - start)


def score_table(spec: GameSpec, result: Result) -> Table:
    """A row for each seat: what it scored and how often it won."""
    n_games, n_seats = result.scores.shape
    speed = result.n_steps / result.seconds
    caption = f"{n_games:,} games, {result.n_steps:,} steps, {speed:,.0f} steps per second"
    table = Table(title=spec.title, caption=caption)
    table.add_column("seat")
    table.add_column("player")
    table.add_column("mean score", justify="right")
    table.add_column("share of wins", justify="right")
    means, shares = result.scores.mean(axis=0), win_shares(result.scores).mean(axis=0)
    for seat in range(n_seats):
        table.add_row(f"player_{seat}", "random", f"{means[seat]:.2f}", f"{shares[seat]:.1%}")
    return table


def show(spec: GameSpec, console: Console, args: argparse.Namespace) -> None:
    """Play one game's share of the demo before everybody's eyes."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        transient=True,
    )
    with console.status(f"{spec.name}: compiling, once"):
        warm_up(spec)
    with bar:
        task = bar.add_task(spec.name, total=args.games)
        result = play(
            spec, args.games, args.players, args.seed, lambda n: bar.update(task, completed=n)
        )
    console.print(score_table(spec, result))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents.demo",
        description="Play every installed game among random players and show the scores.",
    )
    parser.add_argument(
        "game", nargs="*", help=f"games to play, of {', '.join(game_names())} (default: all)"
    )
    parser.add_argument(
        "--games",
        type=_whole,
        default=DEFAULT_GAMES,
        help="how many of each (default: %(default)s)",
    )
    parser.add_argument(
        "--players", type=_whole, help="seats at each table (default: the game's own)"
    )
    parser.add_argument("--seed", type=_whole, default=1, help="default: %(default)s")
    return parser


def _whole(text: str) -> int:
    """A whole number from the command line, or an error in words."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None


def main(argv: Sequence[str] | None = None, console: Console | None = None) -> None:
    """The command line."""
    parser = _parser()
    args: Any = parser.parse_args(argv)
    try:
        whole_number("--games", args.games, 1, MOST_GAMES)
        check_seed(args.seed)
        specs = [find_game(name) for name in args.game or game_names()]
        for spec in specs:
            spec.checked(args.players, {})
    except ValueError as error:
        parser.error(str(error))
    if not specs:
        parser.error("no games are installed: install this project first (pip install -e .)")
    console = console or Console()
    for spec in specs:
        show(spec, console, args)


if __name__ == "__main__":
    main()
