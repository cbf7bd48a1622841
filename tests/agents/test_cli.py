"""The command line."""

import json

import pytest
from typer.testing import CliRunner

from agents.cli import app
from cardcore import game_names
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
    assert "share of wins" in text
    assert page.read_text().startswith("<!doctype html>")
    assert json.loads(out.read_text()) == json.loads(ok(*words, "--json"))
    assert json.loads(ok(*words, "--json", "--threads", "2")) == json.loads(out.read_text())


@pytest.mark.parametrize(
    ("words", "told"),
    [
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
