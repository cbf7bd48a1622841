"""Cabanga as a PettingZoo environment; rules, actions and encodings are in docs/rules/cabanga.md.

>>> from cabanga_env import cabanga_v0
>>> env = cabanga_v0.env(num_players=4, render_mode="ansi")
>>> env.reset(seed=7)
"""

from collections.abc import Sequence
from typing import Any

from cabanga_env import actions, batch, observation, render, state
from cabanga_env.cards import DEFAULT_POINTS
from cardcore.aec import GameEnv, register_env
from cardcore.spec import GameSpec

SPEC = GameSpec.of(
    state,
    actions,
    observation,
    batch,
    render,
    version=0,
    title="Cabanga: lay your cards, but mind the gap; what fits into it is thrown at you",
)


def env(
    num_players: int = 4,
    render_mode: str | None = None,
    target: int = 18,
    rounds: int | None = None,
    points: Sequence[int] = DEFAULT_POINTS,
    **unknown: Any,
) -> GameEnv:
    """A game of Cabanga for 2 to 6 players; order, bounds and legality are checked inside."""
    return GameEnv(
        SPEC,
        num_players=num_players,
        render_mode=render_mode,
        target=target,
        rounds=rounds,
        points=points,
        **unknown,
    )


raw_env = env  # there are no wrappers to leave out

register_env(SPEC, "cabanga_env.cabanga_v0:env")
