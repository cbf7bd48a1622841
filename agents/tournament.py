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
from agents.seeds import PUBLISHED, seed_for
from agents.statistics import Estimate, Floats, estimate, estimate_all, narrowing, ratings
from cardcore import GameSpec
from cardcore.options import whole_number
from cardcore.scoring import ranks, win_shares

MOST_TABLES = 120  # beyond that a line-up is only turned round, not seated in every order
MOST_ORDERED = 6  # seats, beyond which the orders are too many to be counted
MOST_DEALS = 1_000_000
MOST_THREADS = 64
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
    narrowing: float | None  # of the interval of the difference, by playing deals at all tables


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


@dataclass(frozen=True)
class Plan:
    """A tournament that can be held: what was asked for is checked."""

    spec: GameSpec
    options: dict[str, Any]
    entrants: list[Entrant]  # by their names, so that the order in which they enter is no matter
    deals: int
    seed: int
    threads: int

    @classmethod
    def of(
        cls,
        spec: GameSpec,
        players: Sequence[Named],
        *,
        options: Mapping[str, Any] | None = None,
        deals: int = 500,
        seed: int = 1,
        threads: int = 1,
    ) -> Plan:
        """The plan of a tournament among named players."""
        given = dict(options or {})
        return cls(
            spec,
            spec.checked(given.pop("num_players", None), given),
            sorted(enter(spec, players), key=lambda entrant: entrant.name),
            whole_number("deals", deals, 2, MOST_DEALS),
            seed_for(PUBLISHED, seed),
            whole_number("threads", threads, 1, MOST_THREADS),
        )

    def hold(
        self,
        begin: Callable[[int], object] = lambda n_games: None,
        report: Report = lambda n: None,
    ) -> Result:
        """Hold the tournament; `begin` is told the number of games, once."""
        n, seats = len(self.entrants), self.options["num_players"]
        mixed, cross, pairs = mixed_tables(n, seats), *cross_tables(n, seats)
        tables, where = np.unique(np.concatenate([mixed, cross]), axis=0, return_inverse=True)
        n_games = len(tables) * self.deals
        begin(n_games)
        played = play(
            self.spec,
            self.options,
            self.entrants,
            tables,
            range(self.deals),
            self.seed,
            threads=self.threads,
            report=report,
        )
        at_mixed = played.scores[:, where[: len(mixed)]]  # [deal, table, seat]
        at_cross = played.scores[:, where[len(mixed) :]]
        standings, lone = _figures(self.entrants, mixed, at_mixed, at_cross, self.seed)
        order = sorted(range(n), key=lambda k: -standings[k].rating.value)
        matrix = dict(zip(pairs, lone, strict=True))
        return Result(
            game=self.spec.name,
            options=self.options,
            deals=self.deals,
            seed=self.seed,
            games=n_games,
            decisions=played.decisions,
            standings=[standings[k] for k in order],
            names=[self.entrants[k].name for k in order],
            cross=[[matrix.get((one, rest)) for rest in order] for one in order],
        )


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
    """Plan a tournament among named players, and hold it."""
    plan = Plan.of(spec, players, options=options, deals=deals, seed=seed, threads=threads)
    return plan.hold(begin, report)


def enter(spec: GameSpec, players: Sequence[Named]) -> list[Entrant]:
    """The entrants, each by a name, or by a name and the class or function that plays under it."""
    if isinstance(players, str):
        raise TypeError(f"players must be a list, such as [{players!r}, 'random']")
    if len(players) < 2:
        raise ValueError("a tournament needs two players or more, such as --players tuned basic")
    named = [_named(one) for one in players]
    names = [name for name, _ in named]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{', '.join(twice)} is entered twice: each player enters once")
    return [
        Entrant(name, find_player(name, spec) if thing is None else maker_of(thing, name))
        for name, thing in named
    ]


def _named(player: Any) -> tuple[str, Any]:
    """A name, and who plays under it if that is not the player of this name."""
    match player:
        case str():
            return player, None
        case (str() as name, thing):
            return name, thing
    raise TypeError(f"a player enters by name, or as (name, class or function), not as {player!r}")


def mixed_tables(n: int, seats: int) -> Tables:
    """Line-ups in which n players sit as evenly as can be, each seated in many orders."""
    times, spare = divmod(seats, n)
    line_ups = [tuple(range(n)) * times + more for more in combinations(range(n), spare)]
    every = [sorted(set(permutations(line_up))) for line_up in line_ups if seats <= MOST_ORDERED]
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
    """How one player does among others of one kind."""
    scores = lone_scores(spec, options, one, rest, range(deals), seed, threads=threads)
    figures = np.stack([lone_figure(f(scores)).mean(axis=1) for f in (win_shares, leads)], axis=1)
    return Lone(*estimate(figures, seed))


def lone_scores(
    spec: GameSpec,
    options: Mapping[str, Any],
    one: Entrant,
    rest: Entrant,
    deals: range,
    seed: int,
    *,
    threads: int = 1,
    report: Report = lambda n: None,
) -> NDArray[np.int32]:
    """Totals of one player among others of one kind, every deal at every seat in turn.

    The lone player sits at seat 0, 1, … of the tables.  # [deal, table, seat]
    """
    seats = options["num_players"]
    tables = cross_tables(2, seats)[0][:seats]  # entrant 0 among entrants 1
    played = play(spec, options, [one, rest], tables, deals, seed, threads=threads, report=report)
    return played.scores


def lone_figure(games: Floats) -> Floats:
    """A figure of the lone player.  # [deal, table, seat] -> [deal, table]"""
    tables = np.arange(games.shape[1])
    return games[:, tables, tables % games.shape[2]]


def leads(scores: NDArray[np.int32]) -> Floats:
    """Each total less the mean of the others at the table.  # [deal, table, seat]"""
    totals = scores.astype(np.float64)
    return totals - (totals.sum(axis=2, keepdims=True) - totals) / (scores.shape[2] - 1)


def _figures(
    entrants: Sequence[Entrant],
    tables: Tables,
    at_mixed: NDArray[np.int32],  # [deal, table, seat]
    at_cross: NDArray[np.int32],  # [deal, table, seat]
    seed: int,
) -> tuple[list[Standing], list[Estimate]]:
    """The figures of every entrant at the mixed tables, and of every pair at the cross tables."""
    n, seats = len(entrants), tables.shape[1]
    sits = np.eye(n)[tables]  # [table, seat, entrant]
    differences = leads(at_mixed)
    figures = [_by_entrant(one, sits) for one in (win_shares(at_mixed), at_mixed, differences)]
    lone = lone_figure(win_shares(at_cross))
    by_pair = lone.reshape(len(lone), -1, seats).mean(axis=2)
    share, score, difference, pairs = estimate_all([*figures, by_pair], seed)
    rating = ratings(_wins(at_mixed, tables, n), seed)
    place = ranks(at_mixed)
    parts = np.einsum("dts,tse->dte", differences, sits) / sits.sum(axis=(0, 1))
    standings = []
    for k, entrant in enumerate(entrants):
        counted = np.bincount(place[:, tables == k].ravel(), minlength=seats + 1)[1:]
        places = (counted / counted.sum()).tolist()
        narrower = narrowing(parts[..., k])
        standings.append(
            Standing(entrant.name, share[k], score[k], difference[k], rating[k], places, narrower)
        )
    return standings, pairs


def _by_entrant(games: NDArray[Any], sits: Floats) -> Floats:
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
