"""Reading a table laid out by hand, `reset(options=...)`: the impossible is named, not repaired."""

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cardcore.options import OptionError, whole_number


def known_keys(options: Any, known: Sequence[str]) -> dict[str, Any]:
    """The part of `reset(options)` that the game knows; the rest is ignored with a warning."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise OptionError(f"reset options must be a dict with keys among {', '.join(known)}")
    for key in options:
        if key not in known:
            warnings.warn(
                f"reset option {key!r} is not known and is ignored; known are {', '.join(known)}",
                stacklevel=4,
            )
    return {key: options[key] for key in known if options.get(key) is not None}


def read_seat(name: str, value: Any, n_seats: int) -> int:
    """A seat number at this table."""
    return whole_number(name, value, 0, n_seats - 1)


def read_cards(name: str, codes: Any, card_of: Mapping[str, int]) -> list[int]:
    """Card numbers for a list of card codes."""
    if isinstance(codes, np.ndarray):
        codes = codes.tolist()
    if isinstance(codes, str) or not isinstance(codes, Sequence):
        raise OptionError(f"{name} must be a list of card codes such as {_some(card_of)}")
    for code in codes:
        if not isinstance(code, str) or code not in card_of:
            raise ValueError(
                f"{name} has an unknown card {code!r}; codes are like {_some(card_of)}"
            )
    return [card_of[code] for code in codes]


def read_hands(
    hands: Any, card_of: Mapping[str, int], n_seats: int, most: int | None = None
) -> list[list[int]]:
    """A list of cards for each seat, none empty."""
    if isinstance(hands, str) or not isinstance(hands, (Sequence, np.ndarray)):
        raise OptionError("hands must be a list of lists of card codes, one for each seat")
    if len(hands) != n_seats:
        raise ValueError(f"hands has {len(hands)} seats; this table has {n_seats}")
    read = [read_cards(f"hands[{seat}]", hand, card_of) for seat, hand in enumerate(hands)]
    for seat, hand in enumerate(read):
        if not hand or (most is not None and len(hand) > most):
            allowed = "at least 1 card" if most is None else f"1 to {most} cards"
            raise ValueError(f"hands[{seat}] has {len(hand)} cards; a hand has {allowed}")
    return read


def check_copies(
    places: Mapping[str, Sequence[int]], copies: Sequence[int], codes: Sequence[str]
) -> None:
    """No card lies on the table more often than the box has it."""
    found: dict[int, list[str]] = {}
    for place, cards in places.items():
        for card in cards:
            found.setdefault(card, []).append(place)
    for card, where in found.items():
        if len(where) > copies[card]:
            raise ValueError(
                f"{codes[card]} is named {len(where)} times (in {', '.join(where)}); "
                f"the deck has {copies[card]}"
            )


def check_whole_deck(cards: Sequence[int], copies: Sequence[int], codes: Sequence[str]) -> None:
    """A `deck` without `hands` is the whole shuffled deck."""
    check_copies({"deck": cards}, copies, codes)
    if len(cards) != sum(copies):
        missing = next(card for card, n in enumerate(copies) if list(cards).count(card) < n)
        raise ValueError(
            f"deck must be the whole deck of {sum(copies)} cards, not {len(cards)} "
            f"({codes[missing]} is missing); to lay out fewer, give hands"
        )


def _some(card_of: Mapping[str, int]) -> str:
    codes = list(card_of)
    return ", ".join(repr(code) for code in (codes[0], codes[len(codes) // 2], codes[-1]))
