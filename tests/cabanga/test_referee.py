"""The environment against the slow, obvious referee, step by step."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tests.match
from cabanga_env import cabanga_v0
from tests.cabanga.referee import DECK, Referee
from tests.cabanga.table import START_CARDS
from tests.match import compare
from tests.table import flat

PLAYERS = [2, 3, 4, 5, 6]
OPTIONS = [{}, {"target": 70}, {"rounds": 3}, {"points": [3, 1, 2] * 6, "target": 30}]
STEPS = 1050  # at each table, so that all of them together make more than 20,000
LAID_OUT_GAMES = 120


class Match(tests.match.Match):
    """Cabanga played by the environment and the referee alike."""

    module = cabanga_v0
    referee_type = Referee

    def deal_from(self, table: dict[str, Any]) -> dict[str, Any]:
        """The round as it was dealt."""
        return {
            "deck": flat(table["hands"]) + table["draw_pile"],
            "start_cards": flat(table["piles"]),
            "starter": table["to_act"],
        }


def scarce_table(chance: random.Random, num_players: int) -> dict[str, Any]:
    """A first round with few cards, so that the penalty pile runs dry."""
    cards = chance.sample(DECK, len(DECK))
    return {
        "hands": [[cards.pop() for _ in range(chance.randint(1, 9))] for _ in range(num_players)],
        "deck": [cards.pop() for _ in range(chance.randint(0, 3))],
        "discard": [cards.pop() for _ in range(chance.randint(0, 3))],
        "start_cards": chance.sample(START_CARDS, len(START_CARDS)),
        "starter": chance.randrange(num_players),
    }


@pytest.mark.compiled
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("num_players", PLAYERS)
def test_whole_games_agree_with_the_referee(num_players, options):
    compare(Match, STEPS, num_players, **options)


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", PLAYERS)
def test_games_in_which_cards_run_out_agree_with_the_referee(num_players):
    chance = random.Random(num_players)
    n_reshuffles = 0
    for seed in range(LAID_OUT_GAMES):
        match = Match(seed, num_players, scarce_table(chance, num_players), rounds=1)
        match.play_out(chance)
        n_reshuffles += match.met["reshuffle"]
    assert n_reshuffles > 0


def test_enough_steps_are_compared():
    assert STEPS * len(PLAYERS) * len(OPTIONS) >= 20_000


def test_a_few_games_agree_with_the_referee():
    for num_players in PLAYERS:
        compare(Match, 60, num_players)
    chance = random.Random(0)
    n_steps = 0
    while n_steps < 200:
        match = Match(n_steps, 4, scarce_table(chance, 4), rounds=1)
        n_steps += match.play_out(chance)
