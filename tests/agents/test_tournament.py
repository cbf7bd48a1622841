"""Tournaments and their statistics."""

import itertools
import json
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from agents import coverage as coverage_module
from agents.coverage import lone_shares
from agents.match import Entrant
from agents.players import RandomPlayer
from agents.report import html_page
from agents.statistics import (
    coverage,
    estimate,
    fit_ratings,
    narrowing,
    ratings,
    resampled,
)
from agents.tournament import cross_tables, hold, mixed_tables
from cardcore import find_game
from cardcore.jit import JIT_ON
from tests.agents import own
from tests.games import each_game

N_DEALS = 30 if JIT_ON else 10
OWN = "tests.agents.own:"
EASY = ["random", OWN + "first_legal", OWN + "LastLegal"]


# Who sits where


@pytest.mark.parametrize(("n", "seats"), [*itertools.product([2, 3, 4, 5, 8], [2, 3, 4, 6])])
def test_mixed_tables_treat_all_alike(n, seats):
    tables = mixed_tables(n, seats)
    assert len({tuple(row) for row in tables.tolist()}) == len(tables)
    at_seat = np.array([[(tables[:, seat] == k).sum() for k in range(n)] for seat in range(seats)])
    assert (at_seat == at_seat[0, 0]).all()  # everybody sits everywhere equally often
    counts = [np.bincount(row, minlength=n) for row in tables]
    assert all(row.max() - row.min() <= 1 for row in counts)  # as evenly mixed as can be


def test_few_are_seated_in_every_order_and_many_turned_round():
    assert len(mixed_tables(4, 4)) == 24
    assert len(mixed_tables(6, 6)) == 6


def test_a_lone_player_sits_everywhere():
    tables, pairs = cross_tables(3, 4)
    assert pairs == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)]
    assert tables[:4].tolist() == [[0, 1, 1, 1], [1, 0, 1, 1], [1, 1, 0, 1], [1, 1, 1, 0]]


# A whole one


@pytest.fixture(scope="module")
def result():
    spec = find_game("cabanga")
    return hold(spec, EASY, options=spec.checked(3, {"rounds": 1}), deals=N_DEALS, seed=4)


def test_the_figures_of_a_tournament_add_up(result):
    n = len(EASY)
    assert sorted(one.name for one in result.standings) == sorted(EASY)
    assert sum(one.share.value for one in result.standings) == pytest.approx(1)
    assert sum(one.difference.value for one in result.standings) == pytest.approx(0)
    assert np.mean([one.rating.value for one in result.standings]) == pytest.approx(1000)
    for one in result.standings:
        assert sum(one.places) == pytest.approx(1)
        for figure in (one.share, one.score, one.difference, one.rating):
            assert figure.low <= figure.value <= figure.high
            assert figure.low < figure.high
    assert [one.rating.value for one in result.standings] == sorted(
        (one.rating.value for one in result.standings), reverse=True
    )
    for one, rest in itertools.product(range(n), range(n)):
        assert (result.cross[one][rest] is None) == (one == rest)


def test_the_same_command_gives_the_same_to_the_last_digit(result):
    spec = find_game("cabanga")
    again = hold(spec, EASY, options=result.options, deals=N_DEALS, seed=4, threads=2)
    assert json.dumps(again.as_json()) == json.dumps(result.as_json())
    other = hold(spec, EASY, options=result.options, deals=N_DEALS, seed=5)
    assert json.dumps(other.as_json()) != json.dumps(result.as_json())


def test_a_page_for_the_browser_stands_alone(result):
    page = html_page([result])
    assert "http" not in page
    assert "<script" not in page
    assert page.count("<svg") == 1
    assert page.count("<circle") == len(EASY)
    assert page.count("hsl(") == len(EASY) * (len(EASY) - 1)
    for name in EASY:
        assert name in page


def test_names_on_the_page_are_only_text(result):
    bad = replace(result.standings[0], name="<b>x</b>")
    page = html_page([replace(result, standings=[bad], names=[bad.name], cross=[[None]])])
    assert "<b>x" not in page
    assert "&lt;b&gt;x" in page


def test_a_player_of_the_moment_enters_by_name_and_function(result):
    """What is played is the function, what is shown is the name."""
    spec = find_game("cabanga")
    players = ["random", (EASY[1], own.first_legal), (EASY[2], own.LastLegal)]
    again = hold(spec, players, options=result.options, deals=N_DEALS, seed=4)
    assert json.dumps(again.as_json()) == json.dumps(result.as_json())


@each_game
@pytest.mark.parametrize(
    ("players", "deals", "words"),
    [(["random"], 5, "two players"), (["random", "random"], 5, "twice"), (EASY, 1, "deals")],
)
def test_a_bad_tournament_is_explained(game, players, deals, words):
    with pytest.raises(ValueError, match=words):
        hold(game.spec, players, options=game.spec.checked(2, {}), deals=deals)


# How sure it is


def test_resampled_weights_are_deals_drawn_with_repetition():
    weights = np.concatenate(list(resampled(7, 400, 0)))
    assert weights.shape == (400, 7)
    assert np.allclose(weights.sum(axis=1), 1)
    assert np.allclose(weights * 7, np.round(weights * 7))
    assert np.allclose(weights.mean(axis=0), 1 / 7, atol=0.02)


def test_an_interval_is_as_wide_as_theory_says():
    values = np.random.default_rng(0).normal(3, 2, (400, 1))
    found = estimate(values, 0)[0]
    assert found.value == pytest.approx(values.mean())
    assert found.high - found.low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)


def test_an_interval_minds_bias_and_skew():
    """Against the textbook: the lean of an interval by leaving out one deal after another."""
    chance, normal = np.random.default_rng(4), NormalDist()
    values = chance.exponential(1, 40)
    spread = np.concatenate([weights @ values for weights in resampled(40, 2000, 7)])
    bias = normal.inv_cdf(np.mean(spread < values.mean()))
    without = np.array([np.delete(values, k).mean() for k in range(40)])
    away = without.mean() - without
    lean = (away**3).sum() / (6 * (away**2).sum() ** 1.5)
    reach = bias + np.array([-1, 1]) * normal.inv_cdf(0.975)
    edges = [normal.cdf(bias + one / (1 - lean * one)) for one in reach]
    found = estimate(values[:, None], 7)[0]
    assert (found.low, found.high) == pytest.approx(np.quantile(spread, edges))
    assert found.high - found.value > found.value - found.low


def test_figures_that_never_differ_have_no_width():
    found = estimate(np.full((9, 1), 0.25), 0)[0]
    assert (found.value, found.low, found.high) == pytest.approx((0.25, 0.25, 0.25))


def test_ratings_follow_the_odds():
    wins = np.array([[0, 75, 90], [25, 0, 75], [10, 25, 0]], float)
    low, middle, high = fit_ratings(wins * 1000)[::-1]
    assert high - middle == pytest.approx(400 * np.log10(3), abs=1)
    assert middle - low == pytest.approx(400 * np.log10(3), abs=1)


def test_ties_are_worth_the_same_to_both():
    wins = np.full((20, 2, 2), 0.5) * (1 - np.eye(2))
    assert [one.value for one in ratings(wins, 0)] == pytest.approx([1000, 1000])


def test_who_always_wins_has_a_finite_rating():
    assert np.isfinite(fit_ratings(np.array([[0, 100], [0, 0]], float))).all()


def test_narrowing_is_that_of_figures_which_cancel_out():
    chance = np.random.default_rng(1)
    luck = chance.normal(0, 3, (4000, 1)) * np.array([1, -1])
    games = luck + chance.normal(0, 1, (4000, 2))
    assert narrowing(games, games.mean(axis=1)) == pytest.approx(np.sqrt(10), rel=0.1)


@pytest.mark.compiled
def test_intervals_of_a_player_against_itself_hold_the_even_share():
    spec = find_game("cabanga")
    both = [Entrant(name, RandomPlayer) for name in ("random", "random with other streams")]
    shares = lone_shares(spec, both, 2, range(200 * 60), seed=11).mean(axis=1)
    assert 0.92 <= coverage(shares, 0.5, 60, seed=3, resamples=1000) <= 0.98


def test_the_coverage_command_prints_its_figure(capsys):
    words = ["cabanga", "--players", "random", OWN + "first_legal", "--truth", "40"]
    coverage_module.main([*words, "--repeats", "4", "--deals", "10"])
    assert "of 4 intervals of 10 other deals hold it" in " ".join(capsys.readouterr().out.split())
