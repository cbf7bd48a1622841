"""How sure one can be: intervals by resampling deals, and a rating fitted to all comparisons.

The unit that is resampled is the deal, with all games that were played of it: games of one deal are
not independent of each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import choix
import numpy as np
from numpy.typing import NDArray

RESAMPLES = 2000
RATING_RESAMPLES = 200
AT_ONCE = 4_000_000  # numbers that a run of resamples may take in memory
LEVEL = 0.95
NORMAL = NormalDist()
DIGITS = 12  # what differs by less, or is so much smaller, is rounding
ELO = 400 / np.log(10)  # points for ten times the odds
MIDDLE = 1000.0  # the mean rating of those who take part
PRIOR = 0.5  # wins that each is thought to have over each, so that nobody's rating is infinite

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A figure and its interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def estimate(
    values: Floats, seed: int, resamples: int = RESAMPLES, level: float = LEVEL
) -> list[Estimate]:
    """Means over deals with bootstrap intervals.  # values [deal, figure]"""
    return estimate_all([values], seed, resamples, level)[0]


def estimate_all(
    tables: Sequence[Floats], seed: int, resamples: int = RESAMPLES, level: float = LEVEL
) -> list[list[Estimate]]:
    """Means of several tables of values, with intervals by the same resamples of their deals.

    These are the BCa intervals of Efron (1987), which mind bias and skew: for a mean, the lean
    comes from the third moment.
    """
    spreads: list[list[Floats]] = [[] for _ in tables]
    for weights in resampled(len(tables[0]), resamples, seed):
        for spread, values in zip(spreads, tables, strict=True):
            spread.append(weights @ values)
    return [
        [
            interval(float(mean), one, float(lean), level)
            for mean, one, lean in zip(
                values.mean(axis=0), np.concatenate(spread).T, leans(values), strict=True
            )
        ]
        for spread, values in zip(spreads, tables, strict=True)
    ]


def leans(values: Floats) -> Floats:
    """How skew the mean of each figure is.  # values [deal, figure] -> [figure]"""
    away = values - values.mean(axis=0)
    squares, cubes = (away**2).sum(axis=0), (away**3).sum(axis=0)
    return np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0)


def interval(mean: float, spread: Floats, lean: float = 0.0, level: float = LEVEL) -> Estimate:
    """A mean with the part of its resamples that holds it best.  # spread [resample]"""
    side = np.sign(np.round(spread - mean, DIGITS))
    most = 1 - 1 / len(spread)
    bias = NORMAL.inv_cdf(float(np.clip((1 - side.mean()) / 2, 1 - most, most)))
    edges = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        reach = bias + NORMAL.inv_cdf(tail)
        edges.append(NORMAL.cdf(bias + reach / (1 - lean * reach)))
    low, high = np.quantile(spread, edges)
    return Estimate(mean, float(low), float(high))


def middle(figures: Floats, spread: Floats, level: float = LEVEL) -> list[Estimate]:
    """Figures with the middle part of their resamples.  # [figure], spread [resample, figure]"""
    tail = 100 * (1 - level) / 2
    lows, highs = np.percentile(spread, [tail, 100 - tail], axis=0)
    return [Estimate(*map(float, three)) for three in zip(figures, lows, highs, strict=True)]


def resampled(n_deals: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Weights of deals drawn with repetition, each row summing to 1, in handy pieces."""
    generator = np.random.default_rng(seed)
    even, size = np.full(n_deals, 1 / n_deals), max(1, AT_ONCE // n_deals)
    for start in range(0, resamples, size):
        yield generator.multinomial(n_deals, even, min(size, resamples - start)) / n_deals


def ratings(wins: Floats, seed: int, resamples: int = RATING_RESAMPLES) -> list[Estimate]:
    """Elo-like ratings from who was better than whom in each deal.  # wins [deal, one, other]

    A tie counts as half a win for both.
    """
    n = wins.shape[1]
    fitted = fit_ratings(wins.sum(axis=0))
    flat = wins.reshape(len(wins), -1)
    spread = [
        fit_ratings(row.reshape(n, n) * len(wins))
        for weights in resampled(len(wins), resamples, seed)
        for row in weights @ flat
    ]
    return middle(fitted, np.array(spread))


def fit_ratings(wins: Floats) -> Floats:
    """The Bradley-Terry ratings of a table of wins.  # [one, other] -> [one]"""
    counted = wins + PRIOR * (1 - np.eye(len(wins)))
    strengths = choix.ilsr_pairwise_dense(counted, max_iter=1000)
    return MIDDLE + ELO * (strengths - strengths.mean())


def narrowing(parts: Floats) -> float | None:
    """How much narrower an interval is than if each game had had a deal of its own; None: no width.

    `parts` is what every game of a deal adds to the mean of the deal: that the games of one table
    go otherwise than those of another is no luck.  # [deal, game]
    """
    alone, together = parts.var(axis=0).sum(), parts.sum(axis=1).var()
    if together <= alone * 10.0**-DIGITS:
        return None
    return float(np.sqrt(alone / together))


def coverage(
    values: Floats, truth: float, n_deals: int, seed: int, resamples: int = RESAMPLES
) -> float:
    """How often the interval of n deals at a time holds the truth.  # values [deal]"""
    runs = values[: len(values) // n_deals * n_deals].reshape(-1, n_deals)
    hits = 0
    for k, run in enumerate(runs):
        found = estimate(run[:, None], seed + k, resamples)[0]
        hits += found.low <= truth <= found.high
    return hits / len(runs)
