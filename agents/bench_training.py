"""How fast networks learn and play: samples and decisions a CPU-second, a part of `make bench`.

Learning: MaskablePPO, 2×256, batches of 4096, 4 epochs, 1024 lanes at four seats; CPU time, of
which stepping and masks are told apart. Playing: the shipped network in bulk and one at a time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO

from agents.match import Entrant
from agents.network import NetworkPlayer, Ppo
from agents.players import Chance, View, find_player, new_generators
from agents.ppo import WeighingPolicy
from agents.sb3 import AllSeats, LearnerSeat
from agents.training import Run, Settings
from cardcore import GameSpec, VectorGames

SEATS = 4
HIDDEN = (256, 256)
ROLLOUTS = 3
PLAYED = 20  # batches


class Clock:
    """Adds up the CPU time that goes into some methods."""

    def __init__(self) -> None:
        self.spent = 0.0

    def around(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """The method, timed."""

        def timed(*args: Any, **kwargs: Any) -> Any:
            start = time.process_time()
            try:
                return method(*args, **kwargs)
            finally:
                self.spent += time.process_time() - start

        return timed


def speeds(spec: GameSpec, lanes: int = 1024) -> dict[str, float]:
    """The figures of one game."""
    untaught = {"copy_steps": 0, "lesson_steps": 0, "practice_steps": 0}
    settings = Settings(spec.name, SEATS, 10**9, lanes=lanes, hidden=HIDDEN, **untaught)
    run = Run(None, settings)
    all_seats, stepping = _learn(run.model, run.env, settings)
    others = [Entrant("tuned", find_player("tuned", spec))]
    env = LearnerSeat(VectorGames(spec, lanes, seed=1, **run.options), others)
    one = MaskablePPO(
        WeighingPolicy,
        env,
        n_steps=settings.rollout,
        batch_size=settings.batch,
        n_epochs=settings.epochs,
        policy_kwargs=run.model.policy_kwargs,
        device="cpu",
    )
    learner_seat, _ = _learn(one, env, settings)
    player = Ppo(spec, run.options)
    now = run.env.games.look()
    return {
        "all_seats": all_seats,
        "stepping": stepping,
        "learner_seat": learner_seat,
        "decisions": len(now.mask) * PLAYED / _asked(player, now, len(now.mask), PLAYED),
        "one_decision": _asked(player, now, 1, 100 * PLAYED) / (100 * PLAYED),
    }


def _learn(
    model: MaskablePPO, env: AllSeats | LearnerSeat, settings: Settings
) -> tuple[float, float]:
    """Samples a CPU-second, and the part of the time that stepping and masks take."""
    per_rollout = settings.lanes * settings.rollout
    torch.set_num_threads(1)
    model.learn(per_rollout)
    clock = Clock()
    env.step_wait = clock.around(env.step_wait)  # type: ignore[method-assign]
    env.action_masks = clock.around(env.action_masks)  # type: ignore[method-assign]
    start = time.process_time()
    model.learn(ROLLOUTS * per_rollout)
    spent = time.process_time() - start
    return ROLLOUTS * per_rollout / spent, clock.spent / spent


def _asked(player: NetworkPlayer, now: Any, n: int, times: int) -> float:
    """CPU-seconds that so many questions about n decisions take."""
    chance = Chance(new_generators(n))
    view = View(now.observation[:n], now.mask[:n], np.arange(n), chance)
    player.act(view)
    start = time.process_time()
    for _ in range(times):
        player.act(view)
    return time.process_time() - start
