"""Tables that come from the code: `python -m tests.docs_write` writes them anew.

The pages of docs/encodings come from the blocks and the aspects, the table of the trained players
from their cards.
"""

from pathlib import Path

import cardcore
from agents import aspects
from agents.aspects import aspects_of
from agents.network import card_of, shipped
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

{markdown(spec.state_blocks)}
## Aspects of an action ({aspects_of(spec).n} numbers)

What a trained network is told of each allowed action beside the observation, from which these
numbers are worked out: what the action would do and lead to, as far as its seat can tell
([how networks use them](../training.md)).

{aspects.markdown(aspects_of(spec).table)}"""


LEAGUE_PAGES = (ROOT / "README.md", ROOT / "docs" / "training.md")
LEAGUE_FROM, LEAGUE_TO = "<!-- league -->\n", "<!-- end of league -->\n"


def league() -> str:
    """How strong the shipped players are, as their cards say."""
    lines = [
        "| share of wins of one `ppo` | against `tuned` | against `basic` | even |",
        "|---|---|---|---|",
    ]
    for name in cardcore.game_names():
        for seats, path in shipped(cardcore.find_game(name)).items():
            against = card_of(path)["against"]
            cells = [f"{name.capitalize()}, {seats} seats"]
            for rest in ("tuned", "basic"):
                share = against[rest]["share"]
                half = (share["high"] - share["low"]) / 2
                cells.append(f"{share['value']:.1%} ± {half:.1%}".replace("%", " %", 2))
            lines.append("| " + " | ".join([*cells, f"{100 / seats:.3g} %"]) + " |")
    return "\n".join(lines).replace(" % ±", " ±") + "\n"


def with_league(text: str) -> str:
    """A page with that table in its place."""
    before, _, rest = text.partition(LEAGUE_FROM)
    return before + LEAGUE_FROM + league() + LEAGUE_TO + rest.partition(LEAGUE_TO)[2]


def main() -> None:
    """Write the page of every game, and the table of the league."""
    for page in LEAGUE_PAGES:
        page.write_text(with_league(page.read_text(encoding="utf-8")), encoding="utf-8")
    for name in cardcore.game_names():
        spec = cardcore.find_game(name)
        page_of(spec).parent.mkdir(exist_ok=True)
        page_of(spec).write_text(text_of(spec), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
