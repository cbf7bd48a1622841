"""GameSpec: everything the core needs to know of a game, and how a game is found by its name."""

import hashlib
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardcore.blocks import Block
from cardcore.jit import JIT_ON
from cardcore.options import Number, Option, check_options, whole_number
from cardcore.rng import seed_in_stream

ENTRY_POINTS = "malus.games"
OVER = 0  # the phase of a finished game, in every game
LARGEST_SEED = 2**63 - 1

Record = Any  # one game: an element of an array of the game's dtype


def record_type(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The dtype of a game: aligned, the widest fields first and no byte without a name.

    A byte that no field owns is neither copied nor compared, but it would be saved.
    """
    kinds = {name: np.dtype(kind).alignment for name, kind, *_ in fields}
    in_order = sorted(fields, key=lambda field: -kinds[field[0]])
    n_bytes = np.dtype(in_order).itemsize
    if n_spare := -n_bytes % max(kinds.values()):
        in_order.append(("spare", np.uint8, (n_spare,)))
    return np.dtype(in_order, align=True)


def common_fields(max_seats: int) -> list[tuple[Any, ...]]:
    """The fields that the core reads, which every game's record has."""
    return [
        ("stream", np.uint64),  # names the sequence of games that this lane plays
        ("episode", np.int64),  # how many games of it have begun
        ("game_seed", np.int64),  # the deals of this game; `reset(seed=...)` replays it
        ("rng", np.uint64),  # generator of the next reshuffle
        ("score", np.int32, (max_seats,)),  # totals of the rounds so far
        ("round_score", np.int32, (max_seats,)),  # what the round scored last cost
        ("round_no", np.int32),  # from 1
        ("turn_no", np.int32),  # turns taken in this round
        ("n_cards", np.int16),  # in play in this round, wherever they lie
        ("n_seats", np.int8),  # seats beyond it stay empty
        ("to_act", np.int8),  # seat that is being asked
        ("phase", np.int8),  # what it is being asked; OVER when the game is
    ]


@dataclass(frozen=True)
class Kernels:
    """A game's compiled loops, from cardcore.loops."""

    begin_all: Callable[..., None]  # (games, seeded): a new game in every lane
    begin_play_all: Callable[..., None]  # (games): after `lay_table`, who is asked first
    illegal_all: Callable[..., int]  # (games, actions, bad): counts them, lists lanes
    step_all: Callable[..., None]  # (games, actions, out, first, last): a Step, ended lanes anew
    show_all: Callable[..., None]  # (games, out, first, last): what step_all shows, no step
    observe_all: Callable[..., None]  # (games, seats, observation, mask)
    state_all: Callable[..., None]  # (games, state)
    step_one: Callable[..., tuple[int, int]]  # (games, action): outcome, seat to act
    observe_one: Callable[..., None]  # (games, seat, observation, mask)


ILLEGAL, MOVED, SCORED = -1, 0, 1  # outcomes of step_one


class Table(Protocol):
    """How `reset(options)` lays out the cards of the first round, before its play begins."""

    def __call__(self, game: Record, table: Mapping[str, Any]) -> None:
        """Raises before it changes anything."""


@dataclass(frozen=True)
class GameSpec:
    """One game, as data and functions."""

    name: str
    version: int
    module: str  # where this spec can be imported from, as "package:NAME"
    title: str  # one line for people
    dtype: np.dtype[Any]
    seats: Number
    options: tuple[Option, ...]
    table_keys: tuple[str, ...]  # what `reset(options)` knows
    n_actions: int
    blocks: tuple[Block, ...]  # the observation
    state_blocks: tuple[Block, ...]  # the full truth
    kernels: Kernels
    set_options: Callable[[Record, Mapping[str, Any]], None]
    lay_table: Table
    check_record: Callable[[Record], None]  # ValueError when it is no possible game
    snapshot: Callable[[Record], dict[str, Any]]
    action_name: Callable[[int], str]
    action_id: Callable[[str], int]
    why_illegal: Callable[[Record, int], str]
    render: Callable[[dict[str, Any]], str]
    check_together: Callable[[Mapping[str, Any]], None] | None = None  # options that must agree

    @classmethod
    def of(
        cls,
        state: ModuleType,
        actions: ModuleType,
        observation: ModuleType,
        batch: ModuleType,
        render: ModuleType,
        *,
        version: int,
        title: str,
    ) -> "GameSpec":
        """The game whose files these are; its folder is called <name>_env."""
        package = str(state.__package__)
        return cls(
            name=package.removesuffix("_env"),
            version=version,
            module=f"{package}:SPEC",
            title=title,
            dtype=state.GAME,
            seats=state.SEATS,
            options=state.OPTIONS,
            table_keys=state.TABLE_KEYS,
            n_actions=actions.N_ACTIONS,
            blocks=observation.BLOCKS,
            state_blocks=observation.STATE_BLOCKS,
            kernels=batch.KERNELS,
            set_options=state.set_options,
            lay_table=state.lay_table,
            check_record=state.check_record,
            snapshot=state.snapshot,
            action_name=actions.action_name,
            action_id=actions.action_id,
            why_illegal=state.why_illegal,
            render=render.render,
            check_together=getattr(state, "check_together", None),
        )

    @property
    def env_name(self) -> str:
        """The name with its version, as PettingZoo writes it."""
        return f"{self.name}_v{self.version}"

    @property
    def package(self) -> str:
        """The package that holds the game."""
        return self.module.partition(":")[0]

    @cached_property
    def obs_size(self) -> int:
        """Places in an observation."""
        return sum(block.size for block in self.blocks)

    @cached_property
    def state_size(self) -> int:
        """Places in the full state."""
        return sum(block.size for block in self.state_blocks)

    @cached_property
    def layout(self) -> str:
        """A short name for the exact shape of the record."""
        return hashlib.sha256(repr(self.dtype).encode()).hexdigest()[:12]

    def checked(self, num_players: Any, options: Mapping[str, Any]) -> dict[str, Any]:
        """All options with `num_players` first, or an error that names the one that is wrong."""
        seats = self.seats.default if num_players is None else num_players
        rest = check_options(self.options, options, self.name)
        checked = {"num_players": self.seats.check(seats), **rest}
        if self.check_together is not None:
            self.check_together(checked)
        return checked

    def new_games(self, n: int, options: Mapping[str, Any]) -> NDArray[Any]:
        """Records that know their options and wait for a stream and a deal.  # [n]"""
        pattern = np.zeros(1, self.dtype)
        self.put_options(pattern.view(np.recarray)[0], options)
        return as_games(np.repeat(pattern, n))

    def put_options(self, game: Record, options: Mapping[str, Any]) -> None:
        """Write the checked options into a record."""
        game.n_seats = options["num_players"]
        self.set_options(game, options)

    def why_not(self, game: Record, action: int) -> str:
        """An illegal action in words: who, what, and why it may not."""
        if not 0 <= action < self.n_actions:
            return f"{action} is no action of {self.name}; actions are 0 to {self.n_actions - 1}"
        name = self.action_name(action)
        return f"player_{game.to_act} may not '{name}' ({action}): {self.why_illegal(game, action)}"

    def __reduce__(self) -> tuple[Any, ...]:
        return load_spec, (self.module,)


def as_games(records: NDArray[Any]) -> NDArray[Any]:
    """Records in the form that kernels take: plain when compiled, else with attributes."""
    return records if JIT_ON else records.view(np.recarray)


def check_seed(seed: Any) -> int:
    """A game seed or the seed of a stream."""
    return whole_number("seed", seed, 0, LARGEST_SEED)


def fresh_seed() -> int:
    """A seed nobody chose."""
    entropy = np.random.SeedSequence().generate_state(1, np.uint64)[0]
    return int(seed_in_stream(entropy, 0))


def load_spec(place: str) -> GameSpec:
    """The spec at "package:NAME"."""
    package, name = place.split(":")
    spec = getattr(importlib.import_module(package), name)
    assert isinstance(spec, GameSpec)
    return spec


def game_names() -> list[str]:
    """The games that are installed."""
    return sorted(point.name for point in entry_points(group=ENTRY_POINTS))


def find_game(name: str) -> GameSpec:
    """The installed game of this name."""
    for point in entry_points(group=ENTRY_POINTS):
        if point.name == name:
            return load_spec(point.value)
    raise ValueError(f"there is no game {name!r}; there are {', '.join(game_names())}")
