"""Golden playthroughs of every game; after a wanted change run `python -m tests.golden_write`."""

import pytest

import cardcore
from tests.playthrough import LARGEST_FILE, golden_files, playthrough, read_head

FILES = golden_files()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_game_plays_as_on_record(path):
    text = path.read_text(encoding="utf-8")
    assert playthrough(**read_head(text)).splitlines() == text.splitlines()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_playthrough_is_short_enough_to_read(path):
    assert path.stat().st_size < LARGEST_FILE


def test_every_game_has_a_playthrough():
    games = cardcore.game_names()
    assert games
    assert {read_head(path.read_text(encoding="utf-8"))["game"] for path in FILES} >= set(games)
