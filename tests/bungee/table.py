"""Tables of Bungee laid out in a line, and the few words that a rule test needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import tests.table
from bungee_env import bungee_v0


def table(
    hands: Sequence[str],
    deck: str = "",
    discard: str = "",
    lucky: str = "9",
    starter: int = 0,
    seed: int = 0,
    **options: Any,
) -> Table:
    """A first round laid out by hand; cards that are not named are out of play."""
    return Table(
        seed=seed,
        num_players=len(hands),
        first_round={
            "hands": [hand.split() for hand in hands],
            "deck": deck.split(),
            "discard": discard.split(),
            "lucky": lucky,
            "starter": starter,
        },
        **options,
    )


class Table(tests.table.Table):
    """Bungee among people who say what they do: `play("7 7")`, `take("7")`, `call()`, `pass_()`."""

    module = bungee_v0

    def play(self, *plays: str) -> Self:
        """The seats in turn play these cards and draw one."""
        return self.do(*(f"play {cards}" for cards in plays))

    def take(self, cards: str) -> Self:
        """The seat that is asked takes the top discard and plays these cards."""
        return self.do(f"take, play {cards}")

    def swap(self, card: str) -> Self:
        """The dealer takes the lucky J and puts this card on the discard."""
        return self.do(f"swap for {card}")

    def call(self) -> Self:
        """The seat that is asked calls Bungee."""
        return self.do("call")

    def pass_(self) -> Self:
        """The seat that is asked declines, stays silent, passes or stands."""
        return self.do("pass")

    @property
    def lucky(self) -> str | None:
        """The lucky card."""
        return self.snapshot()["lucky"]

    @property
    def callers(self) -> list[int]:
        """The seats whose call stands, in order of calling."""
        return list(self.snapshot()["callers"])

    @property
    def lap_left(self) -> list[int]:
        """The seats that still have a last turn, in order."""
        return list(self.snapshot()["lap_left"])
