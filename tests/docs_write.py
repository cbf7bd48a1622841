"""The tables of docs/encodings, from the blocks: `python -m tests.docs_write` writes them anew."""

from pathlib import Path

import cardcore
from cardcore.blocks import markdown
from cardcore.spec import GameSpec

ROOT = Path(__file__).resolve().parents[1]


def page_of(spec: GameSpec) -> Path:
    """Where the encodings of a game are explained."""
    return ROOT / "docs" / "encodings" / f"{spec.name}.md"


def text_of(spec: GameSpec) -> str:
    """The whole page."""
    return f"""# {spec.name.capitalize()}: the encodings of `{spec.env_name}`

Both vectors are 0 and 1 (int8) and have one size for every table; what is not there is 0. *Flags*
say what they mean by their place. A *thermometer* has a row of places for each number, and place k
is 1 when the number is at least the k-th step; a number above the last step shows as that step.
`env.describe(agent)` puts an observation into words, block by block.

## Observation ({spec.obs_size} places)

What one seat can know, from its own point of view.

{markdown(spec.blocks)}
## State ({spec.state_size} places)

The full truth, hidden cards included, seats in order from player_0: for critics, never for players.

{markdown(spec.state_blocks)}"""


def main() -> None:
    """Write the page of every game."""
    for name in cardcore.game_names():
        spec = cardcore.find_game(name)
        page_of(spec).parent.mkdir(exist_ok=True)
        page_of(spec).write_text(text_of(spec), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
