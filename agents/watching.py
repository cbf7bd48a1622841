"""One game between named players, move by move, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from agents.match import Entrant
from agents.players import Chance, View, fault_in, new_generators
from cardcore import GameSpec
from cardcore.aec import GameEnv
from cardcore.rng import substream


def watch(
    spec: GameSpec, entrants: Sequence[Entrant], options: Mapping[str, Any], seed: int
) -> Iterator[str]:
    """The table before every move, the move, and what a scored round cost."""
    env = GameEnv(spec, render_mode="ansi", **options)
    env.reset(seed=seed)
    seats = len(env.possible_agents)
    players = [entrants[seat % len(entrants)].make(spec, options) for seat in range(seats)]
    names = [entrants[seat % len(entrants)].name for seat in range(seats)]
    chances = [new_generators(1) for _ in range(seats)]
    for seat, player in enumerate(players):
        chances[seat]["rng"] = substream(seed, seat)
        player.begin(np.array([seat]))
    yield "seats: " + ", ".join(f"player_{seat} is {name}" for seat, name in enumerate(names))
    while not any(env.terminations.values()):
        agent = env.agent_selection
        seat = env.possible_agents.index(agent)
        yield f"\n{env.render()}"
        seen = env.observe(agent)
        rows = seen["observation"][None], seen["action_mask"][None], np.array([seat])
        chosen = np.asarray(players[seat].act(View(*rows, Chance(chances[seat]))))
        if (fault := fault_in(chosen, rows[1], spec)) is not None:
            raise ValueError(f"player {names[seat]!r} {fault[1]}")
        action = int(chosen[0])
        env.step(action)
        yield f"-> {agent} ({names[seat]}): {env.action_name(action)}"
        if any(env.rewards.values()):
            cost = ", ".join(f"{who} {-paid:+.0f}" for who, paid in env.rewards.items())
            yield f"   the round is scored: {cost}"
    yield f"\n{env.render()}"
