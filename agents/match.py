"""The playing of matches: every table of a tournament plays every deal, all of them on one batch.

A deal is one game seed. A table is a seating: the same deal is played at each. All tables play at
once in the lanes of a batch, and what comes out depends on nothing but the seed, the deal, the
seating and the players: not on the number of lanes, not on the threads, not on who else plays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.players import (
    Actions,
    Chance,
    Maker,
    Player,
    View,
    blamed,
    decide,
    new_generators,
    new_player,
)
from cardcore import GameSpec, VectorGames
from cardcore.jit import kernel
from cardcore.rng import substream
from cardcore.spec import as_games

LANES = 1024  # that a batch has at most, unless there are more tables
NOTHING = -1  # in the place of a deal
LANE = np.dtype(
    [
        ("table", np.int64),  # at which it plays
        ("deal", np.int64),  # on play, from 0
        ("reserved", np.int64),  # the deal after that, or NOTHING
        ("place", np.int64),  # of its first seat, for players who remember
    ]
)

Report = Callable[[int], object]  # is told how many games have ended since it was told last


@dataclass(frozen=True)
class Entrant:
    """Somebody who plays: a name, and who makes players of it."""

    name: str
    make: Maker


@dataclass(frozen=True)
class Games:
    """What came of it."""

    scores: NDArray[np.int32]  # [deal, table, seat] final totals
    decisions: int  # that players took


def play(
    spec: GameSpec,
    options: Mapping[str, Any],
    entrants: Sequence[Entrant],
    tables: NDArray[np.int64],  # [table, seat] who sits where, by the place among the entrants
    deals: range,
    seed: int,
    *,
    threads: int = 1,
    report: Report = lambda n: None,
) -> Games:
    """Play all deals at all tables."""
    tables = np.asarray(tables, np.int64)
    stop = Event()
    matches = [
        _Match(spec, options, entrants, tables, share, seed, stop)
        for share in _shares(deals, threads)
    ]
    if len(matches) == 1:
        parts = [matches[0].play(report)]
    else:
        with ThreadPoolExecutor(len(matches)) as pool, _stopping(stop):
            parts = list(pool.map(lambda one: one.play(report), matches))
    scores = np.concatenate([part.scores for part in parts])
    return Games(scores, sum(part.decisions for part in parts))


@contextmanager
def _stopping(stop: Event) -> Iterator[None]:
    """Whatever goes wrong within, Ctrl-C too, ends all matches: a pool waits for its threads."""
    try:
        yield
    except BaseException:
        stop.set()
        raise


def _shares(deals: range, n: int) -> list[range]:
    """The deals in n even runs, without empty ones."""
    cuts = np.linspace(0, len(deals), max(1, min(n, len(deals))) + 1).astype(int)
    return [deals[a:b] for a, b in pairwise(cuts)]


class _Match:
    """One thread's deals: a batch in which every lane plays one deal after another at its table.

    A lane begins its next game by itself, so the deal is reserved for it while it still plays; when
    there is none left it leaves the batch.
    """

    def __init__(
        self,
        spec: GameSpec,
        options: Mapping[str, Any],
        entrants: Sequence[Entrant],
        tables: NDArray[np.int64],
        deals: range,
        seed: int,
        stop: Event,
    ) -> None:
        n_tables, n_seats = tables.shape
        n_groups = min(max(1, LANES // n_tables), len(deals))
        n = n_groups * n_tables
        self.entrants, self.tables = entrants, tables
        self.first, self.seed, self.stop = deals.start, seed, stop
        self.lanes = as_games(np.zeros(n, LANE))
        self.lanes["table"] = np.tile(np.arange(n_tables), n_groups)
        self.lanes["deal"] = np.repeat(np.arange(n_groups), n_tables)
        self.lanes["place"] = np.arange(n) * n_seats
        self.n_taken = np.full(n_tables, n_groups)  # [table] deals that some lane has
        self.keys = np.array([_key([entrants[k].name for k in row]) for row in tables])  # [table]
        self.generators = new_generators(n * n_seats)  # [place]
        self.players = [new_player(one.make, one.name, spec, options) for one in entrants]
        self.scores = np.zeros((len(deals), n_tables, n_seats), np.int32)
        self.decisions = 0
        self.rows, self.places, self.ended = np.empty((3, n), np.int64)
        self.games = VectorGames(spec, n, **options)
        self.now = self.games.reset(seed, first_deal=self.first + self.lanes["deal"])
        self._begin(np.arange(n))

    def play(self, report: Report) -> Games:
        """Play all games to their ends, or until one of the matches fails."""
        with _stopping(self.stop):
            while len(self.lanes) and not self.stop.is_set():
                report(self._step())
        return Games(self.scores, self.decisions)

    def _step(self) -> int:
        """One decision in every lane; the number of games that ended by it."""
        self.now = self.games.step(self._actions())
        now, ended = self.now, self.ended
        n_ended = int(end_all(now.done, now.final_scores, self.lanes, self.scores, ended))
        if n_ended:
            self._go_on(ended[:n_ended])
        return n_ended

    def _actions(self) -> Actions:
        """What the players choose."""
        actions = np.empty(self.games.n, np.int64)
        for k, player in enumerate(self.players):
            n = asked_all(k, self.lanes, self.tables, self.now.seat, self.rows, self.places)
            if n:
                rows, places = self.rows[:n], self.places[:n]
                actions[rows] = self._ask(player, self.entrants[k].name, rows, places)
                self.decisions += n
        return actions

    def _ask(
        self, player: Player, name: str, rows: NDArray[np.int64], places: NDArray[np.int64]
    ) -> Actions:
        """One player's decisions, checked."""
        seen, mask = self.now.observation, self.now.mask
        if len(rows) < len(mask):
            seen, mask = seen[rows], mask[rows]
        generators = self.generators[places]
        view = View(seen, mask, places, Chance(generators))
        chosen = decide(player, name, view, self.games.spec, partial(self._where, rows))
        self.generators[places] = generators
        return chosen

    def _where(self, rows: NDArray[np.int64], decision: int | None) -> str:
        """The deal of a decision, or the deals of all of them."""
        deals = self.first + self.lanes["deal"][rows]
        if decision is None and len(deals) > 1:
            return f" (in deals {deals.min()} to {deals.max()})"
        i = decision or 0
        return f" (deal {deals[i]}, seat {self.now.seat[rows[i]]})"

    def _go_on(self, ended: NDArray[np.int64]) -> None:
        """Begin the next games in lanes whose games ended, or let them leave."""
        has_next = self.lanes["deal"][ended] != NOTHING
        self._begin(ended[has_next])
        if not has_next.all():
            stay = close_ranks(len(self.lanes), ended[~has_next])
            self.lanes = self.lanes[stay]
            if len(stay):
                self.now = self.games.keep(stay)

    def _begin(self, rows: NDArray[np.int64]) -> None:
        """New games start in these lanes, and what follows them is reserved."""
        reserve_all(rows, self.lanes, self.n_taken, len(self.scores))
        lanes = self.lanes[rows]
        self.games.games["episode"][rows] = self.first + lanes["reserved"]
        plant_all(lanes, self.keys, self.seed, self.first, self.tables.shape[1], self.generators)
        places = lanes["place"][:, None] + np.arange(self.tables.shape[1])
        sitting = self.tables[lanes["table"]]
        for k, (player, entrant) in enumerate(zip(self.players, self.entrants, strict=True)):
            with blamed(entrant.name, "failed as its games began"):
                player.begin(places[sitting == k])


def _key(names: Sequence[str]) -> np.int64:
    """A number for a seating, the same in whatever tournament it occurs."""
    digest = hashlib.sha256("\n".join(names).encode()).digest()
    return np.int64(int.from_bytes(digest[:8]) >> 1)


def close_ranks(n: int, leaving: NDArray[np.int64]) -> NDArray[np.int64]:
    """Those of n who stay: the last of them step into the places of those who leave."""
    stays = np.ones(n, np.bool_)
    stays[leaving] = False
    n_stay = n - len(leaving)
    ranks = np.arange(n_stay)
    ranks[~stays[:n_stay]] = n_stay + np.flatnonzero(stays[n_stay:])
    return ranks


@kernel
def reserve_all(rows, lanes, n_taken, n_deals):
    """The next deal of its table for each of these lanes, as long as there are some."""
    for i in rows:
        lane = lanes[i]
        lane.reserved = NOTHING
        if n_taken[lane.table] < n_deals:
            lane.reserved = n_taken[lane.table]
            n_taken[lane.table] += 1


@kernel
def plant_all(lanes, keys, seed, first, n_seats, generators):
    """The generator of each seat at each of these lanes' tables in their deals."""
    for lane in lanes:
        table = substream(substream(seed, first + lane.deal), keys[lane.table])
        for seat in range(n_seats):
            generators[lane.place + seat].rng = substream(table, seat)


@kernel
def asked_all(player, lanes, tables, seat, rows, places):
    """List the lanes in which a player is to act and its places there, and count them."""
    n = 0
    for i in range(lanes.shape[0]):
        if tables[lanes[i].table, seat[i]] == player:
            rows[n], places[n] = i, lanes[i].place + seat[i]
            n += 1
    return n


@kernel
def end_all(done, totals, lanes, scores, ended):
    """Write down the games that ended, turn to what is reserved, list these lanes, count them."""
    n = 0
    for i in range(lanes.shape[0]):
        if done[i]:
            scores[lanes[i].deal, lanes[i].table] = totals[i]
            lanes[i].deal = lanes[i].reserved
            ended[n] = i
            n += 1
    return n
