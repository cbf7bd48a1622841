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

from agents.report import by_duplicates
from agents.seeds import PUBLISHED, seed_for
from agents.statistics import coverage, narrowing
from agents.tournament import MOST_DEALS, MOST_THREADS, enter, lone_figure, lone_scores
from cardcore import find_game, game_names
from cardcore.options import whole_number
from cardcore.scoring import win_shares


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
    try:
        for name, low, high in (
            ("truth", 2, MOST_DEALS),
            ("repeats", 1, MOST_DEALS),
            ("deals", 2, MOST_DEALS),
            ("threads", 1, MOST_THREADS),
        ):
            whole_number(f"--{name}", getattr(args, name), low, high)
        seed_for(PUBLISHED, args.seed)
        specs = [find_game(name) for name in args.game or game_names()]
        contests = [
            (spec, spec.checked(args.seats, {}), enter(spec, args.players)) for spec in specs
        ]
    except (ValueError, TypeError) as error:
        parser.error(str(error))
    console = Console(markup=False, emoji=False)
    n_deals = args.truth + args.repeats * args.deals
    for spec, options, (one, rest) in contests:
        with Progress(console=console, transient=True) as bar:
            task = bar.add_task(spec.name, total=n_deals * args.seats)
            scores = lone_scores(
                spec,
                options,
                one,
                rest,
                range(n_deals),
                args.seed,
                threads=args.threads,
                report=partial(bar.advance, task),
            )
        shares = lone_figure(win_shares(scores))
        by_deal = shares.mean(axis=1)
        truth = by_deal[: args.truth].mean()
        held = coverage(by_deal[args.truth :], truth, args.deals, args.seed)
        console.print(
            f"{spec.name}, {args.seats} seats: {args.players[0]} alone against {args.players[1]} "
            f"wins {truth:.2%} over {args.truth:,} deals; {held:.1%} of {args.repeats} intervals "
            f"of {args.deals} other deals hold it{by_duplicates(narrowing(shares / args.seats))}"
        )


if __name__ == "__main__":
    main()
