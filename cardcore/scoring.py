"""The ledger of penalty points: rounds add up, the lowest total wins, a reward is minus a score.

A game writes what a round costs each seat into `round_score`; these functions do the rest on the
fields that every record has (`cardcore.spec.common_fields`).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardcore.jit import kernel

NO_LIMIT = 0  # max_rounds of a game that is played to its target


@kernel
def clear_round(game):
    """A round is going to be scored."""
    for seat in range(game.n_seats):
        game.round_score[seat] = 0


@kernel
def clear_game(game):
    """A new game: all totals are zero."""
    for seat in range(game.n_seats):
        game.score[seat] = 0
        game.round_score[seat] = 0


@kernel
def add_round(game):
    """Enter the round that was just scored into the totals."""
    for seat in range(game.n_seats):
        game.score[seat] += game.round_score[seat]


@kernel
def highest_total(game):
    """The total of the seat that is furthest behind."""
    highest = game.score[0]
    for seat in range(1, game.n_seats):
        highest = max(highest, game.score[seat])
    return highest


@kernel
def rounds_or_target_reached(game):
    """A game with a number of rounds ends after them and does not look at its target."""
    if game.max_rounds != NO_LIMIT:
        return game.round_no >= game.max_rounds
    return highest_total(game) >= game.target


def who_won(scores: Sequence[int]) -> str:
    """The end of a game in words: who has the lowest total."""
    best = min(scores)
    winners = [f"player_{seat}" for seat, score in enumerate(scores) if score == best]
    return f"{' and '.join(winners)} won with {best} points"


def ranks(scores: ArrayLike) -> NDArray[np.int64]:
    """Places from 1 along the last axis; equal totals share the better place."""
    totals = np.asarray(scores)
    better = totals[..., None, :] < totals[..., :, None]
    return 1 + better.sum(axis=-1)


def win_shares(scores: ArrayLike) -> NDArray[np.float64]:
    """One win per game along the last axis, split evenly between equal lowest totals."""
    first = ranks(scores) == 1
    return first / first.sum(axis=-1, keepdims=True)
