"""`tuned` is a yardstick: what it does, in a great many positions, must stay what it was."""

import hashlib

import numpy as np
import pytest

from agents.players import find_player
from cardcore import VectorGames
from tests.agents.asking import choices
from tests.games import GAMES, each_table

N_LANES, N_STEPS, SEED = 128, 400, 1
HOW = (
    "tuned is not what it was. If that is meant, it is a new version: raise `version` "
    "in agents/heuristics, name it in docs/players and CHANGELOG.md, measure its strength anew, "
    "and put here what `python -m tests.agents.test_tuned_is_frozen` prints"
)

FROZEN = {  # by game and version, by seats
    "allergo 1": {
        2: "b8dbc6a050ae47c0",
        3: "83ae86ed16436382",
        4: "521f474a69fced09",
        5: "df3a761fa12fac0d",
        6: "7d3c1bac9bf3904c",
    },
    "bungee 1": {
        2: "2a40795bcfabc356",
        3: "f3f71126b023e057",
        4: "e6aeb68a30cbdf1e",
        5: "16d544f463fe0b39",
    },
    "cabanga 1": {
        2: "96843a360efe3b07",
        3: "923925d3fc1fcaa4",
        4: "8d9408a15ef11a5d",
        5: "98f572ae6855e3d7",
        6: "43fce2cd24da0461",
    },
}


def digest(game, seats):
    """Its weights, and all that it chooses in games of which every other is played at random."""
    options = game.spec.checked(seats, {})
    player = find_player("tuned", game.spec)(game.spec, options)
    games = VectorGames(game.spec, N_LANES, **options)
    weights = np.array(type(player).usual(options), "<f8")
    now, found = games.reset(SEED), hashlib.sha256(weights.tobytes())
    itself = np.arange(N_LANES) % 2 == 0
    for _ in range(N_STEPS):
        chosen = choices(player, now.observation, now.mask)
        found.update(chosen.astype("<i2").tobytes())
        now = games.step(np.where(itself, chosen, games.sample()))
    return found.hexdigest()[:16]


def name_of(game):
    return f"{game} {find_player('tuned', game.spec).version}"


@pytest.mark.compiled
@each_table
def test_tuned_is_what_it_was(game, seats):
    assert digest(game, seats) == FROZEN[name_of(game)][seats], HOW


if __name__ == "__main__":
    for game in GAMES:
        print(f'    "{name_of(game)}": {{')
        for seats in game.tables:
            print(f'        {seats}: "{digest(game, seats)}",')
        print("    },")
