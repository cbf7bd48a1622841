"""Players: one interface for all of them, from a random one to a network, and how one is named.

A player is made for a game and its options. It is given the observations and masks of the decisions
at hand, many at once, with a generator for each, and answers with an action for each; it never sees
a record. Who keeps a memory keeps it by place: a place is one seat of one lane, and `begin` says
when a new game starts there.
"""

from __future__ import annotations

import importlib
import inspect
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardcore.jit import kernel
from cardcore.rng import next_word
from cardcore.spec import GameSpec, as_games
from cardcore.vector import CHANCE, sample_all

ENTRY_POINTS = "malus.policies"
FLOAT_SHIFT = np.uint64(11)  # a float has 53 binary digits
FLOAT_STEP = 2.0**-53

Options = Mapping[str, Any]
Actions = NDArray[np.int64]


class Chance:
    """A generator for each of m decisions, its own and its own alone."""

    def __init__(self, generators: NDArray[Any]) -> None:
        self.generators = generators  # [m] records, for kernels

    def random(self) -> NDArray[np.float64]:
        """A number from 0 up to 1 for each decision.  # [m]"""
        numbers = np.empty(len(self.generators))
        random_all(self.generators, numbers)
        return numbers

    def pick(self, mask: NDArray[np.int8]) -> Actions:
        """One of the places that are 1 in each row, all alike likely.  # [m]"""
        actions = np.empty(len(mask), np.int64)
        sample_all(np.ascontiguousarray(mask), self.generators, actions)
        return actions


class View(NamedTuple):
    """The decisions at hand."""

    observation: NDArray[np.int8]  # [m, obs]
    mask: NDArray[np.int8]  # [m, actions]
    place: NDArray[np.int64]  # [m] which of the player's places it is
    chance: Chance


class Player(ABC):
    """What all players are: made for a game and its options, asked many decisions at once."""

    only_reads = False  # keeps nothing of a view and writes nothing into it, so needs no copy
    deciding: int | None = None  # which decision it is at, if it takes them one by one

    def __init_subclass__(cls, **words: Any) -> None:
        super().__init_subclass__(**words)
        if "act" in vars(cls):  # what holds of one way to act need not hold of another
            cls.only_reads = bool(vars(cls).get("only_reads"))

    def __init__(self, spec: GameSpec, options: Options) -> None:
        self.spec = spec
        self.options = options

    def begin(self, places: NDArray[np.int64]) -> None:  # noqa: B027 (a hook)
        """A new game starts at these places; who has no memory need not care."""

    @abstractmethod
    def act(self, view: View) -> Actions:
        """An action for each decision.  # [m]"""


class RandomPlayer(Player):
    """Any legal action, all alike likely."""

    only_reads = True

    def act(self, view: View) -> Actions:
        """An action for each decision.  # [m]"""
        return view.chance.pick(view.mask)


class KernelPlayer(Player):
    """A compiled player with weights: a page that reads observations through the game's blocks."""

    only_reads = True
    choose_all: Callable[..., None]  # (observation, mask, weights, generators, actions to write)

    def __init__(
        self, spec: GameSpec, options: Options, weights: Sequence[float] | None = None
    ) -> None:
        super().__init__(spec, options)
        self.weights = self.prepared(self.usual(options) if weights is None else weights)

    @classmethod
    def usual(cls, options: Options) -> Sequence[float]:
        """The weights with which it plays at such a table."""
        return ()

    def prepared(self, weights: Sequence[float]) -> NDArray[np.float64]:
        """What the kernel gets: the weights, and what it must know of the options."""
        return np.array(weights, np.float64)

    def act(self, view: View) -> Actions:
        """An action for each decision.  # [m]"""
        actions = np.empty(len(view.mask), np.int64)
        seen, mask = view.observation, view.mask
        type(self).choose_all(seen, mask, self.weights, view.chance.generators, actions)
        return actions


class TunedPlayer(KernelPlayer):
    """A compiled player whose weights were found by `python -m agents.tune`, and are frozen."""

    version: int  # whatever changes a decision makes a new one
    terms: Sequence[tuple[str, Sequence[float], Sequence[float]]]  # name, starts, what was found
    tables: Sequence[Sequence[int]]  # numbers of seats: one start and one find for each group
    step: float  # the search's first step, as a share of a weight's start
    among_itself: (
        float  # what a candidate does among its like counts so much, among `basic` the rest
    )
    n_games: int  # of each candidate in each generation of the search

    @classmethod
    def start(cls, group: int) -> list[float]:
        """The round numbers with which the search for a group of tables begins."""
        return [starts[group] for _, starts, _ in cls.terms]

    @classmethod
    def usual(cls, options: Options) -> Sequence[float]:
        """What the search found for so many seats."""
        (group,) = (k for k, seats in enumerate(cls.tables) if options["num_players"] in seats)
        return [found[group] for _, _, found in cls.terms]


class FunctionPlayer(Player):
    """A plain function of one observation and its mask, and, if it wants one, a random number."""

    def __init__(self, spec: GameSpec, options: Options, choose: Callable[..., int]) -> None:
        super().__init__(spec, options)
        self.choose = choose
        self.wants_chance = n_required(choose) > 2

    def act(self, view: View) -> Actions:
        """An action for each decision.  # [m]"""
        numbers = [view.chance.random()] if self.wants_chance else []
        rows = zip(view.observation, view.mask, *numbers, strict=True)
        actions = []
        for self.deciding, row in enumerate(rows):
            actions.append(self.choose(*row))
        self.deciding = None
        return np.array(actions)


def n_required(function: Callable[..., Any]) -> int:
    """How many arguments it must be given, in their order."""
    given = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = inspect.signature(function).parameters.values()
    return sum(one.kind in given and one.default is one.empty for one in parameters)


class PlayerError(ValueError):
    """What a player did wrong, with its name."""


Where = Callable[[int | None], str]  # one decision of those at hand, or all of them, in words


@contextmanager
def blamed(name: str, failure: str, where: Callable[[], str] = str) -> Iterator[None]:
    """Whatever goes wrong within is the doing of the player of this name."""
    try:
        yield
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        line = f"{Path(last.filename).name}, line {last.lineno}"
        raise PlayerError(f"player {name!r} {failure}{where()}: {said(error)} ({line})") from error


def said(error: Exception) -> str:
    """An error in words."""
    return f"{type(error).__name__}: {error}"


def new_player(make: Maker, name: str, spec: GameSpec, options: Options) -> Player:
    """A player of this name."""
    with blamed(name, "cannot be made"):
        return make(spec, options)


def decide(
    player: Player, name: str, view: View, spec: GameSpec, where: Where = lambda decision: ""
) -> Actions:
    """What a player chooses, checked by what it was allowed, whatever it did to its view.  # [m]"""
    own = view
    if not player.only_reads:
        own = View(view.observation.copy(), view.mask.copy(), view.place.copy(), view.chance)
    with blamed(name, "failed", lambda: where(player.deciding)):
        chosen = np.asarray(player.act(own))
    if (fault := fault_in(chosen, view.mask, spec)) is not None:
        decision, words = fault
        raise PlayerError(f"player {name!r} {words}{where(decision)}")
    return chosen


def fault_in(
    chosen: NDArray[Any], mask: NDArray[np.int8], spec: GameSpec
) -> tuple[int, str] | None:
    """The first wrong answer to m decisions and what is wrong with it; None if all are right."""
    n = len(mask)
    if chosen.shape != (n,) or chosen.dtype.kind not in "iu":
        given = f"{chosen.dtype} of shape {chosen.shape}"
        return 0, f"must give {n} whole numbers, one action a decision, not {given}"
    i = int(first_fault(chosen.astype(np.int64, copy=False), mask))
    if i == n:
        return None
    inside = 0 <= chosen[i] < mask.shape[1]
    what = spec.action_name(int(chosen[i])) if inside else "no action"
    allowed = ", ".join(spec.action_name(int(a)) for a in np.flatnonzero(mask[i]))
    return i, f"chose {chosen[i]} ({what}), which is not allowed; allowed is {allowed}"


Maker = Callable[[GameSpec, Options], Player]  # a subclass of Player, mostly


def find_player(name: str, spec: GameSpec) -> Maker:
    """Who plays under this name: one that is installed, or "package.module:Name"."""
    if ":" in name:
        return maker_of(_import(name), name)
    installed = _installed(spec)
    point = installed.get(name.removeprefix(f"{spec.name}."))
    if point is None:
        raise ValueError(
            f"there is no player {name!r} of {spec.name}; there are {', '.join(installed)}, "
            "and your own as package.module:Name"
        )
    with _importing(name, point.module):
        thing = point.load()
    return maker_of(thing, name)


def player_names(spec: GameSpec) -> list[str]:
    """The players that are installed for a game."""
    return list(_installed(spec))


def _installed(spec: GameSpec) -> dict[str, EntryPoint]:
    """The players of a game and those of all games; a name with a dot is that of another game."""
    points = sorted(entry_points(group=ENTRY_POINTS), key=lambda point: "." in point.name)
    named = {point.name.removeprefix(f"{spec.name}."): point for point in points}
    return {name: named[name] for name in sorted(named) if "." not in name}


def maker_of(thing: Any, name: str) -> Maker:
    """Whatever makes players of this: a class, a partial of a class, a function that plays."""
    made = thing.func if isinstance(thing, partial) else thing
    if isinstance(made, type):
        if not issubclass(made, Player):
            raise TypeError(f"{name} is a class that does not derive from agents.players.Player")
        return thing
    if not callable(thing):
        raise TypeError(f"{name} is {thing!r}: neither a player class nor a function that plays")
    return lambda spec, options: FunctionPlayer(spec, options, thing)


@contextmanager
def _importing(name: str, module: str) -> Iterator[None]:
    """Whatever goes wrong within is the doing of a player's module, if there is one."""
    try:
        yield
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
            words = f"there is no module {module!r} to import"
        else:
            words = f"the module {module} fails with {said(error)}"
        raise PlayerError(f"player {name!r}: {words}") from error


def _import(place: str) -> Any:
    """The object at "package.module:Name"."""
    module, _, attribute = place.partition(":")
    with _importing(place, module):
        found = importlib.import_module(module)
    if not hasattr(found, attribute):
        raise ValueError(f"player {place!r}: the module {module} has no {attribute!r}")
    return getattr(found, attribute)


def new_generators(n: int) -> NDArray[Any]:
    """Generators that wait for their keys.  # [n]"""
    return as_games(np.zeros(n, CHANCE))


@kernel
def first_fault(chosen, mask):
    """The first decision that was answered by an action outside its mask, or their number."""
    for i in range(mask.shape[0]):
        if chosen[i] < 0 or chosen[i] >= mask.shape[1] or mask[i, chosen[i]] == 0:
            return i
    return mask.shape[0]


@kernel
def random_of(generator):
    """A number from 0 up to 1."""
    return np.int64(next_word(generator) >> FLOAT_SHIFT) * FLOAT_STEP


@kernel
def random_all(generators, numbers):
    """A number from 0 up to 1 from each generator."""
    for i in range(generators.shape[0]):
        numbers[i] = random_of(generators[i])
