"""What the shared tests must know of a game beyond its spec; each game has its own in game.py."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from cardcore.aec import GameEnv
from cardcore.spec import GameSpec


@dataclass(frozen=True)
class GameUnderTest:
    """One game, and how the shared tests can get at what only it knows."""

    module: ModuleType
    spec: GameSpec
    codes: tuple[str, ...]  # all cards, in card order
    turn_limit: int  # turns in a round at most
    cards: Callable[[dict[str, Any]], int]  # of a snapshot: cards that must always be there
    redeal: Callable[[Any, int, random.Random], None]  # what the seat cannot see, in place
    short: dict[str, Any]  # options of a quick game
    other: dict[str, Any]  # options that differ from the quick game's
    bad_options: tuple[tuple[dict[str, Any], str], ...]  # options, what the error names
    bad_tables: tuple[tuple[Any, str], ...]  # reset options for two seats, what the error names
    fixed_table: dict[str, Any]  # a first round for two seats that reset(options) can lay
    mistakes: Callable[[GameEnv], set[int]] = lambda env: set()  # outside the mask, but punished

    def __str__(self) -> str:
        return self.spec.name

    def env(self, num_players: int | None = None, **options: Any) -> GameEnv:
        """A fresh environment."""
        seats = self.spec.seats.default if num_players is None else num_players
        return self.module.env(num_players=seats, **options)

    @property
    def tables(self) -> range:
        """Every number of seats."""
        return range(self.spec.seats.low, self.spec.seats.high + 1)
