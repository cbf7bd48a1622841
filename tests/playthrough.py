"""Golden playthroughs: a whole game as text that people can read and a test can compare.

A file in tests/golden opens with the game, the table and the seed; the rest follows from them. To
add one, write such a head into a new file; `python -m tests.golden_write` plays the rest into it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import cardcore
from cardcore.aec import GameEnv

GOLDEN = Path(__file__).parent / "golden"
HEAD = ("game", "seed", "options")  # the lines with which a file opens
STRIDE = 7  # what is chosen: the (7 * step)-th legal action, counted round and round
LARGEST_FILE = 60_000  # bytes: beyond that nobody reads it


def golden_files() -> list[Path]:
    """All playthroughs on record."""
    return sorted(GOLDEN.glob("*.txt"))


def read_head(text: str) -> dict[str, Any]:
    """What a playthrough is of: the values of its first lines."""
    head = {}
    for name, line in zip(HEAD, text.splitlines(), strict=False):
        word, value = line.split(": ", maxsplit=1)
        if word != name:
            raise ValueError(f"a playthrough opens with {', '.join(HEAD)}, not with {line!r}")
        head[name] = json.loads(value)
    return head


def playthrough(game: str, seed: int, options: Mapping[str, Any]) -> str:
    """The whole text of a playthrough, head included."""
    env = GameEnv(cardcore.find_game(game), render_mode="ansi", **options)
    env.reset(seed=seed)
    head = [
        f"{name}: {json.dumps(value)}"
        for name, value in zip(HEAD, (game, seed, options), strict=True)
    ]
    return "\n".join([*head, *_lines(env)]) + "\n"


def _lines(env: GameEnv) -> Iterator[str]:
    """The game from the first table to the last."""
    step = 0
    seen_round = 0
    while not any(env.terminations.values()):
        yield from ["", str(env.render())]
        agent = env.agent_selection
        if (number := env.snapshot()["round"]) != seen_round:
            seen_round = number
            yield from _what_is_seen(env, agent)
        legal = env.observe(agent)["action_mask"].nonzero()[0].tolist()
        action = legal[STRIDE * step % len(legal)]
        env.step(action)
        step += 1
        yield f"-> {step}. {agent}: {env.action_name(action)} (of {len(legal)} choices)"
        if any(env.rewards.values()):
            yield "rewards: " + ", ".join(f"{who} {int(paid)}" for who, paid in env.rewards.items())
    yield from ["", str(env.render())]


def _what_is_seen(env: GameEnv, agent: str) -> Iterator[str]:
    """The observation of an agent in words, in an order that no layout changes."""
    yield f"what {agent} sees:"
    for name, words in sorted(env.describe(agent).items()):
        yield f"  {name}: {json.dumps(words)}"
