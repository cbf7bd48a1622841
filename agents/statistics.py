"""How sure one can be: intervals by resampling deals, and a rating fitted to all comparisons.

The unit that is resampled is the deal, with all games that were played of it: games of one deal are
not independent of each other.
"""

from __future__ import annotations

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
DIGITS = 12  # resamples that differ from the mean by less are equal to it
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
    """Means over deals with bootstrap intervals that mind bias and skew.  # values [deal, figure]

    This is the BCa interval of Efron (1987): for a mean, the lean comes from the third moment.
    """
    means = values.mean(axis=0)
    spread = np.concatenate(
        [weights @ values for weights in resampled(len(values), resamples, seed)]
    )
    away = values - means
    squares, cubes = (away**2).sum(axis=0), (away**3).sum(axis=0)
    leans = np.divide(cubes, 6 * squares**1.5, out=np.zeros_like(cubes), where=squares > 0)
    return [
        interval(float(mean), one, float(lean), level)
        for mean, one, lean in zip(means, spread.T, leans, strict=True)
    ]


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


def resampled(n_deals: int, resamples: int, seed: int) -> list[Floats]:
    """Weights of deals drawn with repetition, each row summing to 1, in handy pieces."""
    generator = np.random.default_rng(seed)
    even, size = np.full(n_deals, 1 / n_deals), max(1, AT_ONCE // n_deals)
    return [
        generator.multinomial(n_deals, even, min(size, resamples - start)) / n_deals
        for start in range(0, resamples, size)
    ]


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


def narrowing(games: Floats, values: Floats) -> float:
    """How much narrower an interval is than if every game had had a deal of its own.

    `games` are the figures of single games, `values` their means over each deal.
    """
    alone = games.std() / np.sqrt(games.size)
    together = values.std() / np.sqrt(len(values))
    return float(alone / together) if together > 0 else float("inf")


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
