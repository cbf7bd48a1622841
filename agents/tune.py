"""A search that goes on from `tuned`: `python -m agents.tune cabanga --seats 4`.

An evolution strategy (CMA-ES with a diagonal covariance) moves all weights at once. A candidate
sits alone among `basic` and among the weights that the search began with; it is judged by how far
its totals stay below the others', in standard deviations of one game. Each generation has deals of
its own, and none of them is ever used for a published figure: their seeds are of another range.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from agents.match import Entrant, play
from agents.players import KernelPlayer, find_player
from cardcore import GameSpec, find_game

FIRST_SEED = 1_000_000  # tuning begins here; published figures use small seeds
STEP = 0.15  # a weight's first step, as a share of its size
LEAST_STEP = 0.02  # for weights that are near zero
LAST_LOOK = 1000  # deals on which the outcome is compared with the start

Weights = NDArray[np.float64]


def judge(
    spec: GameSpec,
    maker: type[KernelPlayer],
    seats: int,
    candidates: Sequence[Weights],
    opponents: Sequence[Entrant],
    deals: range,
    seed: int,
) -> NDArray[np.float64]:
    """How good each candidate is: more is better.  # [candidate]"""
    n = len(candidates)
    made = [
        Entrant(f"candidate {k}", partial(maker, weights=weights.tolist()))
        for k, weights in enumerate(candidates)
    ]
    tables = [
        [k if seat == mine else n + rest for seat in range(seats)]
        for k in range(n)
        for rest in range(len(opponents))
        for mine in range(seats)
    ]
    options = spec.checked(seats, {})
    scores = play(spec, options, [*made, *opponents], np.array(tables), deals, seed).scores
    own = scores[:, np.arange(len(tables)), np.arange(len(tables)) % seats]  # [deal, table]
    below = (scores.sum(axis=2) - own) / (seats - 1) - own
    return below.mean(axis=0).reshape(n, -1).mean(axis=1) / below.std()


def search(
    spec: GameSpec, seats: int, generations: int, population: int, n_deals: int, seed: int
) -> tuple[Weights, Weights, NDArray[np.float64]]:
    """The weights before and after, and what both are worth on deals that no generation had."""
    from cmaes import SepCMA

    maker: type[KernelPlayer] = find_player("tuned", spec)  # type: ignore[assignment]
    start = np.array(maker.usual(spec.checked(seats, {})))
    scale = np.maximum(STEP * np.abs(start), LEAST_STEP)
    opponents = [
        Entrant("basic", find_player("basic", spec)),
        Entrant("start", partial(maker, weights=start.tolist())),
    ]
    console, mean = Console(), np.zeros(len(start))
    strategy = SepCMA(mean=mean, sigma=1.0, population_size=population, seed=seed % 2**32)
    for generation in range(generations):
        began = time.perf_counter()
        points = [strategy.ask() for _ in range(population)]
        deals = range(generation * n_deals, (generation + 1) * n_deals)
        candidates = [start + scale * point for point in points]
        worth = judge(spec, maker, seats, candidates, opponents, deals, seed)
        strategy.tell(list(zip(points, -worth, strict=True)))
        mean = np.mean([points[k] for k in np.argsort(-worth)[: population // 2]], axis=0)
        told = f"best {worth.max():.4f}, mean {worth.mean():.4f}"
        console.print(f"{generation + 1}: {told}, {time.perf_counter() - began:.1f} s")
    found = start + scale * mean
    rest = range(generations * n_deals, generations * n_deals + LAST_LOOK)
    return start, found, judge(spec, maker, seats, [start, found], opponents, rest, seed)


def main(words: Sequence[str] | None = None) -> None:
    """Search, and print the weights that came out and what they are worth."""
    parser = argparse.ArgumentParser(description="Tune the weights of a game's `tuned` player.")
    parser.add_argument("game")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--population", type=int, default=16)
    parser.add_argument("--deals", type=int, default=100, help="of each generation")
    parser.add_argument("--seed", type=int, default=FIRST_SEED)
    args = parser.parse_args(words)
    if args.seed < FIRST_SEED:
        parser.error(f"--seed must be {FIRST_SEED} or more: smaller ones are for published figures")
    start, found, (before, after) = search(
        find_game(args.game), args.seats, args.generations, args.population, args.deals, args.seed
    )
    print(f"on {LAST_LOOK} other deals: {before:.4f} before, {after:.4f} after")
    for name, weights in (("before", start), ("after", found)):
        print(name, " ".join(f"{weight:.4f}" for weight in weights))


if __name__ == "__main__":
    main()
