"""What the README shows runs as printed and is true."""

import re
from pathlib import Path

import pytest

from tests.games import each_game

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.compiled
@pytest.mark.parametrize("code", BLOCKS)
def test_code_block_runs_as_printed(code):
    exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})


def test_readme_has_code_for_a_game_a_batch_and_a_tournament():
    assert len(BLOCKS) == 3


@each_game
def test_options_table_is_true(game):
    (section,) = re.findall(
        rf"^### {game.spec.name.capitalize()}$(.*?)(?=^#|\Z)", README, re.MULTILINE | re.DOTALL
    )
    rows = re.findall(r"^\| `(\w+)` \| (.*) \| (.*) \| .* \|$", section, re.MULTILINE)
    assert rows == [
        (option.name, option.allowed, _shown(option.default))
        for option in (game.spec.seats, *game.spec.options)
    ]


def _shown(default):
    """A default as the table writes it."""
    return " ".join(map(str, default)) if isinstance(default, tuple) else str(default)


@pytest.mark.parametrize("page", re.findall(r"\]\(([^)#]+)\)", README))
def test_linked_page_exists(page):
    assert (Path(__file__).parents[2] / page).is_file()
