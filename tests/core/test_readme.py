"""What the README shows runs as printed and is true."""

import re
from pathlib import Path

import pytest

from cabanga_env import SPEC

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.compiled
@pytest.mark.parametrize("code", BLOCKS)
def test_code_block_runs_as_printed(code):
    exec(compile(code, "README.md", "exec"), {"__name__": "__main__"})


def test_readme_has_a_loop_for_one_game_and_one_for_a_batch():
    assert len(BLOCKS) == 2


@pytest.mark.parametrize("option", [SPEC.seats, *SPEC.options], ids=lambda option: option.name)
def test_options_table_is_true(option):
    (row,) = re.findall(rf"^\| `{option.name}` \| (.*) \| (.*) \| .* \|$", README, re.MULTILINE)
    default = option.default
    shown = " ".join(map(str, default)) if isinstance(default, tuple) else str(default)
    assert row == (option.allowed, shown)


@pytest.mark.parametrize("page", re.findall(r"\]\(([^)#]+)\)", README))
def test_linked_page_exists(page):
    assert (Path(__file__).parents[2] / page).is_file()
