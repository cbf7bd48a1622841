"""Tables of Allergo laid out in a line, and the few words that a rule test needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tests.table
from allergo_env import allergo_v0


def table(
    hands: Sequence[str],
    discard: str = "R5",
    deck: str = "",
    dealer: int | None = None,
    seed: int = 0,
    announce: str = "auto",
    **options: Any,
) -> Table:
    """A first round laid out by hand, in which seat 0 begins and "allergono" is not asked."""
    return Table(
        seed=seed,
        num_players=len(hands),
        first_round={
            "hands": [hand.split() for hand in hands],
            "deck": deck.split(),
            "discard": discard.split(),
            "dealer": len(hands) - 1 if dealer is None else dealer,
        },
        announce=announce,
        **options,
    )


class Table(tests.table.Table):
    """Allergo among people who say what they do: `do("R5", "C B", "draw", "liar")`."""

    module = allergo_v0

    def playable(self) -> str:
        """The cards that the seat that is asked may lay, each once, such as "R5 C"."""
        laid = {choice.split()[0] for choice in self.choices()}
        hand = self.snapshot()["hands"][self.asked[0]]
        return " ".join(card for card in dict.fromkeys(hand) if card in laid)

    def n_cards(self) -> list[int]:
        """How many cards each seat holds."""
        return [len(hand) for hand in self.snapshot()["hands"]]

    @property
    def top(self) -> str:
        """The card that physically lies on top."""
        return str(self.snapshot()["top"])

    @property
    def in_force(self) -> tuple[str | None, str | None]:
        """The colour and the kind that a card must match."""
        return self.snapshot()["colour"], self.snapshot()["kind"]

    @property
    def direction(self) -> int:
        """1 clockwise, -1 anticlockwise."""
        return int(self.snapshot()["direction"])

    @property
    def fine(self) -> int:
        """The cards that are pending."""
        return int(self.snapshot()["fine"])
