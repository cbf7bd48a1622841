"""A table of any game among people who say what they do; each game adds words of its own."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from itertools import chain
from types import ModuleType
from typing import Any, Self


def flat(rows: Iterable[Iterable[Any]]) -> list[Any]:
    """Hands or rows as one list."""
    return list(chain.from_iterable(rows))


class Table:
    """A game played in the words of its actions: `do("pass")`; a subclass names its `module`."""

    module: ModuleType  # the game, such as `cabanga_v0`

    def __init__(
        self, seed: int = 0, first_round: dict[str, Any] | None = None, **options: Any
    ) -> None:
        self.env = self.module.raw_env(render_mode="ansi", **options)
        self.env.reset(seed=seed, options=first_round)

    # what people do

    def do(self, *actions: str) -> Self:
        """The seats that are asked do this, one after the other."""
        for action in actions:
            self.env.step(self.env.action_id(action))
        return self

    def play_out_round(self) -> Self:
        """Everybody does the first thing that is allowed until the round is scored."""
        before = self.round
        while self.round == before and self.phase != "over":
            self.do(self.choices()[0])
        return self

    def copy(self) -> Self:
        """A second table that goes on from here on its own."""
        twin = copy.copy(self)
        twin.env = self.env.clone()
        return twin

    # what lies on the table

    def choices(self) -> list[str]:
        """All that the seat that is asked may do, in words."""
        if self.phase == "over":
            return []
        mask = self.env.observe(self.env.agent_selection)["action_mask"]
        return [self.env.action_name(action) for action in mask.nonzero()[0]]

    def snapshot(self) -> dict[str, Any]:
        """The full truth."""
        return self.env.snapshot()

    def hand(self, seat: int) -> str:
        """The cards of a seat in card order, with spaces between them."""
        return " ".join(self.snapshot()["hands"][seat])

    @property
    def hands(self) -> list[str]:
        """The cards of every seat."""
        return [" ".join(hand) for hand in self.snapshot()["hands"]]

    @property
    def draw_pile(self) -> str:
        """The draw pile, next card first."""
        return " ".join(self.snapshot()["draw_pile"])

    @property
    def discard(self) -> str:
        """The discard, top last."""
        return " ".join(self.snapshot()["discard"])

    @property
    def asked(self) -> tuple[int, str]:
        """The seat that is asked, and what it is asked: the phase."""
        return self.snapshot()["to_act"], self.phase

    @property
    def phase(self) -> str:
        """What is going on; "over" at the end of the game."""
        return str(self.snapshot()["phase"])

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self.snapshot()["round"])

    @property
    def turn(self) -> int:
        """The number of turns taken in this round."""
        return int(self.snapshot()["turn"])

    @property
    def scores(self) -> list[int]:
        """The totals of minus points."""
        return list(self.snapshot()["scores"])

    @property
    def rewards(self) -> list[float]:
        """What the last step paid each seat."""
        return list(self.env.rewards.values())
