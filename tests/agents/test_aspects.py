"""What holds for the aspects of every game."""

import numpy as np

from agents.aspects import Aspects, aspects_of, no_aspects_all
from tests.agents.asking import positions
from tests.games import GAMES, each_game, each_table

LARGEST = 20  # the numbers are made to be about 1, but hands can grow


@each_table
def test_every_allowed_action_has_its_aspects(game, seats):
    found = aspects_of(game.spec)
    for seen, mask in positions(game.spec, {"num_players": seats}, n_steps=16, n=3):
        n = int(mask.sum())
        decision, action = np.full((2, n), -1)
        aspects = np.full((n, found.n), np.nan, np.float32)
        found.list_all(seen, mask, decision, action, aspects)
        assert np.array_equal(np.stack([decision, action], 1), np.argwhere(mask))
        assert np.abs(aspects).max() < LARGEST  # no place is left unwritten


@each_game
def test_aspects_are_the_same_alone_and_in_a_batch(game):
    found = aspects_of(game.spec)
    for seen, mask in positions(game.spec, {}, n_steps=6, n=4):
        together = found.choices(seen, mask)
        for i in range(len(mask)):
            alone = found.choices(seen[i : i + 1], mask[i : i + 1])
            mine = together.decision == i
            assert np.array_equal(alone.aspects, together.aspects[mine])
            assert np.array_equal(alone.action, together.action[mine])


@each_game
def test_names_and_meanings_are_told_once(game):
    table = aspects_of(game.spec).table
    assert len({aspect.name for aspect in table}) == len(table) > 0
    assert all(aspect.meaning and aspect.size > 0 for aspect in table)


def test_a_game_without_a_page_has_actions_without_aspects():
    for seen, mask in positions(GAMES[0].spec, {}, n_steps=3, n=3):
        found = Aspects((), no_aspects_all).choices(seen, mask)
        assert found.aspects.shape == (mask.sum(), 0)
        assert np.array_equal(np.stack(found[:2], 1), np.argwhere(mask))
