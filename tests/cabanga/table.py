"""Tables of Cabanga laid out in a line, and the few words that a rule test needs of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from cabanga_env import cabanga_v0

START_CARDS = [1, 3, 5, 7, 12, 14, 16, 18]
ROWS = ["red", "blue", "violet", "yellow"]

Row = tuple[int, int]


def flat(rows: Iterable[Iterable[Any]]) -> list[Any]:
    """Hands or rows as one list."""
    return list(chain.from_iterable(rows))


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


class Table:
    """A game among people who say what they do: `play("Y6 left")`, `throw(7)`, `pass_()`."""

    def __init__(
        self, seed: int = 0, first_round: dict[str, Any] | None = None, **options: Any
    ) -> None:
        self.env = cabanga_v0.raw_env(render_mode="ansi", **options)
        self.env.reset(seed=seed, options=first_round)

    # what people do

    def do(self, action: str) -> Table:
        """The seat that is asked does this."""
        self.env.step(self.env.action_id(action))
        return self

    def play(self, *plays: str) -> Table:
        """The seats in turn lay these cards, each with its side."""
        for play in plays:
            self.do(play)
        return self

    def throw(self, *values: int) -> Table:
        """The seat that is asked throws these values, one after the other."""
        for value in values:
            self.do(f"throw {value}")
        return self

    def pass_(self) -> Table:
        """The seat that is asked throws nothing more."""
        return self.do("pass")

    def play_out_round(self) -> Table:
        """Everybody does the first thing that is allowed until the round is scored."""
        before = self.round
        while self.round == before and self.phase != "over":
            self.do(self.choices()[0])
        return self

    def copy(self) -> Table:
        """A second table that goes on from here on its own."""
        twin = Table.__new__(Table)
        twin.env = self.env.clone()
        return twin

    # what lies on the table

    def choices(self) -> list[str]:
        """All that the seat that is asked may do, in words."""
        if self.phase == "over":
            return []
        mask = self.env.observe(self.env.agent_selection)["action_mask"]
        return [self.env.action_name(action) for action in mask.nonzero()[0]]

    def throwable(self) -> str:
        """The cards that the seat that is asked may throw, such as "Y7 Y8"."""
        thrown = [name.split()[1] for name in self.choices() if name.startswith("throw")]
        return " ".join(f"{self.snapshot()['gap'][0]}{value}" for value in thrown)

    def snapshot(self) -> dict[str, Any]:
        """The full truth."""
        return self.env.snapshot()

    def hand(self, seat: int) -> str:
        """The cards of a seat in card order, such as "R1 Y6"."""
        return " ".join(self.snapshot()["hands"][seat])

    def row(self, colour: str) -> tuple[int, int]:
        """The two tops of a colour's row."""
        left, right = self.snapshot()["piles"]["RBVY".index(colour)]
        return left, right

    @property
    def draw_pile(self) -> str:
        """The penalty pile, next card first."""
        return " ".join(self.snapshot()["draw_pile"])

    @property
    def discard(self) -> str:
        """The discard, top last."""
        return " ".join(self.snapshot()["discard"])

    @property
    def asked(self) -> tuple[int, str]:
        """The seat that is asked and what it is asked: "play" or "throw"."""
        return self.snapshot()["to_act"], self.phase

    @property
    def phase(self) -> str:
        """What is going on: "play", "throw" or "over"."""
        return str(self.snapshot()["phase"])

    @property
    def round(self) -> int:
        """The number of the round, from 1."""
        return int(self.snapshot()["round"])

    @property
    def scores(self) -> list[int]:
        """The totals of minus points."""
        return list(self.snapshot()["scores"])

    @property
    def rewards(self) -> list[float]:
        """What the last step paid each seat."""
        return list(self.env.rewards.values())
