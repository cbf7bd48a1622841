"""The demo plays the number of games it was asked for and says clearly what it cannot do."""

import io

import numpy as np
import pytest
from rich.console import Console

import cardcore
from agents import demo
from cabanga_env import SPEC


def run(*words):
    out = io.StringIO()
    demo.main(words, Console(file=out, width=100))
    return out.getvalue()


def test_demo_shows_a_row_for_each_seat():
    shown = run("cabanga", "--games", "7", "--players", "3", "--seed", "5")
    assert [f"player_{seat}" in shown for seat in range(4)] == [True, True, True, False]
    assert "7 games" in shown


@pytest.mark.compiled
@pytest.mark.parametrize("n_games", [1, 1500])
def test_every_lane_plays_its_share(n_games):
    reports = []
    result = demo.play(SPEC, n_games, 2, 3, reports.append)
    again = demo.play(SPEC, n_games, 2, 3)
    assert result.scores.shape == (n_games, 2)
    assert reports == sorted(reports)
    assert reports[-1] == n_games
    np.testing.assert_array_equal(result.scores, again.scores)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--games", "many"], "'many' is no whole number"),
        (["--games", "0"], "--games must be from 1"),
        (["--seed", "-1"], "seed must be from 0"),
        (["cabanga", "--players", "7"], "num_players must be from 2 to 6, not 7"),
        (["chess"], f"there is no game 'chess'; there are {', '.join(cardcore.game_names())}"),
    ],
)
def test_bad_input_is_named(words, told, capsys):
    with pytest.raises(SystemExit) as stop:
        run(*words)
    assert stop.value.code == 2
    assert told in capsys.readouterr().err


def test_demo_without_games_says_how_to_install_them(monkeypatch, capsys):
    monkeypatch.setattr(demo, "game_names", list)
    with pytest.raises(SystemExit):
        run()
    assert "no games are installed" in capsys.readouterr().err
