"""What moves would have led to: from the true state, some legal actions are played out.

The seat itself plays on as one player and the others as another, to the end of the episode. That
uses cards that the seat does not see, so it is for teaching only: a true state is a fair draw of
what the seat cannot know, and a network that learns from many of them learns the mean over it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from agents.aims import Aim
from agents.match import close_ranks
from agents.players import Actions, Chance, Player, View, new_generators
from cardcore import VectorGames
from cardcore.vector import Step


def outcomes(
    games: VectorGames,
    now: Step,
    aim: Aim,
    lanes: NDArray[np.int64],  # [branch] where it begins
    actions: Actions,  # [branch] what the seat to act does there first
    own: Player,
    others: Player,
) -> NDArray[np.float32]:
    """The reward that an action brings the seat to act.  # [branch]"""
    found = np.zeros(len(lanes), np.float32)
    if len(lanes) == 0:
        return found
    branch, seat, chosen = np.arange(len(lanes)), now.seat[lanes], actions
    branches, paid = games.fork(lanes), np.zeros(len(lanes), np.float32)
    while True:
        round_no = branches.games.round_no.copy()
        step = branches.step(chosen)
        paid += aim.rewards(branches, step, round_no)[np.arange(len(seat)), seat]
        if len(over := np.flatnonzero(aim.ended(branches, step, round_no))):
            found[branch[over]] = paid[over]
            stay = close_ranks(len(seat), over)
            if len(stay) == 0:
                return found
            branch, seat, paid = branch[stay], seat[stay], paid[stay]
            step = branches.keep(stay)
        chosen = np.empty(len(seat), np.int64)
        for rows, player in ((step.seat == seat, own), (step.seat != seat, others)):
            answer(player, step, np.flatnonzero(rows), chosen)


def answer(player: Player, step: Step, rows: NDArray[np.int64], chosen: Actions) -> None:
    """What a player without memory does in some lanes."""
    if len(rows):
        chance = Chance(new_generators(len(rows)))
        chosen[rows] = player.act(View(step.observation[rows], step.mask[rows], rows, chance))
