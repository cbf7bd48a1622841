"""Whether every numbered rule of a game stands in its code, tests, page and mutations.

A game takes part by a `mutations.py` in its folder of tests, with NUMBERS (its rules as a literal
list), RULES (the file that codes them), TESTS (the file that tests them), PAGE (the one that
explains them) and MUTATIONS (rule number -> what stands in the code, what a mutant has instead).
"""

from __future__ import annotations

import ast
import re
import runpy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class RuleList:
    """The numbers of a game's rules and the places, from the root on, where each must stand."""

    numbers: Sequence[str]  # such as "C1", in order
    rules: str  # each number opens one docstring
    tests: str  # each number names a test
    page: str  # each number opens a paragraph or a heading
    mutations: Mapping[str, tuple[str, str]]  # each number has a wrong line

    def __str__(self) -> str:
        return Path(self.tests).parent.name

    @property
    def letter(self) -> str:
        """What all numbers of this game begin with."""
        return self.numbers[0][0]

    def rules_in_code(self) -> list[str]:
        """The numbers that open a docstring, in the order of the file."""
        found = (self._number_of(function) for function in _functions(self.rules))
        return [number for number in found if number]

    def tests_of(self, number: str) -> list[str]:
        """The tests that are named by a rule."""
        start = prefix_of_tests(number)
        names = [function.name for function in _functions(self.tests)]
        return [name for name in names if name.startswith(start)]

    def rules_with_tests(self) -> set[str]:
        """All numbers, known or not, that a test is named by."""
        pattern = re.compile(rf"test_{self.letter.lower()}(\d\d)_")
        names = [function.name for function in _functions(self.tests)]
        return {f"{self.letter}{int(m[1])}" for name in names if (m := pattern.match(name))}

    def rules_on_page(self) -> list[str]:
        """The numbers that open a paragraph in bold or a heading, in the order of the page."""
        text = (ROOT / self.page).read_text(encoding="utf-8")
        return re.findall(rf"^(?:\*\*|#+ )({self.letter}\d+)\b", text, flags=re.MULTILINE)

    def line_to_mutate(self, number: str) -> str:
        """The one line that holds a mutation's fragment, if it belongs to the rule itself."""
        fragment = self.mutations[number][0]
        lines = (ROOT / self.rules).read_text(encoding="utf-8").splitlines()
        found = [place for place, line in enumerate(lines, start=1) if fragment in line]
        assert len(found) == 1, f"{fragment!r} stands in {len(found)} lines of {self.rules}"
        for function in _functions(self.rules):
            if self._number_of(function) == number:
                assert function.lineno <= found[0] <= (function.end_lineno or 0), (
                    f"{fragment!r} is no part of rule {number} ({function.name})"
                )
        return lines[found[0] - 1]

    def _number_of(self, function: ast.FunctionDef) -> str | None:
        """The number that opens a function's docstring."""
        match = re.match(rf"({self.letter}\d+)\. ", ast.get_docstring(function) or "")
        return match[1] if match else None


def all_rule_lists() -> list[RuleList]:
    """The list of every game that has one."""
    found = []
    for path in sorted((ROOT / "tests").glob("*/mutations.py")):
        game = runpy.run_path(str(path))
        names = ("NUMBERS", "RULES", "TESTS", "PAGE", "MUTATIONS")
        found.append(RuleList(*(game[name] for name in names)))
    return found


def prefix_of_tests(number: str) -> str:
    """How the tests of a rule begin: "test_c04_" for C4."""
    return f"test_{number[0].lower()}{int(number[1:]):02}_"


def _functions(path: str) -> list[ast.FunctionDef]:
    """The functions of a file, in order."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]
