"""The games under test: what the shared tests must know of a game beyond its spec."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from cabanga_env import cabanga_v0
from cardcore.aec import GameEnv
from cardcore.spec import GameSpec

QUIET = "ignore::UserWarning"  # PettingZoo's remarks on dict observations and zero masks


@dataclass(frozen=True)
class GameUnderTest:
    """One game, and how the shared tests can get at what only it knows."""

    module: ModuleType
    spec: GameSpec
    turn_limit: int  # turns in a round at most
    cards: Callable[[dict[str, Any]], int]  # of a snapshot: cards that must always be there
    redeal: Callable[[Any, int, random.Random], None]  # what the seat cannot see, in place
    short: dict[str, Any]  # options of a quick game
    other: dict[str, Any]  # options that differ from the quick game's
    bad_options: tuple[tuple[dict[str, Any], str], ...]  # options, what the error names
    bad_tables: tuple[tuple[Any, str], ...]  # reset options for two seats, what the error names
    fixed_table: dict[str, Any]  # a first round for two seats that reset(options) can lay

    def __str__(self) -> str:
        return self.spec.name

    def env(self, num_players: int | None = None, **options: Any) -> GameEnv:
        """A fresh environment."""
        seats = self.spec.seats.default if num_players is None else num_players
        return self.module.env(num_players=seats, **options)

    @property
    def tables(self) -> range:
        """Every number of seats."""
        return range(self.spec.seats.low, self.spec.seats.high + 1)


def _cabanga_cards(table: dict[str, Any]) -> int:
    """Cards in hands, piles and rows: a turn buries exactly one."""
    held = sum(map(len, table["hands"]))
    return held + len(table["draw_pile"]) + len(table["discard"]) + table["turn"]


def _cabanga_redeal(game: Any, seat: int, chance: random.Random) -> None:
    """Shuffle the other hands and the pile together, and let another seat be asked."""
    n_seats = int(game.n_seats)
    others = [who for who in range(n_seats) if who != seat]
    hidden = [
        (colour, place)
        for colour in range(4)
        for place in range(18)
        if any(int(game.hand[who, colour]) >> place & 1 for who in others)
    ]
    hidden += [divmod(int(card), 18) for card in game.pile[: game.pile_size]]
    chance.shuffle(hidden)
    for who in others:
        game.hand[who] = 0
        for _ in range(int(game.hand_size[who])):
            colour, place = hidden.pop()
            game.hand[who, colour] |= np.uint32(1 << place)
    game.pile[: game.pile_size] = [18 * colour + place for colour, place in hidden]
    _ask_somebody_else(game, seat, chance)


def _ask_somebody_else(game: Any, seat: int, chance: random.Random) -> None:
    """While others may throw, the seat knows neither who is asked nor whether anybody is."""
    if game.phase != cabanga_v0.state.THROW_CARDS or game.to_act == seat:
        return
    n_seats = int(game.n_seats)
    follower = (int(game.active) + 1) % n_seats
    others = [who for who in range(n_seats) if who not in (seat, int(game.active))]
    nobody = follower != seat and (game.hand_size[:n_seats] > 0).all()
    choice = chance.choice([*others, None] if nobody else others)
    if choice is None:
        game.phase = cabanga_v0.state.PLAY_CARD
        game.active = game.to_act = follower
    else:
        game.to_act = choice


STARTS = [1, 3, 5, 7, 12, 14, 16, 18]
CABANGA = GameUnderTest(
    module=cabanga_v0,
    spec=cabanga_v0.SPEC,
    turn_limit=72,
    cards=_cabanga_cards,
    redeal=_cabanga_redeal,
    short={"rounds": 2},
    other={"rounds": 3},
    bad_options=(
        ({"num_players": 1}, "num_players"),
        ({"num_players": 7}, "num_players"),
        ({"num_players": 4.0}, "num_players"),
        ({"num_players": True}, "num_players"),
        ({"target": 0}, "target"),
        ({"target": None}, "target"),
        ({"target": "18"}, "target"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": -1}, "rounds"),
        ({"rounds": 1.5}, "rounds"),
        ({"points": [1] * 17}, "points"),
        ({"points": [1] * 17 + [4]}, r"points\[17\]"),
        ({"points": [0] + [1] * 17}, r"points\[0\]"),
        ({"points": "1" * 18}, "points"),
        ({"points": 3}, "points"),
        ({"render_mode": "human"}, "render_mode"),
    ),
    bad_tables=(
        ({"hands": [["R1"], ["G1"]]}, "G1"),
        ({"hands": [["R1"], ["R19"]]}, "R19"),
        ({"hands": [["R1"], [7]]}, "7"),
        ({"hands": [["R1"], ["R1"]]}, "R1"),
        ({"hands": [["R1"], ["R2"]], "deck": ["R2"]}, "R2"),
        ({"hands": [["R1"], ["R2"]], "discard": ["R1"]}, "R1"),
        ({"hands": [["R1"], ["R2"], ["R3"]]}, "3 seats"),
        ({"hands": [["R1"]]}, "1 seats"),
        ({"hands": [["R1"], []]}, r"hands\[1\]"),
        ({"hands": "R1"}, "hands"),
        ({"hands": ["R1", "R2"]}, "hands"),
        ({"deck": ["R1", "R2"]}, "whole deck"),
        ({"deck": "R1"}, "deck"),
        ({"discard": ["R1"]}, "discard"),
        ({"start_cards": STARTS[:7]}, "start_cards"),
        ({"start_cards": [1, *STARTS[:7]]}, "start_cards"),
        ({"start_cards": [2, *STARTS[1:]]}, "start_cards"),
        ({"start_cards": 5}, "start_cards"),
        ({"starter": 2}, "starter"),
        ({"starter": -1}, "starter"),
        ({"starter": "0"}, "starter"),
        ({"starter": True}, "starter"),
        (["deck"], "dict"),
        ("deck", "dict"),
    ),
    fixed_table={
        "hands": [["R1", "B2", "V3"], ["Y4", "R9", "B9"]],
        "deck": ["Y1", "Y2", "Y3"],
        "starter": 0,
        "start_cards": STARTS,
    },
)

GAMES = (CABANGA,)
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
