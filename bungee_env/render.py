"""The table as text."""

from typing import Any

from cardcore.scoring import who_won

ASKED = {
    "lucky": "may swap the lucky J for a card",
    "turn": "has its turn",
    "call": "may call after its play",
}


def render(table: dict[str, Any]) -> str:
    """A snapshot as people would like to see it on a terminal."""
    lines = [
        _headline(table),
        f"lucky {table['lucky'] or '-'}, top of the discard {table['top'] or '-'}",
        f"draw pile {len(table['draw_pile'])}, discard {len(table['discard'])}",
    ]
    if table["last_lap"]:
        lines.append(f"called: {_seats(table['callers'])}; last turns: {_seats(table['lap_left'])}")
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
    return start + f"player_{table['to_act']} {ASKED[table['phase']]}"


def _seats(seats: list[int]) -> str:
    return " ".join(f"player_{seat}" for seat in seats) or "nobody"
