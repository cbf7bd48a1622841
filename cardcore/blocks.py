"""An encoding as data: one table of blocks gives kernel offsets, the docs table and a decoder."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Block:
    """A named stretch of a 0/1 vector, of one or more rows that are all coded alike."""

    name: str
    size: int
    meaning: str
    labels: tuple[str, ...] = ()  # what each place says when it is 1
    steps: tuple[int, ...] = ()  # thermometer: place k is 1 when the number is at least steps[k]
    digits: int = 0  # a number in binary, lowest digit first
    counted: tuple[str, ...] = ()  # what the numbers are counts of, if it has a number for each

    def __post_init__(self) -> None:
        if [bool(self.labels), bool(self.steps), bool(self.digits)].count(True) != 1:
            raise ValueError(f"block {self.name!r} needs one of labels, steps and digits")
        if self.counted and not self.steps:
            raise ValueError(f"block {self.name!r} counts nothing: only steps can be counts")
        unit = self.width * max(1, len(self.counted))
        if self.size <= 0 or self.size % unit:
            raise ValueError(
                f"block {self.name!r} of size {self.size} is not a whole number of rows of {unit}"
            )

    @property
    def width(self) -> int:
        """Places in a row."""
        return len(self.labels) or len(self.steps) or self.digits

    @property
    def coding(self) -> str:
        """How a reader should take the places of this block, in words."""
        if self.labels:
            return "flags"
        if self.digits:
            return f"binary, {self.digits} digits"
        first, last = self.steps[0], self.steps[-1]
        gaps = {b - a for a, b in pairwise(self.steps)} or {1}
        by = f" by {min(gaps)}" if len(gaps) == 1 else ", uneven steps"
        what = f" of each of {len(self.counted)} kinds" if self.counted else ""
        return f"thermometer{what} {first} to {last}" + ("" if gaps == {1} else by)

    def describe(self, values: NDArray[Any]) -> Any:
        """The block back in words: labels that are set, or a number a row (its lowest reading)."""
        rows = values.reshape(-1, self.width)
        if self.labels:
            words: list[Any] = [[self.labels[k] for k in np.flatnonzero(row)] for row in rows]
        elif self.steps:
            words = [self.steps[n - 1] if n else 0 for n in rows.sum(axis=1, dtype=int)]
            if self.counted:
                words = self._counts(words)
        else:
            words = (rows @ (1 << np.arange(self.digits))).tolist()
        return words[0] if len(words) == 1 else words

    def _counts(self, numbers: list[int]) -> list[dict[str, int]]:
        """How many there are of what, leaving out what there is none of."""
        n = len(self.counted)
        return [
            {what: k for what, k in zip(self.counted, numbers[i : i + n], strict=True) if k}
            for i in range(0, len(numbers), n)
        ]


def starts(blocks: Sequence[Block]) -> list[int]:
    """Where each block begins, and at the end the size of the whole."""
    return [0, *np.cumsum([block.size for block in blocks]).tolist()]


def places(blocks: Sequence[Block]) -> dict[str, int]:
    """Where each block begins, by its name."""
    return {block.name: start for block, start in zip(blocks, starts(blocks), strict=False)}


def describe(blocks: Sequence[Block], vector: NDArray[Any]) -> dict[str, Any]:
    """A whole vector back in words, block by block."""
    size = starts(blocks)[-1]
    if vector.shape != (size,):
        raise ValueError(
            f"this encoding is a vector of {size} numbers, not of shape {vector.shape}"
        )
    return {
        block.name: block.describe(vector[start : start + block.size])
        for block, start in zip(blocks, starts(blocks), strict=False)
    }


def markdown(blocks: Sequence[Block]) -> str:
    """The table that the docs show."""
    lines = ["| places | block | coding | meaning |", "|---|---|---|---|"]
    for block, start in zip(blocks, starts(blocks), strict=False):
        places = f"{start}–{start + block.size - 1}"
        lines.append(f"| {places} | `{block.name}` | {block.coding} | {block.meaning} |")
    return "\n".join(lines) + "\n"
