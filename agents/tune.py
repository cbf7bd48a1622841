"""The search that found the weights of `tuned`: `python -m agents.tune cabanga` repeats it.

An evolution strategy (CMA-ES with a diagonal covariance) begins with the round numbers that stand
beside the weights and moves all of them at once; numbers of seats that have weights of their own
have a search of their own. A candidate sits alone among `basic` and among the search's own mean of
some generations ago. It is judged by its share of wins and by how far its total stays below those
of the others, both in standard deviations of one game. Each generation has deals of its own, and
none of them is ever used for a published figure: their seeds are of another range.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from agents.match import Entrant, play
from agents.players import TunedPlayer, find_player
from agents.seeds import TUNING
from cardcore import GameSpec, find_game
from cardcore.options import whole_number
from cardcore.scoring import win_shares

POPULATION = 16  # candidates in a generation
GENERATIONS, MOST_GENERATIONS = 40, 1000
MOST_GAMES = 1_000_000
RENEWED = 5  # generations after which the search's mean becomes the opponent
AVERAGED = 10  # last generations of whose means the outcome is the mean

Weights = NDArray[np.float64]


def judge(
    spec: GameSpec,
    maker: type[TunedPlayer],
    seats: int,
    candidates: Sequence[Weights],
    opponents: Sequence[Entrant],
    deals: range,
    seed: int,
) -> NDArray[np.float64]:
    """How good each candidate is among each of these: more is better.  # [candidate, opponent]"""
    n = len(candidates)
    made = [entrant(f"candidate {k}", maker, weights) for k, weights in enumerate(candidates)]
    tables = [
        [k if seat == mine else n + rest for seat in range(seats)]
        for k in range(n)
        for rest in range(len(opponents))
        for mine in range(seats)
    ]
    options = spec.checked(seats, {})
    scores = play(spec, options, [*made, *opponents], np.array(tables), deals, seed).scores
    lone = np.arange(len(tables)), np.arange(len(tables)) % seats  # table and seat of each
    own, wins = scores[:, *lone], win_shares(scores)[:, *lone]  # [deal, table]
    below = (scores.sum(axis=2) - own) / (seats - 1) - own
    worth = wins / wins.std() + below / below.std()
    return worth.mean(axis=0).reshape(n, len(opponents), seats).mean(axis=2)


def entrant(name: str, maker: type[TunedPlayer], weights: Weights) -> Entrant:
    """Somebody who plays with these weights."""
    return Entrant(name, partial(maker, weights=weights.tolist()))


def search(
    spec: GameSpec,
    maker: type[TunedPlayer],
    group: int,
    generations: int,
    n_games: int,
    seed: int,
) -> Weights:
    """The weights that are found for a group of tables."""
    from cmaes import SepCMA

    start, tables = np.array(maker.start(group)), maker.tables[group]
    shares = np.array([1.0 - maker.among_itself, maker.among_itself])
    basic = Entrant("basic", find_player("basic", spec))
    strategy = SepCMA(
        np.zeros(len(start)), maker.step, population_size=POPULATION, seed=seed % 2**32
    )
    console, means = Console(stderr=True), [start]
    for generation in range(generations):
        if generation % RENEWED == 0:
            opponents = [basic, entrant("earlier", maker, means[-1])]
        points = [strategy.ask() for _ in range(POPULATION)]
        candidates = [start * (1.0 + point) for point in points]
        worth = np.zeros(POPULATION)
        for seats in tables:
            n_deals = max(1, n_games // (len(tables) * len(opponents) * seats))
            deals = range(generation * n_deals, (generation + 1) * n_deals)
            worth += judge(spec, maker, seats, candidates, opponents, deals, seed) @ shares
        strategy.tell(list(zip(points, -worth, strict=True)))
        means.append(start * (1.0 + strategy.mean))
        console.print(f"seats {tables}: generation {generation + 1}, mean {worth.mean():.3f}")
    return np.mean(means[-AVERAGED:], axis=0)


def main(words: Sequence[str] | None = None) -> None:
    """Search, and print the table of weights as it stands in the code."""
    parser = argparse.ArgumentParser(description="Search for the weights of a game's `tuned`.")
    parser.add_argument("game")
    parser.add_argument("--generations", type=int, default=GENERATIONS)
    parser.add_argument("--games", type=int, help="of each candidate in each generation")
    parser.add_argument("--seed", type=int, default=TUNING.start)
    args = parser.parse_args(words)
    try:
        if args.seed not in TUNING:
            first, last = TUNING[0], TUNING[-1]
            raise ValueError(f"--seed must be from {first} to {last}: others are for other figures")
        whole_number("--generations", args.generations, 1, MOST_GENERATIONS)
        spec = find_game(args.game)
        maker = find_player("tuned", spec)
        if not (isinstance(maker, type) and issubclass(maker, TunedPlayer)):
            raise ValueError(f"the `tuned` of {spec.name} is none whose weights are searched for")
        n_games = maker.n_games if args.games is None else args.games
        whole_number("--games", n_games, 1, MOST_GAMES)
    except ValueError as error:
        parser.error(str(error))
    found = [
        search(spec, maker, group, args.generations, n_games, args.seed)
        for group in range(len(maker.tables))
    ]
    for (name, starts, _), *weights in zip(maker.terms, *found, strict=True):
        print((name, starts, tuple(float(f"{weight:.2g}") for weight in weights)), end=",\n")


if __name__ == "__main__":
    main()
