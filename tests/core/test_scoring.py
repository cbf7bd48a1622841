"""The ledger of penalty points."""

import numpy as np
import pytest

from cardcore import scoring
from cardcore.spec import common_fields

GAME = np.dtype([*common_fields(4), ("target", np.int32), ("max_rounds", np.int32)], align=True)


def ledger(score, round_score=(0, 0, 0, 0), round_no=1, target=18, max_rounds=0):
    """A record of three seats; the fourth is empty."""
    game = np.zeros(1, GAME).view(np.recarray)[0]
    game.n_seats, game.round_no, game.target, game.max_rounds = 3, round_no, target, max_rounds
    game.score[:], game.round_score[:] = score, round_score
    return game


def test_a_round_is_added_to_the_totals():
    game = ledger((1, 2, 3, 0), (10, 0, 5, 7))
    scoring.add_round(game)
    assert game.score.tolist() == [11, 2, 8, 0]
    scoring.clear_round(game)
    assert game.round_score.tolist()[:3] == [0, 0, 0]
    assert game.score.tolist() == [11, 2, 8, 0]
    scoring.clear_game(game)
    assert game.score.tolist() == [0, 0, 0, 0]


def test_the_highest_total_is_of_a_seat_that_is_there():
    assert scoring.highest_total(ledger((4, 9, 7, 99))) == 9
    assert scoring.highest_total(ledger((-4, -9, -7, 0))) == -4


@pytest.mark.parametrize(
    ("score", "round_no", "max_rounds", "over"),
    [
        ((17, 0, 0, 0), 5, 0, False),
        ((0, 18, 0, 0), 1, 0, True),
        ((0, 0, 30, 0), 1, 2, False),  # with a number of rounds the target is not looked at
        ((0, 0, 0, 0), 2, 2, True),
    ],
)
def test_the_end_by_rounds_or_target(score, round_no, max_rounds, over):
    game = ledger(score, round_no=round_no, max_rounds=max_rounds)
    assert scoring.rounds_or_target_reached(game) == over


def test_equal_totals_share_a_place_and_the_win():
    assert scoring.ranks([5, 3, 9, 3]).tolist() == [3, 1, 4, 1]
    assert scoring.win_shares([5, 3, 9, 3]).tolist() == [0, 0.5, 0, 0.5]
    assert scoring.win_shares([2, 2, 2, 2]).tolist() == [0.25] * 4
    assert scoring.ranks([[-1, 0], [0, -1]]).tolist() == [[1, 2], [2, 1]]
    assert scoring.win_shares([[-1, 0], [0, 0]]).tolist() == [[1, 0], [0.5, 0.5]]
