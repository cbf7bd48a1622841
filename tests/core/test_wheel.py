"""The wheel has what a user needs, no tests, and plays a game in an environment of its own."""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

import cardcore

ROOT = Path(__file__).parents[2]
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/py.typed"))
SOURCES = ("pyproject.toml", "README.md", "LICENSE")

GAME = """
import cabanga_env, cardcore, agents
from cabanga_env import cabanga_v0

for package in (cabanga_env, cardcore, agents):
    print(package.__file__)
print(*cardcore.game_names())
env = cabanga_v0.env(num_players=3)
env.reset(seed=1)
for agent in env.agent_iter():
    seen, reward, over, _, _ = env.last()
    env.step(None if over else int(seen["action_mask"].argmax()))
print(env.snapshot()["phase"])
"""


def run(*words, **options):
    done = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built from a copy, so that nothing left over from an earlier build gets in."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        shutil.copy(ROOT / name, source)
    for name in (*PACKAGES, "tests"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(out), str(source))
    (path,) = out.glob("malus-*.whl")
    return path


@pytest.mark.compiled
def test_wheel_has_types_and_licence_and_no_tests(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(names)
    assert any(name.endswith("/LICENSE") for name in names)
    for game in cardcore.game_names():
        page = zipfile.ZipFile(wheel).read(f"{game}_env/rulebook.md").decode()
        assert page == (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


@pytest.mark.compiled
def test_installed_wheel_plays_a_game_far_from_the_sources(wheel, tmp_path):
    home = tmp_path / "env"
    venv.create(home)
    paths = sysconfig.get_paths(scheme="venv", vars={"base": str(home), "platbase": str(home)})
    python = Path(paths["scripts"]) / ("python.exe" if os.name == "nt" else "python")
    run(sys.executable, "-m", "pip", "--python", str(python), "install", "--no-deps", str(wheel))
    # the dependencies of this environment, without its editable install of the sources
    (Path(paths["purelib"]) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    away = tmp_path / "elsewhere"
    away.mkdir()
    env = clean | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}
    *files, games, phase = run(str(python), "-c", GAME, cwd=away, env=env).splitlines()
    assert all(Path(file).is_relative_to(home) for file in files)
    assert games.split() == cardcore.game_names()
    assert phase == "over"
