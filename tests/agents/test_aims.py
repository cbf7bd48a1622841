"""Rewards from points."""

from types import SimpleNamespace

import numpy as np
import pytest

from agents.aims import Aim
from agents.training import Settings

ODDS = Aim(relative=True, by_round=True, scale=10.0, reach=1.5)


def rewards(aim, *points):
    """What a step brings that costs the seats so many points."""
    step = SimpleNamespace(rewards=-np.array([points], np.float32))
    return aim.rewards(step)[0]


def test_a_distance_from_the_mean_of_the_others():
    assert rewards(Aim(relative=True, scale=10.0), 30, 0, 0) == pytest.approx([-3, 1.5, 1.5])


@pytest.mark.parametrize("aim", [Aim(relative=True), ODDS])
def test_a_step_without_points_brings_nothing(aim):
    assert rewards(aim, 0, 0, 0, 0).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_odds_are_the_softmax_and_a_unit_is_worth_a_unit_among_equals(n):
    points = np.array([7, -10, 22, 40, 3, 18][:n])
    odds = np.exp(-points / 10 * n / (n - 1) / 1.5)
    wanted = (odds / odds.sum() - 1 / n) * 1.5 / (1 / n * (1 - 1 / n))
    assert rewards(ODDS, *points) == pytest.approx(wanted, abs=1e-5)
    little = rewards(ODDS, 0.1, *[0] * (n - 1))[0]
    assert little == pytest.approx(-0.01 * n / (n - 1), rel=0.02)


def test_at_four_seats_a_bad_round_costs_hardly_more_than_a_middling_one():
    def loss(more, less):
        return rewards(ODDS, less, 0, 0, 0)[0] - rewards(ODDS, more, 0, 0, 0)[0]

    assert loss(40, 30) < loss(10, 0) / 2
    assert loss(0, -10) > loss(10, 0)


def test_a_reach_is_not_negative():
    with pytest.raises(ValueError, match="reach must be 0 or more, not -1"):
        Settings("cabanga", 2, 100, reach=-1.0)
