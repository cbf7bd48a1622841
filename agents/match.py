"""The playing of matches: every table of a tournament plays every deal, all of them on one batch.

A deal is one game seed. A table is a seating: the same deal is played at each. All tables play at
once in the lanes of a batch, and what comes out depends on nothing but the seed, the deal, the
seating and the players: not on the number of lanes, not on the threads, not on who else plays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.players import Actions, Chance, Maker, Player, View, fault_in, new_generators
from cardcore import GameSpec, VectorGames
from cardcore.jit import kernel
from cardcore.rng import substream

LANES = 1024  # that a batch has at most, unless there are more tables
NOTHING = -1  # in the place of a deal

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
    shares = _shares(deals, threads)
    arguments = [(spec, options, entrants, tables, share, seed, report) for share in shares]
    if len(shares) == 1:
        parts = [_play_share(*arguments[0])]
    else:
        with ThreadPoolExecutor(len(shares)) as pool:
            parts = list(pool.map(lambda one: _play_share(*one), arguments))
    scores = np.concatenate([part.scores for part in parts])
    return Games(scores, sum(part.decisions for part in parts))


def _shares(deals: range, n: int) -> list[range]:
    """The deals in n even runs, without empty ones."""
    cuts = np.linspace(0, len(deals), max(1, min(n, len(deals))) + 1).astype(int)
    return [deals[a:b] for a, b in pairwise(cuts)]


def _play_share(
    spec: GameSpec,
    options: Mapping[str, Any],
    entrants: Sequence[Entrant],
    tables: NDArray[np.int64],
    deals: range,
    seed: int,
    report: Report,
) -> Games:
    """One thread's deals."""
    match = _Match(spec, options, entrants, tables, deals, seed)
    while match.busy.any():
        report(match.step())
    return Games(match.scores, match.decisions)


class _Match:
    """A batch in which every lane has a table and plays one deal after another at it.

    A lane begins its next game by itself, so the deal is reserved for it while it still plays.
    """

    def __init__(
        self,
        spec: GameSpec,
        options: Mapping[str, Any],
        entrants: Sequence[Entrant],
        tables: NDArray[np.int64],
        deals: range,
        seed: int,
    ) -> None:
        n_tables, n_seats = tables.shape
        n_groups = max(1, min(LANES // n_tables, len(deals)))
        n = n_groups * n_tables
        self.n_seats, self.entrants = n_seats, entrants
        self.table = np.tile(np.arange(n_tables), n_groups)  # [n]
        self.seating = tables[self.table]  # [n, seat]
        self.deal = np.repeat(np.arange(n_groups), n_tables)  # [n] on play, from 0
        self.reserved = np.full(n, NOTHING)  # [n] the deal after that
        self.n_taken = np.full(n_tables, n_groups)  # [table] deals that some lane has
        self.busy = np.ones(n, np.bool_)  # [n]
        self.first, self.seed = deals.start, seed
        self.keys = np.array([_key([entrants[k].name for k in row]) for row in tables])  # [table]
        self.generators = new_generators(n * n_seats)
        self.players = [entrant.make(spec, options) for entrant in entrants]
        self.scores = np.zeros((len(deals), n_tables, n_seats), np.int32)
        self.decisions = 0
        self.rows = np.empty(n, np.int64)
        self.games = VectorGames(spec, n, **options)
        self.now = self.games.reset(seed, first_deal=self.first + self.deal)
        self._begin(np.arange(n))

    def step(self) -> int:
        """Ask whoever is to act in each lane, and give how many games ended."""
        actions = self._actions()
        self.now = self.games.step(actions)
        ended = np.flatnonzero(self.now.done & self.busy)
        if len(ended):
            self.scores[self.deal[ended], self.table[ended]] = self.now.final_scores[ended]
            self.deal[ended] = self.reserved[ended]
            self.busy[ended] = self.deal[ended] != NOTHING
            self._begin(ended[self.busy[ended]])
        return len(ended)

    def _actions(self) -> Actions:
        """What the players choose; lanes that have done their share play on at random."""
        n = self.games.n
        actions = np.empty(n, np.int64) if self.busy.all() else self.games.sample()
        for k, player in enumerate(self.players):
            rows = self.rows[: rows_of(k, self.busy, self.seating, self.now.seat, self.rows)]
            if len(rows):
                actions[rows] = self._ask(player, self.entrants[k].name, rows)
                self.decisions += len(rows)
        return actions

    def _ask(self, player: Player, name: str, rows: NDArray[np.int64]) -> Actions:
        """One player's decisions, checked."""
        now = self.now
        everything = len(rows) == self.games.n
        seen = now.observation if everything else now.observation[rows]
        mask = now.mask if everything else now.mask[rows]
        place = rows * self.n_seats + now.seat[rows]
        generators = self.generators[place]
        chosen = np.asarray(player.act(View(seen, mask, place, Chance(generators))))
        self.generators[place] = generators
        if (fault := fault_in(chosen, mask, self.games.spec)) is not None:
            i, words = fault
            deal, seat = self.first + int(self.deal[rows[i]]), int(now.seat[rows[i]])
            raise ValueError(f"player {name!r} {words} (deal {deal}, seat {seat})")
        return chosen

    def _begin(self, lanes: NDArray[np.int64]) -> None:
        """New games start in these lanes, and what follows them is reserved."""
        reserve_all(lanes, self.table, self.n_taken, len(self.scores), self.reserved)
        self.games.games.episode[lanes] = self.first + self.reserved[lanes]
        seats = np.arange(self.n_seats)
        place = (lanes[:, None] * self.n_seats + seats).ravel()
        keys = np.empty(len(place), np.uint64)
        keys_all(
            self.seed,
            np.repeat(self.first + self.deal[lanes], self.n_seats),
            np.repeat(self.keys[self.table[lanes]], self.n_seats),
            np.tile(seats, len(lanes)),
            keys,
        )
        self.generators["rng"][place] = keys
        sitting = self.seating[lanes].ravel()
        for k, player in enumerate(self.players):
            player.begin(place[sitting == k])


def _key(names: Sequence[str]) -> np.int64:
    """A number for a seating, the same in whatever tournament it occurs."""
    digest = hashlib.sha256("\n".join(names).encode()).digest()
    return np.int64(int.from_bytes(digest[:8]) >> 1)


@kernel
def reserve_all(lanes, table, n_taken, n_deals, reserved):
    """The next deal of its table for each of these lanes, as long as there are some."""
    for lane in lanes:
        reserved[lane] = NOTHING
        if n_taken[table[lane]] < n_deals:
            reserved[lane] = n_taken[table[lane]]
            n_taken[table[lane]] += 1


@kernel
def rows_of(player, busy, seating, seat, rows):
    """List the lanes in which a player is to act, and count them."""
    n = 0
    for i in range(busy.shape[0]):
        if busy[i] and seating[i, seat[i]] == player:
            rows[n] = i
            n += 1
    return n


@kernel
def keys_all(seed, deals, tables, seats, keys):
    """The generator of each seat at each table in each deal."""
    for i in range(keys.shape[0]):
        keys[i] = substream(substream(substream(seed, deals[i]), tables[i]), seats[i])
