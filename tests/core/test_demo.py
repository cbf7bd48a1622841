"""The demo ends with tables and a page, and says clearly what it cannot do."""

import sys

import pytest

import cardcore
from agents import demo


def run(tmp_path, *words):
    demo.main([*words, "--out", str(tmp_path / "new" / "page.html")])


@pytest.mark.compiled
def test_demo_trains_shows_a_table_and_writes_a_page(tmp_path, capsys, monkeypatch):
    small = {
        "lanes": 8,
        "rollout": 8,
        "hidden": (8, 8),
        "copy_steps": 64,
        "lesson_steps": 64,
        "deals": 2,
    }
    monkeypatch.setattr(demo, "SMALL", small)
    run(tmp_path, "cabanga", "--steps", "128", "--deals", "2", "--seats", "2", "--seed", "5")
    shown = capsys.readouterr().out
    assert "Cabanga, 2 seats" in shown
    assert "trained here" in shown
    assert "against the rest" in shown
    assert "page.html" in "".join(shown.split())
    assert (tmp_path / "new" / "page.html").read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--deals", "many"], "invalid int value: 'many'"),
        (["--deals", "0"], "--deals must be from 2"),
        (["--seed", "-1"], "seed must be from 0"),
        (["cabanga", "--seats", "7"], "num_players must be from 2 to 6, not 7"),
        (["chess"], f"there is no game 'chess'; there are {', '.join(cardcore.game_names())}"),
    ],
)
def test_bad_input_is_named(words, told, tmp_path, capsys):
    with pytest.raises(SystemExit) as stop:
        run(tmp_path, *words)
    assert stop.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("place", ["", "file/page.html"])
def test_a_place_that_no_page_can_be_written_to_is_named(place, tmp_path, capsys, monkeypatch):
    """Before anything is trained."""
    monkeypatch.setattr(demo, "train_on_screen", lambda run: pytest.fail("it trains"))
    (tmp_path / "file").write_text("mine")
    with pytest.raises(SystemExit) as stop:
        demo.main(["cabanga", "--out", str(tmp_path / place)])
    assert stop.value.code == 2
    assert str(tmp_path) in capsys.readouterr().err


def test_without_torch_it_says_what_it_needs(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "agents.training", raising=False)
    with pytest.raises(SystemExit) as stop:
        run(tmp_path, "cabanga")
    assert stop.value.code == 2
    assert "training needs torch, which is not installed" in capsys.readouterr().err
