"""Break each rule by one line and see that its tests notice: `python tests/mutants.py`.

A game takes part by a `mutations.py` in its folder of tests, as tests/rule_list.py says: its RULES
are the file to break, its TESTS the file that must notice.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.rule_list import all_rule_lists, prefix_of_tests  # noqa: E402

PASSED, FAILED = 0, 1  # pytest's exit codes; all others mean that it could not test
HUNG = -1  # and this one that it did not end
PATIENCE = 300  # seconds
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".*", "*.egg-info", "build", "dist")


@dataclass(frozen=True)
class Mutant:
    """One rule with one wrong line."""

    number: str
    rules: str
    tests: str
    old: str
    new: str


def all_mutants() -> list[Mutant]:
    """The mutants of every game that has some."""
    return [
        Mutant(number, game.rules, game.tests, old, new)
        for game in all_rule_lists()
        for number, (old, new) in game.mutations.items()
    ]


def copy_of_repository(folder: Path) -> Path:
    """The packages, the tests and pytest's settings, in a folder of their own."""
    copy = folder / "copy"
    copy.mkdir()
    packages = {path.parent for path in ROOT.glob("*/__init__.py")}
    for package in packages:
        shutil.copytree(package, copy / package.name, ignore=NOT_COPIED)
    for settings in ROOT.glob("*.toml"):
        shutil.copy(settings, copy)
    return copy


def run_tests(copy: Path, tests: str, names: str = "") -> tuple[int, str]:
    """Pytest's exit code and output in a copy, without the compiler."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", tests]
    if names:
        command += ["-k", names]
    settings = {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {**os.environ, **settings}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return HUNG, f"no end after {PATIENCE} seconds"
    return done.returncode, done.stdout + done.stderr


def verdict_on(mutant: Mutant) -> str:
    """ "killed", or what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        copy = copy_of_repository(Path(folder))
        rules = copy / mutant.rules
        text = rules.read_text(encoding="utf-8")
        if text.count(mutant.old) != 1:
            return f"BROKEN: its line stands {text.count(mutant.old)} times in {mutant.rules}"
        rules.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")
        code, output = run_tests(copy, mutant.tests, prefix_of_tests(mutant.number))
    if code == PASSED:
        return "SURVIVED"
    return "killed" if code == FAILED else f"BROKEN: pytest ended with {code}\n{output}"


def healthy(tests: str) -> bool:
    """Whether a game's rule tests pass in a copy that nobody broke."""
    with tempfile.TemporaryDirectory() as folder:
        code, output = run_tests(copy_of_repository(Path(folder)), tests)
    if code != PASSED:
        print(f"{tests} does not pass unbroken:\n{output}")
    return code == PASSED


def main() -> int:
    """Print a table of all mutants; 1 if one of them lives on."""
    mutants = all_mutants()
    if not all([healthy(tests) for tests in sorted({mutant.tests for mutant in mutants})]):
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = list(pool.map(verdict_on, mutants))
    for mutant, verdict in zip(mutants, verdicts, strict=True):
        change = f"{mutant.old.strip()}  ->  {mutant.new.strip()}"
        print(f"{mutant.number:<4} {verdict:<9} {change}")
    n_killed = verdicts.count("killed")
    print(f"{n_killed} of {len(mutants)} mutants killed")
    return 0 if mutants and n_killed == len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main())
