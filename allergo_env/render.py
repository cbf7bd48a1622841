"""The table as text."""

from typing import Any

from allergo_env.cards import COLOUR_NAMES, COLOURS
from cardcore.scoring import who_won

ASKED = {
    "name_colour": "deals and names the colour",
    "turn": "has its turn",
    "drawn": "may play the card it drew",
    "announce": "may announce its last card",
    "denounce": "may denounce the silence",
    "clone": "may clone the top card",
    "challenge": "may doubt the +4",
}


def render(table: dict[str, Any]) -> str:
    """A snapshot as people would like to see it on a terminal."""
    lines = [
        _headline(table),
        _in_force(table),
        f"draw pile {len(table['draw_pile'])}, discard {len(table['discard'])}",
    ]
    for seat, hand in enumerate(table["hands"]):
        mark = ">" if seat == table["to_act"] else " "
        dealer = ", dealer" if seat == table["dealer"] else ""
        points = f"{table['scores'][seat]:>3} points{dealer}"
        lines.append(f"{mark} player_{seat} ({points}): {' '.join(hand) or 'no cards'}")
    return "\n".join(lines)


def _headline(table: dict[str, Any]) -> str:
    """What is going on, in a sentence."""
    start = f"Round {table['round']}, turn {table['turn']}: "
    if table["phase"] == "over":
        return start + f"the game is over, {who_won(table['scores'])}"
    drawn = f" ({table['drawn']})" if table["drawn"] else ""
    return start + f"player_{table['to_act']} {ASKED[table['phase']]}{drawn}"


def _in_force(table: dict[str, Any]) -> str:
    """The top card, and what counts."""
    colour = table["colour"]
    name = COLOUR_NAMES[COLOURS.index(colour)] if colour else "no colour"
    kind = f" or {table['kind']}" if table["kind"] else ""
    way = "clockwise" if table["direction"] > 0 else "anticlockwise"
    fine = f", fine {table['fine']}" if table["fine"] else ""
    return f"top {table['top']}: {name}{kind}, {way}{fine}"
