"""Aspects: what each allowed action would do and lead to, in numbers that a network can weigh.

A game's page has `ASPECTS`, the table of its numbers, and `aspects_all`, which finds them from
observations and masks alone. It is found by the entry-point group `malus.aspects`; a game without
such a page is played from the observation alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardcore import GameSpec
from cardcore.jit import kernel

ENTRY_POINTS = "malus.aspects"


class Aspect(NamedTuple):
    """A named stretch of the numbers of an action."""

    name: str
    size: int
    meaning: str


class Choices(NamedTuple):
    """The allowed actions of m decisions, one row each, in order of decision and action."""

    decision: NDArray[np.int64]  # [rows] to which decision it belongs
    action: NDArray[np.int64]  # [rows]
    aspects: NDArray[np.float32]  # [rows, aspects]


class Aspects(NamedTuple):
    """The aspects of a game's actions."""

    table: Sequence[Aspect]
    list_all: Callable[..., None]  # (observation, mask, decision, action, aspects)

    @property
    def n(self) -> int:
        """Numbers that an action has."""
        return sum(aspect.size for aspect in self.table)

    def choices(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Choices:
        """All allowed actions, with their aspects."""
        n_rows = np.count_nonzero(mask)
        found = Choices(
            np.empty(n_rows, np.int64),
            np.empty(n_rows, np.int64),
            np.empty((n_rows, self.n), np.float32),
        )
        self.list_all(np.ascontiguousarray(observation), np.ascontiguousarray(mask), *found)
        return found


def starts_of(table: Sequence[Aspect]) -> dict[str, int]:
    """Where each aspect begins, by its name."""
    sizes = [aspect.size for aspect in table]
    return {aspect.name: sum(sizes[:k]) for k, aspect in enumerate(table)}


def markdown(table: Sequence[Aspect]) -> str:
    """The table that the docs show."""
    lines = ["| places | aspect | meaning |", "|---|---|---|"]
    for (name, size, meaning), start in zip(table, starts_of(table).values(), strict=True):
        lines.append(f"| {start}–{start + size - 1} | `{name}` | {meaning} |")
    return "\n".join(lines) + "\n"


def aspects_of(spec: GameSpec) -> Aspects:
    """The aspects that are installed for a game, or none at all."""
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == spec.name:
            page = point.load()
            return Aspects(page.ASPECTS, page.aspects_all)
    return Aspects((), no_aspects_all)


@kernel
def no_aspects_all(observation: Any, mask: Any, decision: Any, action: Any, aspects: Any) -> None:
    """The allowed actions of every decision, without aspects."""
    row = 0
    for i in range(mask.shape[0]):
        for one in range(mask.shape[1]):
            if mask[i, one] != 0:
                decision[row], action[row] = i, one
                row += 1
