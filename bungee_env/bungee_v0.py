"""Bungee as a PettingZoo environment; rules and actions are in docs/rules/bungee.md.

>>> from bungee_env import bungee_v0
>>> env = bungee_v0.env(num_players=4, render_mode="ansi")
>>> env.reset(seed=7)
"""

from typing import Any

from bungee_env import actions, batch, render, state
from bungee_env.observation import BLOCKS, STATE_BLOCKS
from cardcore.aec import GameEnv, register_env
from cardcore.spec import GameSpec, Kernels

SPEC = GameSpec(
    name="bungee",
    version=0,
    module="bungee_env:SPEC",
    title="Bungee: get your hand down to five points, call, and hope that nobody goes lower",
    dtype=state.GAME,
    seats=state.SEATS,
    options=state.OPTIONS,
    table_keys=state.TABLE_KEYS,
    n_actions=actions.N_ACTIONS,
    blocks=BLOCKS,
    state_blocks=STATE_BLOCKS,
    kernels=Kernels.of(batch),
    set_options=state.set_options,
    lay_table=state.lay_table,
    check_record=state.check_record,
    snapshot=state.snapshot,
    action_name=actions.action_name,
    action_id=actions.action_id,
    why_illegal=state.why_illegal,
    render=render.render,
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
