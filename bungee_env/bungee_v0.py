"""Bungee as a PettingZoo environment; rules and actions are in docs/rules/bungee.md.

>>> from bungee_env import bungee_v0
>>> env = bungee_v0.env(num_players=4, render_mode="ansi")
>>> env.reset(seed=7)
"""

from typing import Any

from bungee_env import actions, batch, observation, render, state
from cardcore.aec import GameEnv, register_env
from cardcore.spec import GameSpec

SPEC = GameSpec.of(
    state,
    actions,
    observation,
    batch,
    render,
    version=0,
    title="Bungee: get your hand down to five points, call, and hope that nobody goes lower",
)


def env(
    num_players: int = 4,
    render_mode: str | None = None,
    rounds: int = 6,
    turn_limit: int = 200,
    **unknown: Any,
) -> GameEnv:
    """A game of Bungee for 2 to 5 players; order, bounds and legality are checked inside."""
    return GameEnv(
        SPEC,
        num_players=num_players,
        render_mode=render_mode,
        rounds=rounds,
        turn_limit=turn_limit,
        **unknown,
    )


raw_env = env  # there are no wrappers to leave out

register_env(SPEC, "bungee_env.bungee_v0:env")
