"""What a seat can do, as numbers and as words."""

import numpy as np

from allergo_env.cards import (
    CAPTAIN,
    CODES,
    COLOURS,
    N_COLOURED,
    N_COLOURS,
    PLUS_3,
    PLUS_4,
)

PLAY = 0  # + card, for coloured cards
PLAY_CAPTAIN = PLAY + N_COLOURED  # + the colour that it names
PLAY_PLUS_4 = PLAY_CAPTAIN + N_COLOURS  # + the colour that it names
PLAY_PLUS_3 = PLAY_PLUS_4 + N_COLOURS
DRAW = PLAY_PLUS_3 + 1  # or take the fine, or accept a +4
PASS = DRAW + 1
ANNOUNCE = PASS + 1
DENOUNCE = ANNOUNCE + 1
LIAR = DENOUNCE + 1
NAME = LIAR + 1  # + the colour that the dealer names
N_ACTIONS = NAME + N_COLOURS

CARD_PLAYED = np.array(
    [
        *range(N_COLOURED),
        *[CAPTAIN] * N_COLOURS,
        *[PLUS_4] * N_COLOURS,
        PLUS_3,
    ]
)  # by each action below DRAW
WORDS = (
    *CODES[:N_COLOURED],
    *(f"C {colour}" for colour in COLOURS),
    *(f"+4 {colour}" for colour in COLOURS),
    "+3",
    *("draw", "pass", "announce", "denounce", "liar"),
    *(f"name {colour}" for colour in COLOURS),
)
NUMBER_OF = {word: action for action, word in enumerate(WORDS)}


def action_name(action: int) -> str:
    """An action in words: "R5", "C R", "+4 B", "+3", "draw", "pass", "liar", "name R" …"""
    if not 0 <= action < N_ACTIONS:
        raise ValueError(f"{action!r} is no action; actions are 0 to {N_ACTIONS - 1}")
    return WORDS[action]


def action_id(name: str) -> int:
    """The number of an action in words, as `action_name` writes it."""
    words = " ".join(name.split()) if isinstance(name, str) else None
    if words not in NUMBER_OF:
        raise ValueError(
            f"{name!r} is no action; they read like 'R5', 'C R', '+4 B', '+3', 'draw', 'pass', "
            "'announce', 'denounce', 'liar' or 'name R'"
        )
    return NUMBER_OF[words]
