"""Tables of Cabanga laid out in a line, and the few words that a rule test needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import tests.table
from cabanga_env import cabanga_v0

START_CARDS = [1, 3, 5, 7, 12, 14, 16, 18]
ROWS = ["red", "blue", "violet", "yellow"]

Row = tuple[int, int]


def table(
    hands: Sequence[str],
    deck: str = "",
    discard: str = "",
    starter: int = 0,
    seed: int = 0,
    red: Row | None = None,
    blue: Row | None = None,
    violet: Row | None = None,
    yellow: Row | None = None,
    **options: Any,
) -> Table:
    """A first round laid out by hand; rows that are not given take the start cards left over."""
    given = dict(zip(ROWS, [red, blue, violet, yellow], strict=True))
    taken = [value for row in given.values() if row for value in row]
    rest = [value for value in START_CARDS if value not in taken]
    start_cards: list[int] = []
    for row in given.values():
        start_cards += row or (rest.pop(0), rest.pop(0))
    return Table(
        seed=seed,
        num_players=len(hands),
        first_round={
            "hands": [hand.split() for hand in hands],
            "deck": deck.split(),
            "discard": discard.split(),
            "start_cards": start_cards,
            "starter": starter,
        },
        **options,
    )


class Table(tests.table.Table):
    """Cabanga among people who say what they do: `play("Y6 left")`, `throw(7)`, `pass_()`."""

    module = cabanga_v0

    def play(self, *plays: str) -> Self:
        """The seats in turn lay these cards, each with its side."""
        return self.do(*plays)

    def throw(self, *values: int) -> Self:
        """The seat that is asked throws these values, one after the other."""
        return self.do(*(f"throw {value}" for value in values))

    def pass_(self) -> Self:
        """The seat that is asked throws nothing more."""
        return self.do("pass")

    def throwable(self) -> str:
        """The cards that the seat that is asked may throw, such as "Y7 Y8"."""
        thrown = [name.split()[1] for name in self.choices() if name.startswith("throw")]
        return " ".join(f"{self.snapshot()['gap'][0]}{value}" for value in thrown)

    def row(self, colour: str) -> tuple[int, int]:
        """The two tops of a colour's row."""
        left, right = self.snapshot()["piles"]["RBVY".index(colour)]
        return left, right
