"""A game's options as data: checked when a game is made, shown in docs and on the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


class OptionError(ValueError, TypeError):
    """A bad option or table: a value of the wrong type is as wrong as one out of bounds."""


def whole_number(name: str, value: Any, low: int, high: int) -> int:
    """The value as an int, or an error that names what was given and what would be right."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise OptionError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{name} must be from {low} to {high}, not {value}")
    return int(value)


@dataclass(frozen=True)
class Number:
    """A whole number within bounds; `None` means "none" where that is the default."""

    name: str
    default: int | None
    low: int
    high: int
    meaning: str

    @property
    def allowed(self) -> str:
        """The values it takes, in words."""
        return f"{self.low}–{self.high}" + (" or None" if self.default is None else "")

    def check(self, value: Any) -> int | None:
        """The value if it is allowed."""
        if value is None and self.default is None:
            return None
        return whole_number(self.name, value, self.low, self.high)


@dataclass(frozen=True)
class Numbers:
    """A fixed number of whole numbers within bounds."""

    name: str
    default: tuple[int, ...]
    low: int
    high: int
    meaning: str

    @property
    def allowed(self) -> str:
        """The values it takes, in words."""
        return f"{len(self.default)} numbers of {self.low}–{self.high}"

    def check(self, value: Any) -> tuple[int, ...]:
        """The values if they are allowed."""
        return whole_numbers(self.name, value, len(self.default), self.low, self.high)


@dataclass(frozen=True)
class Choice:
    """One of a few values."""

    name: str
    default: str | bool
    values: tuple[str | bool, ...]
    meaning: str

    @property
    def allowed(self) -> str:
        """The values it takes, in words."""
        return " or ".join(map(str, self.values))

    def check(self, value: Any) -> str | bool:
        """The value if it is allowed."""
        for one in self.values:
            if type(value) is type(one) and value == one:
                return one
        allowed = " or ".join(map(repr, self.values))
        raise OptionError(f"{self.name} must be {allowed}, not {value!r}")


@dataclass(frozen=True)
class Counts:
    """How many there are of some things; those that are not named keep their usual number."""

    name: str
    usual: Mapping[str, int]
    low: int
    high: int
    meaning: str
    default: None = None

    @property
    def allowed(self) -> str:
        """The values it takes, in words."""
        return f"numbers of {self.low}–{self.high} by code, or None"

    def check(self, value: Any) -> dict[str, int]:
        """The numbers that are not the usual ones."""
        given = {} if value is None else value
        if not isinstance(given, Mapping):
            raise OptionError(f"{self.name} must be a dict of code and number, not {value!r}")
        for code in given:
            if code not in self.usual:
                raise OptionError(f"{self.name} has an unknown code {code!r}")
        numbers = {
            code: whole_number(f"{self.name}[{code!r}]", given[code], self.low, self.high)
            for code in self.usual
            if code in given
        }
        return {code: n for code, n in numbers.items() if n != self.usual[code]}


Option = Number | Numbers | Choice | Counts


def whole_numbers(name: str, value: Any, n: int, low: int, high: int) -> tuple[int, ...]:
    """A list of exactly n whole numbers within bounds."""
    if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, (str, bytes)):
        raise OptionError(f"{name} must be {n} whole numbers from {low} to {high}, not {value!r}")
    if len(value) != n:
        raise ValueError(f"{name} must be {n} numbers, not {len(value)}")
    return tuple(whole_number(f"{name}[{k}]", one, low, high) for k, one in enumerate(value))


def check_options(options: Sequence[Option], given: Mapping[str, Any], game: str) -> dict[str, Any]:
    """All options of a game with their values; an unknown name is an error."""
    known = {option.name: option for option in options}
    for name in given:
        if name not in known:
            raise OptionError(f"{game} has no option {name!r}; it has {', '.join(known)}")
    return {name: option.check(given.get(name, option.default)) for name, option in known.items()}
