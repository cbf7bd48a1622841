"""What a game is, and how it is found."""

import dataclasses
import pickle
from pathlib import Path

import numpy as np
import pytest

import cardcore
from cardcore.spec import common_fields, find_game, fresh_seed, game_names
from tests.games import GAMES, each_game

CORE = Path(cardcore.__file__).parent


def test_no_game_is_named_in_the_core():
    for path in CORE.glob("*.py"):
        text = path.read_text().lower()
        for name in ("cabanga", "bungee", "allergo"):
            assert name not in text, path.name


def test_every_package_is_typed():
    for game in GAMES:
        assert (Path(game.module.__file__).parent / "py.typed").is_file()
    assert (CORE / "py.typed").is_file()


@each_game
def test_a_game_is_found_by_its_name(game):
    assert game.spec.name in game_names()
    assert find_game(game.spec.name) is game.spec
    assert pickle.loads(pickle.dumps(game.spec)) is game.spec


@pytest.mark.parametrize("name", ["whist", "", None])
def test_an_unknown_game_is_an_error_that_lists_the_known(name):
    with pytest.raises(ValueError, match=f"no game {name!r}.*{GAMES[0].spec.name}"):
        find_game(name)


@each_game
def test_a_record_has_the_fields_that_the_core_reads(game):
    common = {field[0] for field in common_fields(1)}
    assert common <= set(game.spec.dtype.names)


@each_game
def test_sizes_are_the_sums_of_the_blocks(game):
    assert game.spec.obs_size == sum(block.size for block in game.spec.blocks)
    assert game.spec.state_size == sum(block.size for block in game.spec.state_blocks)
    for blocks in (game.spec.blocks, game.spec.state_blocks):
        assert len({block.name for block in blocks}) == len(blocks)


@each_game
def test_new_games_hold_their_options(game):
    games = game.spec.new_games(3, game.spec.checked(2, game.short))
    assert games.shape == (3,)
    assert games["n_seats"].tolist() == [2, 2, 2]
    assert games[0:1].tobytes() == games[2:3].tobytes()
    assert games.dtype == game.spec.dtype


@each_game
def test_every_byte_of_a_record_has_a_name(game):
    kind = game.spec.dtype
    assert kind.itemsize == sum(field.itemsize for field, _ in kind.fields.values())
    assert all(start % field.base.alignment == 0 for field, start in kind.fields.values())


@each_game
def test_the_layout_changes_with_the_record(game):
    wider = np.dtype([*game.spec.dtype.descr, ("more", np.int8)])
    assert dataclasses.replace(game.spec, dtype=wider).layout != game.spec.layout


def test_fresh_seeds_differ():
    assert len({fresh_seed() for _ in range(50)}) == 50
