"""What a learner is after: how what a step cost everybody becomes its reward."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents.players import Chance, Player, View, new_generators
from cardcore import GameSpec, VectorGames
from cardcore.vector import Step

Floats = NDArray[np.float32]

LANES = 512
EPISODES = 4000  # that show how much rewards differ


@dataclass(frozen=True)
class Aim:
    """Rewards from points; that of the games themselves, minus the score, is Aim()."""

    relative: bool = False  # to stay below the mean of the others, not just low
    by_round: bool = False  # an episode is a round, not a game
    scale: float = 1.0  # points that make one unit of reward
    reach: float = 0.0  # units that a seat can well make up for later; 0: any number alike

    def rewards(self, step: Step) -> Floats:
        """What each seat gets for a step.  # [n, seat]"""
        points = step.rewards
        if self.relative:
            others = (points.sum(axis=1, keepdims=True) - points) / (points.shape[1] - 1)
            points = points - others
        points = points / np.float32(self.scale)
        return self._as_odds(points) if self.reach else points

    def _as_odds(self, points: Floats) -> Floats:
        """The odds to be first that points give, so that a point is worth one near the others."""
        even = 1 / points.shape[1]
        odds = np.exp(points / self.reach)
        odds /= odds.sum(axis=1, keepdims=True)
        return (odds - even).astype(np.float32) * np.float32(self.reach / (even * (1 - even)))

    def ended(self, games: VectorGames, step: Step, round_no: NDArray[np.int32]) -> NDArray[Any]:
        """In which lanes a step from rounds of these numbers ended an episode.  # [n]"""
        if self.by_round:
            return step.done | (games.games.round_no != round_no)
        return step.done


SCORE = Aim()


def natural_scale(
    spec: GameSpec, options: Mapping[str, Any], aim: Aim, player: Player, seed: int
) -> float:
    """The standard deviation of what an episode brings a seat when one player has all seats."""
    games = VectorGames(spec, LANES, seed=seed, **options)
    now, chance = games.reset(), Chance(new_generators(LANES))
    paid: list[Floats] = []
    sums = np.zeros((LANES, games.num_players), np.float32)
    while len(paid) < EPISODES:
        round_no = games.games.round_no.copy()
        place = np.arange(LANES) * games.num_players + now.seat
        now = games.step(player.act(View(now.observation, now.mask, place, chance)))
        sums += aim.rewards(now)
        ended = aim.ended(games, now, round_no)
        paid += list(sums[ended])
        sums[ended] = 0
    return float(np.std(np.array(paid)))
