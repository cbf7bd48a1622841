"""The table as text."""

from typing import Any

from cabanga_env.cards import COLOUR_NAMES, COLOURS
from cardcore.scoring import who_won

ROW = "{left:>4} | {name:^6} | {right:<4}"


def render(table: dict[str, Any]) -> str:
    """A snapshot as people would like to see it on a terminal."""
    lines = [_headline(table)]
    for name, (left, right) in zip(COLOUR_NAMES, table["piles"], strict=True):
        lines.append(ROW.format(left=left, name=name, right=right).rstrip())
    lines.append(f"penalty pile {len(table['draw_pile'])}, discard {len(table['discard'])}")
    for seat, hand in enumerate(table["hands"]):
        mark = ">" if seat == table["to_act"] else " "
        lines.append(
            f"{mark} player_{seat} ({table['scores'][seat]:>2} points): {_by_colour(hand)}"
        )
    return "\n".join(lines)


def _headline(table: dict[str, Any]) -> str:
    """What is going on, in a sentence."""
    start = f"Round {table['round']}, turn {table['turn']}: "
    if table["phase"] == "over":
        return start + f"the game is over, {who_won(table['scores'])}"
    if table["phase"] == "throw":
        colour, low, high = table["gap"]
        name = COLOUR_NAMES[COLOURS.index(colour)]
        return start + (
            f"player_{table['active']} left the gap {low}-{high} in {name}, "
            f"player_{table['to_act']} may throw"
        )
    avoid = table["last_colour"]
    colour = f", {COLOUR_NAMES[COLOURS.index(avoid)]} costs a card" if avoid else ""
    return start + f"player_{table['to_act']} plays{colour}"


def _by_colour(hand: list[str]) -> str:
    """R1 R5  B2 ...: colours apart."""
    groups = [[code for code in hand if code[0] == colour] for colour in COLOURS]
    return "  ".join(" ".join(group) for group in groups if group) or "no cards"
