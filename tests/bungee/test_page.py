"""What docs/rules/bungee.md shows is what the environment does."""

import json
import re
from pathlib import Path

import pytest

from tests.bungee.table import table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "rules" / "bungee.md"


@pytest.fixture
def page():
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture
def printed_example():
    """Example A, until the second player has drawn."""
    hands = ["1 2 8 J", "1 10 J J", "2 3 4", "7 7 8 8", "2 3 4 5"]
    return table(hands, deck="8 6 1 9", discard="5", lucky="8").call().play("10")


def test_the_snapshot_is_the_one_of_the_printed_example(page, printed_example):
    (shown,) = re.findall(r"```json\n(.*?)```", page, flags=re.DOTALL)
    assert json.loads(shown) == printed_example.snapshot()


def test_actions_are_called_as_the_page_says(page, printed_example):
    env = printed_example.env
    rows = re.findall(r"^\| .* \| .* \| (\d+)(?:–(\d+))? \| .* \| `(.+)` \|$", page, re.MULTILINE)
    assert len(rows) == 5
    for first, last, words in rows:
        assert int(first) <= env.action_id(words) <= int(last or first)


def test_the_numbers_of_the_page_are_the_actions_it_says(page, printed_example):
    env = printed_example.env
    sentence = (
        "31 plays `7 7` and draws, 86 takes the discard and plays `7 7`, and 120 takes the lucky"
    )
    assert sentence in page.replace("\n", " ")
    names = [env.action_name(action) for action in (31, 86, 120)]
    assert names == ["play 7 7", "take, play 7 7", "swap for J"]


def test_the_options_are_those_of_the_page(page, printed_example):
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", page, flags=re.MULTILINE)
    fresh = type(printed_example)()
    assert {name: int(default) for name, default in rows} == fresh.env.options
