"""What docs/rules/allergo.md shows is what the environment does."""

import json
import re
from pathlib import Path

import pytest

from tests.allergo.table import Table, table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules" / "allergo.md"


@pytest.fixture
def page():
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture
def fines():
    """Examples A and B, up to the second +2."""
    hands = ["R+2 R1", "B+2 Y9", "G2 Y4 +3", "B1 G+2 C"]
    return table(hands, deck="Y1 Y2 Y3 G1 G3 G4 B3 B4 B5 R8").do("R+2", "B+2")


def test_example_a_fines_add_up(fines):
    fines.do("draw")
    assert fines.hand(2) == "G1 G2 Y1 Y2 Y3 Y4 +3"
    assert (fines.asked, fines.in_force) == ((3, "turn"), ("B", "+2"))
    assert fines.playable() == "B1 G+2"


def test_example_b_pollen_on_a_fine(fines, page):
    fines.do("+3")
    (shown,) = re.findall(r"```json\n(.*?)```", page, flags=re.DOTALL)
    assert json.loads(shown) == fines.snapshot()
    mask = fines.env.observe("player_3")["action_mask"]
    assert mask.nonzero()[0].tolist() == [38, 61]
    assert fines.choices() == ["G+2", "draw"]
    assert fines.do("G+2").fine == 6


@pytest.mark.parametrize(("more", "n_cards"), [("", [3, 8]), ("R7", [10, 2]), ("C", [10, 2])])
def test_example_c_an_honest_plus_4(more, n_cards):
    deck = "Y0 Y1 Y2 Y3 Y4 Y5"
    game = table([f"+4 R2 Y+2 +4 {more}", "B1 B2"], discard="G7", deck=deck).do("+4 R", "liar")
    assert game.n_cards() == n_cards


def test_example_d_a_silent_player():
    game = table(["R~ R1", "B1 B2", "B3 B4"], announce="ask").do("R~", "pass")
    assert (game.asked, game.direction) == ((1, "denounce"), 1)
    game.do("pass", "pass")
    assert (game.asked, game.direction) == ((2, "turn"), -1)


def test_example_e_a_clone_out_of_nowhere():
    game = table(["G3 R1", "B1 B2", "G3"], discard="G5", cloning=True, rounds=1).do("G3")
    assert game.asked == (2, "clone")
    assert game.do("G3").phase == "over"


def test_the_hand_beside_the_table():
    game = table(["R2 R/ B7 G+2 Y4 C +4", "B1"], discard="R7")
    assert game.playable() == "R2 R/ B7 C +4"


def test_actions_are_called_as_the_page_says(page):
    env = Table().env
    row = r"^\| .* \| `([^`]+)` \| `[^`]+` \| (\d+)(?:–(\d+))? \| .* \|$"
    rows = re.findall(row, page, flags=re.MULTILINE)
    assert len(rows) == 10
    for words, first, last in rows:
        assert int(first) <= env.action_id(words) <= int(last or first)
    assert [env.action_id(words) for words in ("R5", "B~", "Y+2", "+4 G")] == [5, 23, 51, 58]
    assert [env.action_name(action) for action in (5, 23, 51, 58)] == ["R5", "B~", "Y+2", "+4 G"]


def test_the_options_are_those_of_the_page(page):
    options = page.partition("## Options")[2].partition("For tests, puzzles")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", options, flags=re.MULTILINE)
    known = Table().env.options
    assert [name for name, _ in rows] == list(known)
    for name, default in rows:
        if default.isdigit():
            assert known[name] == int(default)
