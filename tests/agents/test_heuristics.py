"""What holds for the heuristic players of every game, wherever they are asked."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents.players import find_player
from cardcore.bits import WORD
from cardcore.jit import JIT_ON
from tests.agents.asking import choices, positions
from tests.games import GAMES, each_game, each_table

PLAYERS = ("basic", "tuned")
N_STEPS = 300 if JIT_ON else 40
PAGES = Path(__file__).parents[2] / "docs" / "players"

each_player = pytest.mark.parametrize("name", PLAYERS)
each_length = pytest.mark.parametrize("length", ["usual", "short"])


def made(name, game, options):
    return find_player(name, game.spec)(game.spec, options)


@each_table
@each_player
@each_length
def test_every_choice_is_legal_and_alone_it_is_the_same_as_in_a_batch(game, seats, name, length):
    options = game.spec.checked(seats, game.short if length == "short" else {})
    player = made(name, game, options)
    for observation, mask in positions(game.spec, options, N_STEPS):
        chosen = choices(player, observation, mask)
        assert (mask[np.arange(len(mask)), chosen] == 1).all()
        assert choices(player, observation[2:3], mask[2:3]) == chosen[2]


@each_game
@each_player
def test_what_lies_beside_a_row_does_not_matter(game, name):
    options = game.spec.checked(4, {})
    *_, (observation, mask) = positions(game.spec, options, 9)
    player = made(name, game, options)
    alone = choices(player, observation, mask).tolist()
    for filling in (0, 1):
        framed = [np.pad(rows, WORD, constant_values=filling) for rows in (observation, mask)]
        inside = [rows[WORD:-WORD, WORD:-WORD] for rows in framed]
        assert choices(player, *inside).tolist() == alone


def print_choices():
    """What all players choose in some random positions, for comparing processes."""
    for game in GAMES:
        for name in PLAYERS:
            for seats in (game.tables[0], game.tables[-1]):
                options = game.spec.checked(seats, game.short)
                player = made(name, game, options)
                for observation, mask in positions(game.spec, options, 40, n=3):
                    print(game, name, seats, *choices(player, observation, mask))


@pytest.mark.compiled
def test_the_compiler_changes_nothing():
    with_compiler, without = (
        subprocess.run(
            [sys.executable, "-c", f"import {__name__} as me; me.print_choices()"],
            env={**os.environ, "NUMBA_DISABLE_JIT": off},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for off in ("0", "1")
    )
    assert with_compiler.count("\n") == 40 * 2 * len(PLAYERS) * len(GAMES)
    assert with_compiler == without


@each_table
def test_tuned_has_weights_for_every_table(game, seats):
    tuned = find_player("tuned", game.spec)
    (group,) = (k for k, together in enumerate(tuned.tables) if seats in together)
    assert tuned.usual(game.spec.checked(seats, {})) == [found[group] for *_, found in tuned.terms]
    assert all(tuned.start(group))  # the search's steps are shares of it


def shown(weights):
    return ", ".join(f"{weight:g}".replace("-", "−") for weight in weights)


@each_game
def test_the_page_shows_the_weights_and_the_version(game):
    page = (PAGES / f"{game.spec.name}.md").read_text(encoding="utf-8")
    tuned = find_player("tuned", game.spec)
    assert f"`tuned` is version {tuned.version}" in page
    for name, starts, found in tuned.terms:
        assert f"| `{name}` | {shown(starts)} | {shown(found)} |" in page
