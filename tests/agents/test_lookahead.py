"""Outcomes of every move, against playing each of them out alone."""

import numpy as np
import pytest

from agents.aims import SCORE, Aim
from agents.lookahead import outcomes
from agents.players import Chance, View, find_player, new_generators
from cardcore import VectorGames
from tests.games import each_game


def ask(player, now):
    n = len(now.mask)
    return player.act(View(now.observation, now.mask, np.arange(n), Chance(new_generators(n))))


@each_game
@pytest.mark.parametrize("by_round", [True, False])
def test_outcomes_are_what_playing_on_brings(game, by_round):
    options = game.spec.checked(3, {"rounds": 2})
    tuned = find_player("tuned", game.spec)(game.spec, options)
    games = VectorGames(game.spec, 3, seed=5, **options)
    now = games.reset()
    for _ in range(25):
        now = games.step(games.sample())
    before, aim = games.games.tobytes(), Aim(True, True) if by_round else SCORE
    shown = now.observation.copy()
    found = outcomes(games, now, aim, tuned)
    assert games.games.tobytes() == before
    assert (now.observation == shown).all()
    assert (np.isfinite(found) == (now.mask == 1)).all()
    for lane in range(3):
        for action in np.flatnonzero(now.mask[lane])[:4]:
            alone, seat = games.fork(np.array([lane])), now.seat[lane]
            chosen, ended, paid = np.array([action]), False, 0.0
            while not ended:
                round_no = alone.games.round_no.copy()
                step = alone.step(chosen)
                paid += aim.rewards(step)[0, seat]
                ended = aim.ended(alone, step, round_no)[0]
                chosen = ask(tuned, step)
            assert found[lane, action] == pytest.approx(paid, abs=1e-5)
