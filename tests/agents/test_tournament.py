"""Tournaments and their statistics."""

import io
import itertools
import json
import re
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest
from rich.console import Console

from agents import coverage as coverage_module
from agents.match import Entrant
from agents.players import RandomPlayer
from agents.report import by_duplicates, cross_table, html_page, standings_table
from agents.seeds import TUNING
from agents.statistics import (
    coverage,
    estimate,
    estimate_all,
    fit_ratings,
    narrowing,
    ratings,
    resampled,
)
from agents.tournament import (
    cross_tables,
    hold,
    lone_figure,
    lone_scores,
    mixed_tables,
)
from cardcore import find_game
from cardcore.jit import JIT_ON
from cardcore.scoring import win_shares
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


def test_the_order_of_names_and_what_options_leave_out_are_no_matter(result):
    spec = find_game("cabanga")
    for players in (EASY[::-1], EASY[1:] + EASY[:1]):
        options = {"rounds": 1, "num_players": 3}
        again = hold(spec, players, options=options, deals=N_DEALS, seed=4)
        assert json.dumps(again.as_json()) == json.dumps(result.as_json())
    assert hold(spec, EASY[:2], options={"rounds": 1}, deals=2).seats == spec.seats.default


def test_a_page_for_the_browser_stands_alone(result):
    page = html_page([result])
    assert "http" not in page
    assert "<script" not in page
    assert page.count("<svg") == 1
    assert page.count("<circle") == len(EASY)
    assert page.count("hsl(") == len(EASY) * (len(EASY) - 1)
    for name in EASY:
        assert name in page


def named(result, name):
    """The result with another name for the first of it, alone."""
    standing = replace(result.standings[0], name=name)
    return replace(result, standings=[standing], names=[name], cross=[[None]])


def on_screen(result, width=100):
    """What the tables look like."""
    console = Console(file=io.StringIO(), width=width)
    console.print(standings_table(result), cross_table(result))
    return console.file.getvalue()


def test_names_on_the_page_are_only_text(result):
    page = html_page([named(result, "<b>x</b>")])
    assert "<b>x" not in page
    assert "&lt;b&gt;x" in page


@pytest.mark.parametrize("name", ["[/red]", "[bold]x", "a:smile:b"])
def test_names_on_the_screen_are_only_text(result, name):
    assert on_screen(named(result, name)).count(name) == 3


def first_column(text):
    """What stands in the first column of the first table, line after line."""
    return "".join(line.split("│")[1] for line in text.splitlines() if line.count("│") > 3)


def test_long_names_are_shown_whole(result):
    name = "a.package.with.a.long.name:" + "Player" * 9
    assert name in re.sub(r"[^\w.:]", "", first_column(on_screen(named(result, name))))
    page = html_page([named(result, name)])
    left = float(re.search(rf'x="([\d.]+)"[^>]*>{name}', page)[1])
    assert left > 7 * len(name)


def test_every_figure_is_shown_with_both_ends_of_its_interval(result):
    text, page = on_screen(result, 140), html_page([result])
    for one in result.standings:
        for figure, form in (
            (one.rating, ".0f"),
            (one.share, ".1%"),
            (one.score, ".2f"),
            (one.difference, "+.2f"),
        ):
            assert f"{figure.low:{form}}..{figure.high:{form}}" in text
            assert f"{figure.low:{form}} to {figure.high:{form}}" in page
    for cell in itertools.chain(*result.cross):
        if cell is not None:
            assert f"{cell.low:.0%}..{cell.high:.0%}" in text


def test_what_never_differs_is_plain_data_too():
    """Two who play alike: no interval has a width, and nothing is infinite."""
    players = [("one", own.first_legal), ("two", own.first_legal)]
    result = hold(find_game("cabanga"), players, options={"num_players": 2, "rounds": 1}, deals=5)
    assert [one.narrowing for one in result.standings] == [None, None]
    json.dumps(result.as_json(), allow_nan=False)
    assert "by duplicate deals" not in on_screen(result)


def test_a_player_of_the_moment_enters_by_name_and_function(result):
    """What is played is the function, what is shown is the name."""
    spec = find_game("cabanga")
    players = ["random", (EASY[1], own.first_legal), (EASY[2], own.LastLegal)]
    again = hold(spec, players, options=result.options, deals=N_DEALS, seed=4)
    assert json.dumps(again.as_json()) == json.dumps(result.as_json())


@each_game
@pytest.mark.parametrize(
    ("players", "deals", "words"),
    [
        (["random"], 5, "two players"),
        (["random", "random"], 5, "twice"),
        (EASY, 1, "deals"),
        ("basic", 5, r"a list, such as \['basic'"),
        (["random", own.first_legal], 5, r"or as \(name, class or function\), not as <function"),
    ],
)
def test_a_bad_tournament_is_explained(game, players, deals, words):
    with pytest.raises((ValueError, TypeError), match=words):
        hold(game.spec, players, options=game.spec.checked(2, {}), deals=deals)


@pytest.mark.parametrize("threads", [0, 65, 1.5])
def test_threads_are_few(threads):
    with pytest.raises(ValueError, match="threads must be"):
        hold(find_game("cabanga"), EASY, threads=threads)


def test_seeds_of_training_are_refused():
    with pytest.raises(ValueError, match="seed must be from 0 to 999999, not 1000000"):
        hold(find_game("cabanga"), EASY, seed=TUNING.start)


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


def test_several_tables_of_figures_are_estimated_as_each_alone():
    tables = [np.random.default_rng(k).normal(0, 1, (40, k)) for k in (1, 3)]
    assert estimate_all(tables, 5) == [estimate(table, 5) for table in tables]


def test_narrowing_is_that_of_figures_which_cancel_out():
    chance = np.random.default_rng(1)
    luck = chance.normal(0, 3, (4000, 1)) * np.array([1, -1])
    games = luck + chance.normal(0, 1, (4000, 2))
    assert narrowing(games / 2) == pytest.approx(np.sqrt(10), rel=0.1)
    assert narrowing(games / 2 + np.array([0, 50])) == pytest.approx(narrowing(games / 2))


def test_narrowing_compares_with_a_deal_for_every_game():
    """The same games, each with a deal of its own, have intervals as much wider as it says."""
    chance = np.random.default_rng(2)
    means, luck = np.array([5, 0, -9, 2]), np.array([3, 2, 1, 1])

    def parts(deals):
        return (means + luck * deals + chance.normal(0, 1, (len(deals), 4))) / 4

    together = parts(chance.normal(0, 1, (4000, 1)))
    alone = parts(chance.normal(0, 1, (4000, 4)))
    wider = (
        estimate(alone.sum(axis=1)[:, None], 0)[0],
        estimate(together.sum(axis=1)[:, None], 0)[0],
    )
    factor = (wider[0].high - wider[0].low) / (wider[1].high - wider[1].low)
    assert narrowing(together) == pytest.approx(factor, rel=0.05)
    assert narrowing(together) < 1


def test_the_caption_says_which_way_duplicate_deals_work():
    assert by_duplicates(1.25) == ", 1.25 × narrower by duplicate deals"
    assert by_duplicates(0.8) == ", 1.25 × wider by duplicate deals"
    assert by_duplicates(None) == by_duplicates(narrowing(np.ones((9, 2)))) == ""


@pytest.mark.compiled
def test_intervals_of_a_player_against_itself_hold_the_even_share():
    spec = find_game("cabanga")
    both = [Entrant(name, RandomPlayer) for name in ("random", "random with other streams")]
    scores = lone_scores(spec, spec.checked(2, {}), *both, range(200 * 60), 11)
    shares = lone_figure(win_shares(scores)).mean(axis=1)
    assert 0.92 <= coverage(shares, 0.5, 60, seed=3, resamples=1000) <= 0.98


def test_the_coverage_command_prints_its_figure(capsys):
    words = ["cabanga", "--players", "random", OWN + "first_legal", "--truth", "40"]
    coverage_module.main([*words, "--repeats", "4", "--deals", "10"])
    assert "of 4 intervals of 10 other deals hold it" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess"], "no game 'chess'"),
        (["--players", "random", "nobody"], "no player 'nobody'"),
        (["--seats", "9"], "num_players must be"),
        (["--repeats", "0"], "--repeats must be from 1"),
        (["--seed", "1000000"], "seed must be from 0 to 999999"),
    ],
)
def test_the_coverage_command_refuses_what_it_cannot_do(words, told, capsys):
    with pytest.raises(SystemExit):
        coverage_module.main(words)
    assert told in capsys.readouterr().err
