"""Outcomes of moves, against playing each of them out alone."""

import numpy as np
import pytest

from agents.aims import SCORE, Winning
from agents.lookahead import outcomes
from agents.players import Chance, View, find_player, new_generators
from cardcore import VectorGames
from tests.games import each_game

BY_ROUND = Winning(rounds_left=(3.0, -1.0, 0.0), spread=20.0)


def ask(player, now):
    n = len(now.mask)
    return player.act(View(now.observation, now.mask, np.arange(n), Chance(new_generators(n))))


@each_game
@pytest.mark.parametrize("aim", [BY_ROUND, SCORE], ids=["round", "game"])
def test_outcomes_are_what_playing_on_brings(game, aim):
    """The seat plays on as one player and the others as another."""
    options = game.spec.checked(3, {"rounds": 2})
    own, others = (find_player(name, game.spec)(game.spec, options) for name in ("tuned", "basic"))
    games = VectorGames(game.spec, 3, seed=5, **options)
    now = games.reset()
    for _ in range(25):
        now = games.step(games.sample())
    before, shown = games.games.tobytes(), now.observation.copy()
    lanes, actions = np.nonzero(now.mask)
    found = outcomes(games, now, aim, lanes, actions, own, others)
    assert games.games.tobytes() == before
    assert (now.observation == shown).all()
    for branch in range(0, len(lanes), 2):
        alone, seat = games.fork(lanes[branch : branch + 1]), now.seat[lanes[branch]]
        chosen, ended, paid = actions[branch : branch + 1], False, 0.0
        while not ended:
            round_no = alone.games.round_no.copy()
            step = alone.step(chosen)
            paid += aim.rewards(alone, step, round_no)[0, seat]
            ended = aim.ended(alone, step, round_no)[0]
            chosen = ask(own if step.seat[0] == seat else others, step)
        assert found[branch] == pytest.approx(paid, abs=1e-5)


@each_game
def test_no_branches_have_no_outcomes(game):
    games = VectorGames(game.spec, 2, seed=5)
    now, none = games.reset(), np.zeros(0, np.int64)
    tuned = find_player("tuned", game.spec)(game.spec, games.options)
    assert outcomes(games, now, SCORE, none, none, tuned, tuned).shape == (0,)
