"""Allergo as a PettingZoo environment; rules and actions are in docs/rules/allergo.md.

>>> from allergo_env import allergo_v0
>>> env = allergo_v0.env(num_players=4, render_mode="ansi")
>>> env.reset(seed=7)
"""

from collections.abc import Mapping
from typing import Any

from allergo_env import actions, batch, observation, render, state
from cardcore.aec import GameEnv, register_env
from cardcore.spec import GameSpec

SPEC = GameSpec.of(
    state,
    actions,
    observation,
    batch,
    render,
    version=0,
    title="Allergo: match colour or kind, stack the fines, bluff with a +4 and mind your last card",
)


def env(
    num_players: int = 4,
    render_mode: str | None = None,
    target: int = 500,
    rounds: int | None = None,
    turn_budget: int | None = None,
    turn_limit: int = 500,
    announce: str = "ask",
    cloning: bool = False,
    deck_counts: Mapping[str, int] | None = None,
    **unknown: Any,
) -> GameEnv:
    """A game of Allergo for 2 to 6 players; order, bounds and legality are checked inside."""
    return GameEnv(
        SPEC,
        num_players=num_players,
        render_mode=render_mode,
        target=target,
        rounds=rounds,
        turn_budget=turn_budget,
        turn_limit=turn_limit,
        announce=announce,
        cloning=cloning,
        deck_counts=deck_counts,
        **unknown,
    )


raw_env = env  # there are no wrappers to leave out

register_env(SPEC, "allergo_env.allergo_v0:env")
