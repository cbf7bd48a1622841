"""Whether a 95 % interval holds the truth 95 times in 100: `python -m agents.coverage cabanga`.

One player sits alone among players of another kind. The truth is its share of wins over many deals;
then the same is estimated again and again from few, other deals, and counted how often the interval
holds the truth.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

from rich.console import Console
from rich.progress import Progress

from agents.match import Entrant, Report, play
from agents.statistics import Floats, coverage, narrowing
from agents.tournament import cross_tables, enter
from cardcore import GameSpec, find_game, game_names
from cardcore.scoring import win_shares


def lone_shares(
    spec: GameSpec,
    entrants: Sequence[Entrant],
    seats: int,
    deals: range,
    seed: int,
    *,
    threads: int = 1,
    report: Report = lambda n: None,
) -> Floats:
    """The share of wins of the first entrant alone among the second.  # [deal, table]"""
    tables, _ = cross_tables(2, seats)
    options = spec.checked(seats, {})
    played = play(
        spec, options, entrants, tables[:seats], deals, seed, threads=threads, report=report
    )
    shares = win_shares(played.scores)
    return shares.diagonal(axis1=1, axis2=2)  # the lone player sits at seat k of table k


def main(words: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each game."""
    parser = argparse.ArgumentParser(description="How often a 95 % interval holds the truth.")
    parser.add_argument("game", nargs="*", help="games (default: all)")
    parser.add_argument("--players", nargs=2, default=["tuned", "basic"])
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--truth", type=int, default=50_000, help="deals that give the truth")
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--deals", type=int, default=500, help="deals of each repetition")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args(words)
    console = Console()
    for name in args.game or game_names():
        spec = find_game(name)
        entrants = enter(spec, args.players)
        n_deals = args.truth + args.repeats * args.deals
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(name, total=n_deals * args.seats)
            shares = lone_shares(
                spec,
                entrants,
                args.seats,
                range(n_deals),
                args.seed,
                threads=args.threads,
                report=partial(bar.advance, task),
            )
        by_deal = shares.mean(axis=1)
        truth = by_deal[: args.truth].mean()
        held = coverage(by_deal[args.truth :], truth, args.deals, args.seed)
        narrower = narrowing(shares, by_deal)
        console.print(
            f"{name}, {args.seats} seats: {args.players[0]} alone against {args.players[1]} wins "
            f"{truth:.2%} over {args.truth:,} deals; {held:.1%} of {args.repeats} intervals of "
            f"{args.deals} other deals hold it; duplicate seating makes them {narrower:.2f} × "
            "narrower"
        )


if __name__ == "__main__":
    main()
