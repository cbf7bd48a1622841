"""One game between named players, move by move, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.match import Entrant
from agents.players import Chance, Player, View, blamed, decide, new_generators, new_player
from cardcore import GameSpec
from cardcore.aec import GameEnv
from cardcore.rng import substream
from cardcore.spec import check_seed


def watch(
    spec: GameSpec, entrants: Sequence[Entrant], options: Mapping[str, Any], seed: int
) -> Iterator[str]:
    """The table before every move, the move, and what a scored round cost; all sit down in turn."""
    seats = options["num_players"]
    if not 1 <= len(entrants) <= seats:
        raise ValueError(f"{len(entrants)} players are named: for {seats} seats name 1 to {seats}")
    sitting = [entrants[seat % len(entrants)] for seat in range(seats)]
    return _moves(spec, sitting, options, check_seed(seed))


def _moves(
    spec: GameSpec, sitting: Sequence[Entrant], options: Mapping[str, Any], seed: int
) -> Iterator[str]:
    """A game between those who sit at the table, line by line."""
    env = GameEnv(spec, render_mode="ansi", **options)
    env.reset(seed=seed)
    players = [new_player(one.make, one.name, spec, options) for one in sitting]
    chances = [new_generators(1) for _ in sitting]
    for seat, player in enumerate(players):
        chances[seat]["rng"] = substream(seed, seat)
        with blamed(sitting[seat].name, "failed as the game began"):
            player.begin(np.array([seat]))
    yield "seats: " + ", ".join(f"player_{seat} is {one.name}" for seat, one in enumerate(sitting))
    while not any(env.terminations.values()):
        agent = env.agent_selection
        seat = env.possible_agents.index(agent)
        yield f"\n{env.render()}"
        action = _choice(env, players[seat], sitting[seat].name, seat, chances[seat], seed)
        env.step(action)
        yield f"-> {agent} ({sitting[seat].name}): {env.action_name(action)}"
        if any(env.rewards.values()):
            cost = ", ".join(f"{who} {-paid:+.0f}" for who, paid in env.rewards.items())
            yield f"   the round is scored: {cost}"
    yield f"\n{env.render()}"


def _choice(
    env: GameEnv, player: Player, name: str, seat: int, generator: NDArray[Any], seed: int
) -> int:
    """What the player of a seat that is asked chooses."""
    seen = env.observe(env.possible_agents[seat])
    rows = seen["observation"][None], seen["action_mask"][None], np.array([seat])
    where = f" (seed {seed}, seat {seat})"
    return int(decide(player, name, View(*rows, Chance(generator)), env.spec, lambda _: where)[0])
