"""What every move would have led to: from the true state, each legal action is played out.

Everybody plays on as one player does, to the end of the episode. That uses cards that the seat does
not see, so it is for teaching only: a true state is a fair draw of what the seat cannot know, and a
network that learns from many of them learns the mean over it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.aims import Aim
from agents.match import close_ranks
from agents.players import Chance, Player, View, new_generators
from cardcore import VectorGames
from cardcore.vector import Step


def outcomes(games: VectorGames, now: Step, aim: Aim, player: Player) -> NDArray[np.float32]:
    """The reward that each legal action brings the seat to act, NaN elsewhere.  # [n, actions]"""
    found = np.full(now.mask.shape, np.nan, np.float32)
    lanes, actions = np.nonzero(now.mask)
    seat, place, chosen = now.seat[lanes], np.arange(len(lanes)), actions
    chance = Chance(new_generators(len(lanes)))
    branches = games.fork(lanes)
    paid = np.zeros(len(lanes), np.float32)
    while True:
        round_no = branches.games.round_no.copy()
        step = branches.step(chosen)
        paid += aim.rewards(step)[np.arange(len(seat)), seat]
        if len(over := np.flatnonzero(aim.ended(branches, step, round_no))):
            found[lanes[over], actions[over]] = paid[over]
            stay = close_ranks(len(seat), over)
            if len(stay) == 0:
                return found
            lanes, actions, seat, place = lanes[stay], actions[stay], seat[stay], place[stay]
            paid = paid[stay]
            step = branches.keep(stay)
        chance.generators = chance.generators[: len(seat)]
        chosen = player.act(View(step.observation, step.mask, place, chance))
