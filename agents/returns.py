"""What a decision was worth when several seats decide in turn: advantages by seat.

In a game of turns the transition of a seat runs from its decision to its own next decision, with
every reward that reached it in between, whoever acted meanwhile. So each lane has a stream of
decisions for every seat, and generalised advantage estimation runs along each stream.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardcore.jit import kernel

Singles = NDArray[np.float32]


def advantages(
    rewards: Singles,  # [step, lane, seat] what each seat got by the step
    seat: NDArray[np.int64],  # [step, lane] who acted
    done: NDArray[np.bool_],  # [step, lane] whether the step ended the game
    values: Singles,  # [step, lane] what the critic thought of the actor's position
    last_seat: NDArray[np.int64],  # [lane] who is to act after the last step
    last_values: Singles,  # [lane] and what the critic thinks of its position
    gamma: float,
    lam: float,
) -> tuple[Singles, NDArray[np.bool_]]:
    """The advantage of each decision, and whether it is known.  # [step, lane] both

    The last decision of a seat in a rollout has no successor yet, unless the game ended or the seat
    is to act next: it only lends its value to the one before, and its own advantage is not known.
    """
    shape = rewards.shape[:2]
    for name, array in (("seat", seat), ("done", done), ("values", values)):
        if array.shape != shape:
            raise ValueError(f"{name} must have shape {shape} as rewards have, not {array.shape}")
    if last_seat.shape != shape[1:] or last_values.shape != shape[1:]:
        raise ValueError(f"last_seat and last_values must have shape {shape[1:]}, one a lane")
    n_seats = rewards.shape[2]
    for name, seats in (("seat", seat), ("last_seat", last_seat)):  # kernels do not check bounds
        if ((seats < 0) | (seats >= n_seats)).any():
            raise ValueError(f"{name} must be from 0 to {n_seats - 1}")
    found = np.zeros(shape, np.float32)
    known = np.zeros(shape, np.bool_)
    scratch = np.zeros((4, n_seats))
    advantages_all(
        rewards, seat, done, values, last_seat, last_values, gamma, lam, scratch, found, known
    )
    return found, known


@kernel
def advantages_all(
    rewards, seat, done, values, last_seat, last_values, gamma, lam, scratch, found, known
):
    """Every lane, backwards from its last step."""
    n_steps, n_lanes, n_seats = rewards.shape
    paid, value, advantage, follows = scratch[0], scratch[1], scratch[2], scratch[3]
    for lane in range(n_lanes):
        scratch[:] = 0.0
        value[last_seat[lane]] = last_values[lane]
        follows[last_seat[lane]] = 1.0
        for step in range(n_steps - 1, -1, -1):
            if done[step, lane]:  # what came later was another game; after this one nothing comes
                scratch[:] = 0.0
                follows[:] = 1.0
            for who in range(n_seats):
                paid[who] += rewards[step, lane, who]
            who = seat[step, lane]
            if follows[who] > 0:
                error = paid[who] + gamma * value[who] - values[step, lane]
                advantage[who] = error + gamma * lam * advantage[who]
                found[step, lane] = advantage[who]
                known[step, lane] = True
            value[who], paid[who], follows[who] = values[step, lane], 0.0, 1.0
