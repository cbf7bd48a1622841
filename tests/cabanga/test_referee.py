"""The environment against the slow, obvious referee, step by step."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from cabanga_env import cabanga_v0
from cardcore.rng import shuffle
from tests.cabanga.referee import DECK, Referee
from tests.cabanga.table import START_CARDS, flat

PLAYERS = [2, 3, 4, 5, 6]
OPTIONS = [{}, {"target": 70}, {"rounds": 3}, {"points": [3, 1, 2] * 6, "target": 30}]
STEPS = 1050  # at each table, so that all of them together make more than 20,000
LAID_OUT_GAMES = 120


class Match:
    """One game that the environment and the referee play alike, with the chance of the former."""

    def __init__(
        self,
        seed: int,
        num_players: int,
        first_round: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.env = cabanga_v0.raw_env(num_players=num_players, **options)
        self.env.reset(seed=seed, options=first_round)
        self.first_round = first_round
        self.before = self.env.clone()
        self.n_reshuffles = 0
        self.referee = Referee(self.deal, self.reshuffle, num_players=num_players, **options)

    def deal(self, number: int) -> dict[str, Any]:
        """The round as the environment has just dealt it."""
        if number == 1 and self.first_round:
            return self.first_round
        table = self.env.snapshot()
        return {
            "deck": flat(table["hands"]) + table["draw_pile"],
            "start_cards": flat(table["piles"]),
            "starter": table["to_act"],
        }

    def reshuffle(self, codes: list[str]) -> list[str]:
        """The order that the environment's generator gave these cards in this step."""
        self.n_reshuffles += 1
        pile = np.array([DECK.index(code) for code in codes], np.int8)
        shuffle(self.before._game(), pile, len(pile))
        return [DECK[card] for card in reversed(pile)]

    def step(self, action: int) -> None:
        """Both take the same action; a new round is dealt by the environment first."""
        self.before = self.env.clone()
        self.env.step(action)
        assert list(self.env.rewards.values()) == self.referee.step(action)

    def legal(self) -> list[int]:
        """What may be done, on which both agree, and so they do on the whole table."""
        assert self.env.snapshot() == self.referee.snapshot()
        if self.referee.to_act is None:
            assert all(self.env.terminations.values())
            return []
        agent = self.env.agent_selection
        assert agent == f"player_{self.referee.to_act}"
        legal = self.env.observe(agent)["action_mask"].nonzero()[0].tolist()
        assert legal == sorted(self.referee.legal())
        return list(legal)


def play_out(match: Match, chance: random.Random, most: int) -> int:
    """Random actions to the end of the game, or as many as are wanted; how many there were."""
    n_steps = 0
    while n_steps < most and (legal := match.legal()):
        match.step(chance.choice(legal))
        n_steps += 1
    match.legal()
    return n_steps


def compare(n_steps: int, num_players: int, **options: Any) -> int:
    """Games one after the other for so many steps; how many reshuffles there were."""
    chance = random.Random(f"{num_players} {options}")
    n_reshuffles = 0
    while n_steps > 0:
        match = Match(chance.getrandbits(62), num_players, **options)
        n_steps -= play_out(match, chance, n_steps)
        n_reshuffles += match.n_reshuffles
    return n_reshuffles


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
    compare(STEPS, num_players, **options)


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", PLAYERS)
def test_games_in_which_cards_run_out_agree_with_the_referee(num_players):
    chance = random.Random(num_players)
    n_reshuffles = 0
    for seed in range(LAID_OUT_GAMES):
        match = Match(seed, num_players, scarce_table(chance, num_players), rounds=1)
        play_out(match, chance, 10_000)
        n_reshuffles += match.n_reshuffles
    assert n_reshuffles > 0


def test_enough_steps_are_compared():
    assert STEPS * len(PLAYERS) * len(OPTIONS) >= 20_000


def test_a_few_games_agree_with_the_referee():
    for num_players in PLAYERS:
        compare(60, num_players)
    chance = random.Random(0)
    n_steps = 0
    while n_steps < 200:
        match = Match(n_steps, 4, scarce_table(chance, 4), rounds=1)
        n_steps += play_out(match, chance, 10_000)
