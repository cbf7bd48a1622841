"""The command line."""

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agents import cli, match
from agents.cli import app
from cardcore import find_game, game_names
from tests.games import each_game

OWN = "tests.agents.own:"
run = CliRunner().invoke


def ok(*words):
    done = run(app, list(words))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_every_command_has_help_with_an_example():
    commands = [command.callback.__name__ for command in app.registered_commands]
    assert {"games", "rules", "watch", "tournament", "bench"} <= set(commands)
    for command in commands:
        text = ok(command, "--help")
        assert f"malus {command}" in text
    for command in commands:
        assert command in ok("--help")


def test_games_lists_them_all():
    facts = json.loads(ok("games", "--json"))
    assert [one["game"] for one in facts] == game_names()
    assert all({"tuned", "basic", "random"} <= set(one["players"]) for one in facts)
    for name in game_names():
        assert name in ok("games")


def test_games_shows_options_whole_and_as_they_are_by_default():
    text = ok("games")
    assert "…" not in text
    for one in json.loads(ok("games", "--json")):
        spec = find_game(one["game"])
        assert one["options"]["num_players"] == spec.seats.default
        for option in spec.options:
            assert json.dumps(one["options"][option.name]) == json.dumps(option.default)
            if not isinstance(option.default, tuple):
                assert f"{option.name}={option.default}" in text


def test_a_terminal_need_not_know_every_sign():
    done = subprocess.run(
        [sys.executable, "-m", "agents.cli", "games"],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "2?6" in done.stdout


def test_the_version_is_shown():
    assert ok("--version") == f"malus {version('malus')}\n"


@each_game
def test_rules_are_the_rulebook(game):
    text = ok("rules", game.spec.name)
    letter = game.spec.name[0].upper()
    assert f"{letter}1 " in text
    assert f"{letter}11 " in text


@each_game
def test_watch_shows_a_game(game):
    words = ("watch", game.spec.name, "--players", "random", OWN + "first_legal", "--seats", "3")
    text = ok(*words, "-o", "rounds=1", "--seed", "4")
    assert "player_2 is random" in text
    assert "won with" in text
    assert text == ok(*words, "--option", "rounds=1", "--seed", "4")


def test_tournament_prints_writes_and_repeats(tmp_path):
    words = ["tournament", "cabanga", "--players", "random", OWN + "first_legal", "--seats", "2"]
    words += ["--deals", "20", "-o", "rounds=1"]
    page, out = tmp_path / "page.html", tmp_path / "result.json"
    text = ok(*words, "--html", str(page), "--out", str(out))
    assert "Share of wins" in text
    assert page.read_text().startswith("<!doctype html>")
    assert json.loads(out.read_text()) == json.loads(ok(*words, "--json"))
    assert json.loads(ok(*words, "--json", "--threads", "2")) == json.loads(out.read_text())


@pytest.mark.parametrize(
    "names", [["random", OWN + "first_legal"], [f"random,{OWN}first_legal"]], ids=str
)
@pytest.mark.parametrize("joined", [True, False])
def test_lists_are_written_as_people_write_them(names, joined):
    option = [f"--players={names[0]}", *names[1:]] if joined else ["--players", *names]
    text = ok("watch", "cabanga", *option, "--seats", "2", "-o", "rounds=1")
    assert f"player_0 is random, player_1 is {OWN}first_legal" in text


def test_watch_fills_small_tables_by_itself():
    assert "player_1 is basic" in ok("watch", "cabanga", "--seats", "2", "-o", "rounds=1")


SHORT = ["tournament", "cabanga", "--seats", "2", "--deals", "4", "-o", "rounds=1", "--players"]


def test_what_cannot_be_written_is_told_after_the_result(tmp_path, monkeypatch):
    def fail(*words, **more):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", fail)
    path = str(tmp_path / "page.html")
    done = run(app, [*SHORT, "random", OWN + "first_legal", "--html", path])
    assert done.exit_code == 2
    assert "share of" in done.stdout
    assert "cannot be written: No space left on device" in " ".join(done.stderr.split())


@pytest.mark.parametrize("option", ["--html", "--out"])
def test_what_may_not_be_written_is_refused_before_playing(option, tmp_path, monkeypatch):
    def play(*words, **more):
        raise AssertionError("it began")

    monkeypatch.setattr(cli.tournaments, "play", play)
    for path, told in ((tmp_path, "is a folder"), (tmp_path / "no" / "x", "no folder")):
        done = run(app, [*SHORT, "random", "basic", option, str(path)])
        assert (done.exit_code, told in " ".join(done.output.split())) == (2, True), done.output
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    done = run(app, [*SHORT, "random", "basic", option, str(tmp_path / "x")])
    assert "may not be written" in " ".join(done.output.split())


def test_a_bug_of_ours_is_not_taken_for_bad_input(monkeypatch):
    def fail(*words):
        raise ValueError("ours")

    monkeypatch.setattr(match, "end_all", fail)
    done = run(app, [*SHORT, "random", OWN + "first_legal"])
    assert isinstance(done.exception, ValueError)
    assert "error:" not in done.output


def test_bench_names_the_extras_that_it_needs(monkeypatch):
    monkeypatch.setattr(cli, "OF_BENCH", ("no_such_package",))
    done = run(app, ["bench"])
    assert done.exit_code == 2
    assert 'no_such_package, which is not installed: pip install "malus[bench,train]"' in " ".join(
        done.output.split()
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tournament"], ["which game", *game_names()]),
        (["watch", "--players", "basic", "cabanga"], ["which game, before all options"]),
        (["tournament", "cabanga", "--players"], ["--players wants names"]),
        (["tournament", "cabanga", "--players="], ["--players wants names"]),
        (["watch", "cabanga", "--players", ",", "--seats", "2"], ["--players wants names"]),
        ([*SHORT, "random", "[/red]"], ["no player '[/red]'"]),
        ([*SHORT, "random", "a:smile:b"], ["'a:smile:b'", "no module 'a'"]),
        (
            [*SHORT, "random", "tests.agents.broken:X"],
            ["tests.agents.broken fails", "RuntimeError"],
        ),
        ([*SHORT, "random", OWN + "Duck"], ["Duck", "derive from agents.players.Player"]),
        ([*SHORT, "random", OWN + "Unmade"], ["Unmade", "cannot be made", "KeyError"]),
        ([*SHORT, "random", OWN + "Breaks"], ["Breaks", "deals 0 to 3", "IndexError", "own.py"]),
        ([*SHORT, "random", OWN + "breaks"], ["breaks", "deal ", "ValueError", "own.py"]),
        ([*SHORT, "random", "basic", "--threads", "0"], ["threads must be from 1 to 64"]),
        ([*SHORT, "random", "basic", "--seed", "1000000"], ["seed must be from 0 to 999999"]),
        (["watch", "cabanga", "--seats", "2", "--players", *"abc"], ["no player 'a'"]),
        (
            ["watch", "cabanga", "--seats", "2", "--players", "random", "basic", "tuned"],
            ["3 players are named: for 2 seats"],
        ),
        (["tournament", "cabango"], ["cabango", "there are", "cabanga"]),
        (["rules", "uno"], ["uno", "there are"]),
        (["watch", "cabanga", "--players", "nobody"], ["nobody", "package.module:Name"]),
        (["tournament", "cabanga", "--players", "random"], ["two players"]),
        (["tournament", "cabanga", "--seats", "9"], ["num_players", "9"]),
        (["tournament", "bungee", "-o", "rounds"], ["name=value"]),
        (["tournament", "bungee", "-o", "round=3"], ["round", "rounds"]),
        (["tournament", "bungee", "--html", "no/such/page.html"], ["no folder"]),
        (["tournament", "cabanga", "--players", "random", OWN + "cheat"], ["cheat", "not allowed"]),
    ],
)
def test_errors_say_what_to_type_instead(words, told):
    done = run(app, words)
    assert done.exit_code == 2
    text = " ".join(done.output.split())
    assert all(word in text for word in told), text
    assert "Traceback" not in text
