"""The trained players that are shipped: files, cards, and the table that is played anew."""

import json
import re
import sys
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from agents import cli, league
from agents.cli import app
from agents.network import card_of, load_network, shipped
from agents.training import PROGRESS, SETTINGS, Progress, Run, Settings
from tests.agents.test_training import cut_at, settings
from tests.games import each_game

MOST_BYTES = 3_000_000


@each_game
def test_shipped_players_have_what_they_need(game):
    found = shipped(game.spec)
    assert {2, 4} <= set(found)
    for seats, path in found.items():
        assert path.stat().st_size <= MOST_BYTES
        load_network(path, game.spec)
        card = card_of(path)
        assert card["game"] == game.spec.env_name
        assert card["seats"] == seats
        assert card["deals"] >= 2000
        assert re.fullmatch("[0-9a-f]{40}", card.get("commit", "0" * 40))
        if "commit" not in card:  # the present code made it
            made = Settings.read(json.dumps(card["settings"]))
            assert card["command"] == made.command()
            assert 0 < card["best_after"] <= made.steps + made.lanes * made.rollout
        assert set(card["against"]) == set(league.YARDSTICKS)


@pytest.mark.compiled
def test_the_table_is_played_from_the_shipped_files(monkeypatch):
    monkeypatch.setattr(league, "game_names", lambda: ["cabanga"])
    lines = list(league.measure(deals=20))
    assert [(line.seats, line.against) for line in lines][:2] == [(2, "tuned"), (2, "basic")]
    for line in lines:
        assert 0 <= line.found.share.low <= line.found.share.high <= 1
        assert 0 < line.published < 1


@pytest.mark.compiled
def test_league_on_the_command_line(monkeypatch):
    monkeypatch.setattr(league, "game_names", lambda: ["cabanga"])
    shown = CliRunner().invoke(app, ["league", "--deals", "4", "--json"])
    assert shown.exit_code == 0
    assert {line["game"] for line in json.loads(shown.stdout)} == {"cabanga"}
    table = CliRunner().invoke(app, ["league", "--deals", "4"])
    assert "share of wins" in table.stdout


@pytest.mark.compiled
def test_the_best_of_a_run_is_shipped_with_its_card(tmp_path, monkeypatch):
    run = Run.begin(tmp_path / "run", settings())
    run.train()
    monkeypatch.setattr(
        league, "shipped_path", lambda spec, seats: tmp_path / "out" / "x.safetensors"
    )
    to = league.publish(tmp_path / "run", deals=4)
    assert to.read_bytes() == (tmp_path / "run" / "best.safetensors").read_bytes()
    card = card_of(to)
    assert card["command"].startswith("malus train cabanga --seats 2 --steps 1536 --set lanes=16")
    assert card["deals"] == 4
    assert not list((tmp_path / "out").glob(".*"))


def unfinished(folder):
    """A run that was cut, and one that was never begun."""
    run = Run.begin(folder, settings())
    yield folder, "it is not done: its last evaluation is of 0 steps"
    cut_at(run, 1024)
    yield folder, "it is not done: its last evaluation is of 1,024 steps"
    (folder / PROGRESS).write_text((folder / PROGRESS).read_text()[:-9])
    yield folder, "progress.json is damaged"
    (folder / PROGRESS).write_text('[{"steps": 1536}]')
    yield folder, "progress.json is damaged"
    (folder / SETTINGS).write_text("{}")
    yield folder, "settings.json is damaged"
    yield folder / "none", "holds no run"


@pytest.mark.compiled
def test_a_run_that_is_not_done_is_not_shipped(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(league, "shipped_path", lambda spec, seats: tmp_path / "x.safetensors")
    for folder, words in unfinished(tmp_path / "run"):
        with pytest.raises(SystemExit):
            league.main([str(folder)])
        assert f"{folder} is no run that could be shipped: " in (told := capsys.readouterr().err)
        assert words in told
    assert not (tmp_path / "x.safetensors").exists()


@pytest.mark.compiled
def test_train_on_the_command_line(tmp_path):
    out = str(tmp_path / "run")
    small = ["lanes=16", "rollout=8", "hidden=[8,8]", "deals=2", "copy_steps=128"]
    words = ["train", "cabanga", "--seats", "2", "--steps", "0.5k", "--out", out]
    for one in [*small, "lesson_steps=128"]:
        words += ["--set", one]
    runner = CliRunner()
    done = runner.invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "best.safetensors" in "".join(done.stdout.split())
    again = runner.invoke(app, ["train", "--resume", out])
    assert again.exit_code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["cabanga"], "--out DIR for a new run, or --resume DIR"),
        (["--out", "x"], "say which game: allergo, bungee, cabanga"),
        (["cabanga", "--out", "x", "--steps", "many"], "such as 500k or 5M, not 'many'"),
        (["cabanga", "--out", "x", "--steps", "inf"], "such as 500k or 5M, not 'inf'"),
        (["cabanga", "--out", "x", "--steps", "nan"], "such as 500k or 5M, not 'nan'"),
        (["cabanga", "--out", "x", "--steps", "0.2"], "steps must be from 1"),
        (["cabanga", "--out", "x", "--seed", "-1"], "seed must be from 0"),
        (["cabanga", "--out", "x", "--set", "batch=1"], "batch must be from 2"),
        (["cabanga", "--out", "x", "--set", "lanes"], "--set wants name=value"),
        (["cabanga", "--out", "x", "--set", "depth=3"], "there is no setting 'depth'"),
        (["cabanga", "--out", "x", "--seats", "9"], "num_players must be from 2 to 6, not 9"),
        (["whist", "--out", "x"], "there is no game 'whist'"),
        (["--resume", "nowhere"], "nowhere holds no run"),
        (["cabanga", "--resume", "nowhere"], "--resume DIR alone"),
        (["--resume", "nowhere", "--steps", "5M"], "--resume DIR alone"),
        (["--resume", "nowhere", "--seats", "2"], "--resume DIR alone"),
        (["--resume", "nowhere", "--seed", "0"], "--resume DIR alone"),
        (["--resume", "nowhere", "--set", "lanes=2"], "--resume DIR alone"),
    ],
)
def test_bad_words_are_named(words, told, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["train", *words])
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("place", ["file", "file/run"])
def test_a_run_needs_a_folder(tmp_path, monkeypatch, place):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("mine")
    words = ["train", "cabanga", "--seats", "2", "--steps", "9", "--out", place]
    done = CliRunner().invoke(app, [*words, "--set", "lanes=2", "--set", "hidden=[4,4]"])
    assert done.exit_code == 2
    assert f"{place} cannot be made" in " ".join(done.output.split())
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("words", [["train", "cabanga", "--out", "x"], ["train", "--resume", "x"]])
def test_training_says_what_it_needs(words, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "agents.training")
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    assert "training needs torch, which is not installed" in " ".join(done.output.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seed", "-1"], "seed must be from 0"),
        (["--deals", "0"], "deals must be from 2"),
        (["--threads", "0"], "threads must be from 1"),
    ],
)
def test_bad_words_of_the_league_are_named(words, told):
    done = CliRunner().invoke(app, ["league", *words])
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


CARD = json.dumps({"against": {"tuned": {"share": {"value": 0.5}}}})


@pytest.mark.parametrize(
    ("card", "told"),
    [
        (None, "x.json cannot be read"),
        (CARD[:-3], "x.json cannot be read"),
        ("[]", "has no share of wins against tuned"),
        ("{}", "has no share of wins against tuned"),
        (CARD, "is no network for"),
    ],
)
def test_damaged_players_of_the_league_are_named(card, told, tmp_path, monkeypatch):
    """A card that is missing, cut or empty, and a network of another make."""
    monkeypatch.setattr(league, "shipped", lambda spec: {2: tmp_path / "x.safetensors"})
    (tmp_path / "x.safetensors").write_bytes(b"of another make")
    if card is not None:
        (tmp_path / "x.json").write_text(card)
    done = CliRunner().invoke(app, ["league", "--deals", "2"])
    assert done.exit_code == 2
    assert told in " ".join(done.output.split())


def test_the_time_that_is_left_shows_when_rollouts_are_slow(monkeypatch):
    now, bars = [0.0], []

    class Clocked(cli.Progress):
        def __init__(self, *columns, **more):
            super().__init__(*columns, get_time=lambda: now[0], **more)
            bars.append(self)

    def train(tell):
        for steps in (100, 200, 300):
            now[0] += 100
            tell(Progress(steps, "copying", []))
        assert bars[0].tasks[0].time_remaining == pytest.approx(700)

    monkeypatch.setattr(cli, "Progress", Clocked)
    cli.train_on_screen(
        SimpleNamespace(
            settings=SimpleNamespace(game="cabanga", steps=1000),
            model=SimpleNamespace(num_timesteps=0),
            train=train,
        )
    )
    assert bars
