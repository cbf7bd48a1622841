"""What a learner is after: how the points of a step become its reward."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardcore.vector import Step

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Aim:
    """Rewards from points; the game's own reward, minus the score, is Aim()."""

    relative: bool = False  # to stay below the mean of the others, not just low
    by_round: bool = False  # an episode is a round, not a game
    scale: float = 1.0  # points that make one unit of reward

    def rewards(self, step: Step) -> Floats:
        """What each seat gets for a step.  # [n, seat]"""
        points = step.rewards
        if self.relative:
            others = (points.sum(axis=1, keepdims=True) - points) / (points.shape[1] - 1)
            points = points - others
        return points / np.float32(self.scale)


SCORE = Aim()
