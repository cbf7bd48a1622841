"""What a seat can do, as numbers and as words."""

from bungee_env.cards import CARD_OF, CODES, N_KINDS

MOST_PLAYED = 5  # cards of one kind in one turn: as many as a hand holds
PLAY = 0  # MOST_PLAYED * kind + n - 1: play n cards of a kind and draw
TAKE = PLAY + MOST_PLAYED * N_KINDS  # likewise: take the discard and play
SWAP = TAKE + MOST_PLAYED * N_KINDS  # + kind: take the lucky J and put a card of this kind down
CALL = SWAP + N_KINDS
PASS = CALL + 1
N_ACTIONS = PASS + 1


def action_name(action: int) -> str:
    """An action in words: "play 7 7", "take, play 7", "swap for 7", "call" or "pass"."""
    if PLAY <= action < SWAP:
        kind, more = divmod((action - PLAY) % TAKE, MOST_PLAYED)
        return ("" if action < TAKE else "take, ") + " ".join(["play", *[CODES[kind]] * (more + 1)])
    if SWAP <= action < CALL:
        return f"swap for {CODES[action - SWAP]}"
    if action in (CALL, PASS):
        return "call" if action == CALL else "pass"
    raise ValueError(f"{action!r} is no action; actions are 0 to {N_ACTIONS - 1}")


def action_id(name: str) -> int:
    """The number of an action in words, as `action_name` writes it."""
    words = name.split() if isinstance(name, str) else []
    match words:
        case ["call"]:
            return CALL
        case ["pass"]:
            return PASS
        case ["swap", "for", code] if code in CARD_OF:
            return SWAP + CARD_OF[code]
        case ["play", code, *more] if code in CARD_OF and _alike(code, more):
            return PLAY + MOST_PLAYED * CARD_OF[code] + len(more)
        case ["take,", "play", code, *more] if code in CARD_OF and _alike(code, more):
            return TAKE + MOST_PLAYED * CARD_OF[code] + len(more)
    raise ValueError(
        f"{name!r} is no action; they read like 'play 7 7', 'take, play 7', 'swap for J', 'call' "
        "or 'pass'"
    )


def _alike(code: str, more: list[str]) -> bool:
    """Whether cards can be played together."""
    return len(more) < MOST_PLAYED and all(other == code for other in more)
