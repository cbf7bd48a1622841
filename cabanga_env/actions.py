"""What a seat can do, as numbers and as words."""

import numpy as np

from cabanga_env.cards import CARD_OF, CODES, N_CARDS, N_COLOURS, N_VALUES

LEFT, RIGHT = 0, 1
SIDES = ("left", "right")
N_SIDES = len(SIDES)

PLAY = 0  # 2 * card + side
THROW = PLAY + N_SIDES * N_CARDS  # + value - 1
PASS = THROW + N_VALUES
N_ACTIONS = PASS + 1

PASSING = N_VALUES + 1  # what stands in the place of a value when a seat passes
COLOUR_OF_ACTION = np.repeat(
    [*range(N_COLOURS), 0], [N_SIDES * N_VALUES] * N_COLOURS + [N_ACTIONS - THROW]
)
VALUE_OF_ACTION = np.array(
    [*np.tile(np.repeat(np.arange(N_VALUES) + 1, N_SIDES), N_COLOURS), *range(1, PASSING + 1)]
)


def action_name(action: int) -> str:
    """An action in words: "Y6 left", "throw 9" or "pass"."""
    if PLAY <= action < THROW:
        return f"{CODES[(action - PLAY) // N_SIDES]} {SIDES[(action - PLAY) % N_SIDES]}"
    if THROW <= action < PASS:
        return f"throw {action - THROW + 1}"
    if action == PASS:
        return "pass"
    raise ValueError(f"{action!r} is no action; actions are 0 to {N_ACTIONS - 1}")


def action_id(name: str) -> int:
    """The number of an action in words, as `action_name` writes it."""
    words = name.split() if isinstance(name, str) else []
    match words:
        case ["pass"]:
            return PASS
        case ["throw", value] if value.isdecimal() and 1 <= int(value) <= N_VALUES:
            return THROW + int(value) - 1
        case [code, side] if code in CARD_OF and side in SIDES:
            return PLAY + N_SIDES * CARD_OF[code] + SIDES.index(side)
    raise ValueError(f"{name!r} is no action; they read like 'Y6 left', 'throw 9' or 'pass'")
