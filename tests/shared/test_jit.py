"""The compiler changes speed and nothing else, and never runs an old rule."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cardcore import jit
from tests.digest import digest
from tests.games import each_game

ROOT = Path(__file__).resolve().parents[2]
START = """
import importlib, json
from cardcore.spec import load_spec
from cardcore.aec import GameEnv
spec = load_spec({module!r})
env = GameEnv(spec)
env.reset(seed=1)
first = len(env.snapshot()["hands"][0])
env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
used = [spec.kernels.begin_all, spec.kernels.step_one, spec.kernels.observe_one]
misses = sum(sum(one.stats.cache_misses.values()) for one in used)
hits = sum(sum(one.stats.cache_hits.values()) for one in used)
print(json.dumps([first, misses, hits]))
"""


def _run(code, where, **variables):
    """Run Python in a folder and give what it prints."""
    variables = {"PYTHONPATH": str(where), **variables}
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    done = subprocess.run(
        [sys.executable, *code], cwd=where, env=env | variables, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@each_game
@pytest.mark.compiled
def test_the_compiler_changes_nothing(game):
    printed = _run(["-m", "tests.digest"], ROOT, NUMBA_DISABLE_JIT="1")
    assert f"{game} {digest(game)}" in printed.splitlines()


@each_game
@pytest.mark.compiled
def test_the_cache_is_kept_and_notices_edits(game, tmp_path):
    package = game.module.__name__.split(".")[0]
    for name in ("cardcore", package):
        shutil.copytree(ROOT / name, tmp_path / name)
    cache = tmp_path / "cache"
    start = ["-c", START.format(module=game.spec.module)]

    def run():
        return eval(_run(start, tmp_path, NUMBA_CACHE_DIR=str(cache)))

    n_cards, misses, _ = run()
    assert misses == 3
    folders = set((cache / "malus" / package).iterdir())
    assert len(folders) == 1
    assert run() == [n_cards, 0, 3]
    rules = tmp_path / package / "rules.py"
    edited = rules.read_text().replace(f"HAND_SIZE = {n_cards}", f"HAND_SIZE = {n_cards - 1}")
    assert edited != rules.read_text()
    rules.write_text(edited)
    assert run() == [n_cards - 1, 3, 0]
    assert set((cache / "malus" / package).iterdir()) > folders


def test_the_digest_of_sources_notices_every_edit(tmp_path):
    page = tmp_path / "rules.py"
    page.write_text("a = 1\n")
    first = jit.source_digest(tmp_path)
    assert jit.source_digest(tmp_path) == first
    page.write_text("a = 2\n")
    second = jit.source_digest(tmp_path)
    page.rename(tmp_path / "other.py")
    assert len({first, second, jit.source_digest(tmp_path)}) == 3


def test_old_caches_are_dropped(tmp_path):
    for k in range(jit.KEPT_CACHES + 3):
        (tmp_path / f"old{k}").mkdir()
        os.utime(tmp_path / f"old{k}", (k, k))
    jit._drop_oldest(tmp_path, keep="new")
    kept = {path.name for path in tmp_path.iterdir()}
    assert kept == {f"old{k}" for k in range(3, jit.KEPT_CACHES + 3)}
