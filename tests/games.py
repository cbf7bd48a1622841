"""The games under test, found as every game is, and how to play them."""

import random
from importlib import import_module

import numpy as np
import pytest

import cardcore
from cardcore.aec import GameEnv

QUIET = "ignore::UserWarning"  # PettingZoo's remarks on dict observations and zero masks

GAMES = tuple(import_module(f"tests.{name}.game").GAME for name in cardcore.game_names())
each_game = pytest.mark.parametrize("game", GAMES, ids=str)
each_table = pytest.mark.parametrize(
    ("game", "seats"),
    [pytest.param(game, n, id=f"{game}-{n}") for game in GAMES for n in game.tables],
)


def legal(env: GameEnv) -> list[int]:
    """What the selected agent may do."""
    return np.flatnonzero(env.observe(env.agent_selection)["action_mask"]).tolist()


def is_over(env: GameEnv) -> bool:
    """Whether nobody can act any more."""
    return all(env.terminations.values())


def play_on(env: GameEnv, chance: random.Random, most: int = 10**9) -> list[int]:
    """Random legal actions up to the end or `most` steps; gives the actions."""
    actions: list[int] = []
    while not is_over(env) and len(actions) < most:
        actions.append(chance.choice(legal(env)))
        env.step(actions[-1])
    return actions


def all_seen(env: GameEnv) -> bytes:
    """Everything that the environment shows, as bytes."""
    parts = [env.save(), env.state().tobytes(), repr(env.snapshot()).encode()]
    for agent in env.possible_agents:
        seen = env.observe(agent)
        parts += [seen["observation"].tobytes(), seen["action_mask"].tobytes()]
    books = (env.agents, env.rewards, env.terminations, env.truncations, env.infos)
    parts.append(repr((books, env._cumulative_rewards, env.agent_selection)).encode())
    return b"\0".join(parts)
