"""Tournaments: who is better, by how much, and how sure that is.

Everybody meets everybody in two ways. At mixed tables all kinds of players sit as evenly mixed as
they can be; shares of wins, scores, places and ratings are theirs. At cross tables one player sits
alone among players of another kind: the matrix of shares. Every deal is played at every table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.match import Entrant, Report, play
from agents.players import find_player, maker_of
from agents.statistics import Estimate, Floats, estimate, narrowing, ratings
from cardcore import GameSpec
from cardcore.options import whole_number
from cardcore.scoring import ranks, win_shares
from cardcore.spec import check_seed

MOST_TABLES = 120  # beyond that a line-up is only turned round, not seated in every order
MOST_DEALS = 1_000_000
Tables = NDArray[np.int64]  # [table, seat]
Named = str | tuple[str, Any]  # a player's name, or a name and who plays under it


@dataclass(frozen=True)
class Standing:
    """What became of one entrant at the mixed tables, a figure a seat it had."""

    name: str
    share: Estimate  # of wins; shared wins are split
    score: Estimate  # final total: less is better
    difference: Estimate  # from the mean of the others at the table
    rating: Estimate
    places: list[float]  # how often it came first, second …; equal totals share the better place
    narrowing: float  # of the interval of the difference, by playing each deal at all tables


@dataclass(frozen=True)
class Result:
    """A whole tournament."""

    game: str
    options: dict[str, Any]
    deals: int
    seed: int
    games: int
    decisions: int
    standings: list[Standing]  # best rating first
    names: list[str]  # of the matrix, in the order of the standings
    cross: list[list[Estimate | None]]  # [one, rest] share of wins of one among the others

    @property
    def seats(self) -> int:
        """Seats at each table."""
        return int(self.options["num_players"])

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def hold(
    spec: GameSpec,
    players: Sequence[Named],
    *,
    options: Mapping[str, Any] | None = None,
    deals: int = 500,
    seed: int = 1,
    threads: int = 1,
    begin: Callable[[int], object] = lambda n_games: None,
    report: Report = lambda n: None,
) -> Result:
    """Hold a tournament among named players; `begin` is told the number of games, once."""
    options = spec.checked(None, {}) if options is None else options
    entrants = enter(spec, players)
    whole_number("deals", deals, 2, MOST_DEALS)
    check_seed(seed)
    n, seats = len(entrants), options["num_players"]
    mixed, cross, pairs = mixed_tables(n, seats), *cross_tables(n, seats)
    tables, where = np.unique(np.concatenate([mixed, cross]), axis=0, return_inverse=True)
    begin(len(tables) * deals)
    played = play(
        spec, options, entrants, tables, range(deals), seed, threads=threads, report=report
    )
    at_mixed = played.scores[:, where[: len(mixed)]]  # [deal, table, seat]
    at_cross = played.scores[:, where[len(mixed) :]]
    standings = _standings(entrants, mixed, at_mixed, seed)
    order = sorted(range(n), key=lambda k: -standings[k].rating.value)
    matrix = _matrix(n, pairs, cross, at_cross, seed)
    return Result(
        game=spec.name,
        options=dict(options),
        deals=deals,
        seed=seed,
        games=len(tables) * deals,
        decisions=played.decisions,
        standings=[standings[k] for k in order],
        names=[entrants[k].name for k in order],
        cross=[[matrix[one][rest] for rest in order] for one in order],
    )


def enter(spec: GameSpec, players: Sequence[Named]) -> list[Entrant]:
    """The entrants, each by a name, or by a name and the class or function that plays under it."""
    if len(players) < 2:
        raise ValueError("a tournament needs two players or more, such as --players tuned basic")
    named = [(one, None) if isinstance(one, str) else one for one in players]
    names = [name for name, _ in named]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{', '.join(twice)} is entered twice: each player enters once")
    return [
        Entrant(name, find_player(name, spec) if thing is None else maker_of(thing, name))
        for name, thing in named
    ]


def mixed_tables(n: int, seats: int) -> Tables:
    """Line-ups in which n players sit as evenly as can be, each seated in many orders."""
    times, spare = divmod(seats, n)
    line_ups = [tuple(range(n)) * times + more for more in combinations(range(n), spare)]
    every = [sorted(set(permutations(line_up))) for line_up in line_ups] if seats <= 6 else []
    if not every or sum(map(len, every)) > MOST_TABLES:
        every = [sorted({turned(line_up, k) for k in range(seats)}) for line_up in line_ups]
    return np.array([table for tables in every for table in tables], np.int64)


def turned(line_up: tuple[int, ...], k: int) -> tuple[int, ...]:
    """The same order round the table, beginning at another seat."""
    return line_up[k:] + line_up[:k]


def cross_tables(n: int, seats: int) -> tuple[Tables, list[tuple[int, int]]]:
    """One player among others of one kind, at every seat in turn; and who they are.

    The tables of a pair stand together: the lone player sits at seat 0, 1, … of them.
    """
    pairs = [(one, rest) for one in range(n) for rest in range(n) if one != rest]
    tables = [
        [one if seat == k else rest for seat in range(seats)]
        for one, rest in pairs
        for k in range(seats)
    ]
    return np.array(tables, np.int64), pairs


@dataclass(frozen=True)
class Lone:
    """What became of one player among others of one kind."""

    share: Estimate  # of wins
    difference: Estimate  # of its score from the mean of the others: less is better


def alone(
    spec: GameSpec,
    options: Mapping[str, Any],
    one: Entrant,
    rest: Entrant,
    deals: int,
    seed: int,
    threads: int = 1,
) -> Lone:
    """One player among others of one kind, every deal at every seat in turn."""
    seats = options["num_players"]
    tables = cross_tables(2, seats)[0][:seats]  # entrant 0 among entrants 1
    scores = play(
        spec, options, [one, rest], tables, range(deals), seed, threads=threads
    ).scores.astype(np.float64)
    turns = np.arange(seats)
    own = scores[:, turns, turns]  # [deal, table]
    others = (scores.sum(axis=2) - own) / (seats - 1)
    share = win_shares(scores)[:, turns, turns].mean(axis=1)
    figures = np.stack([share, (own - others).mean(axis=1)], axis=1)
    return Lone(*estimate(figures, seed))


def _standings(
    entrants: Sequence[Entrant], tables: Tables, scores: NDArray[np.int32], seed: int
) -> list[Standing]:
    """The figures of every entrant at the mixed tables."""
    n, (_, _, seats) = len(entrants), scores.shape
    sits = np.eye(n)[tables]  # [table, seat, entrant]
    shares, totals = win_shares(scores), scores.astype(np.float64)
    differences = totals - (totals.sum(axis=2, keepdims=True) - totals) / (seats - 1)
    figures = [_by_entrant(games, sits) for games in (shares, totals, differences)]
    share, score, difference = (estimate(one, seed) for one in figures)
    rating = ratings(_wins(scores, tables, n), seed)
    place = ranks(scores)
    standings = []
    for k, entrant in enumerate(entrants):
        mine = sits[..., k].astype(bool)
        counted = np.bincount(place[:, mine].ravel(), minlength=seats + 1)[1:]
        narrower = narrowing(differences[:, mine], figures[2][:, k])
        places = (counted / counted.sum()).tolist()
        standings.append(
            Standing(entrant.name, share[k], score[k], difference[k], rating[k], places, narrower)
        )
    return standings


def _by_entrant(games: Floats, sits: Floats) -> Floats:
    """The mean of a figure over the seats of each entrant, deal by deal.  # [deal, entrant]"""
    return np.einsum("dts,tse->de", games, sits) / sits.sum(axis=(0, 1))


def _wins(scores: NDArray[np.int32], tables: Tables, n: int) -> Floats:
    """How often one entrant was better than another, ties as halves.  # [deal, one, other]"""
    wins = np.zeros((len(scores), n, n))
    for t, table in enumerate(tables):
        for a, one in enumerate(table):
            for b, other in enumerate(table):
                if one != other:
                    mine, theirs = scores[:, t, a], scores[:, t, b]
                    wins[:, one, other] += (mine < theirs) + 0.5 * (mine == theirs)
    return wins


def _matrix(
    n: int,
    pairs: Sequence[tuple[int, int]],
    tables: Tables,
    scores: NDArray[np.int32],
    seed: int,
) -> list[list[Estimate | None]]:
    """The share of wins of one among the rest, for every pair."""
    seats = tables.shape[1]
    shares = win_shares(scores)  # [deal, table, seat]
    lone = np.arange(len(tables)) % seats
    alone = shares[:, np.arange(len(tables)), lone]  # [deal, table]
    by_pair = alone.reshape(len(scores), len(pairs), seats).mean(axis=2)
    found = estimate(by_pair, seed)
    matrix: list[list[Estimate | None]] = [[None] * n for _ in range(n)]
    for (one, rest), figure in zip(pairs, found, strict=True):
        matrix[one][rest] = figure
    return matrix
