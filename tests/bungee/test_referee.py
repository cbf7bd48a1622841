"""The environment against the slow, obvious referee, step by step."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import tests.match
from bungee_env import bungee_v0
from tests.bungee import referee
from tests.bungee.referee import BUNGEE, CALL, DECK, FIRST_SWAP, FIRST_TAKE, HAND_SIZE, KINDS, PASS
from tests.match import compare
from tests.table import flat

PLAYERS = [2, 3, 4, 5]
OPTIONS = [{}, {"rounds": 1}, {"rounds": 3, "turn_limit": 25}, {"rounds": 20, "turn_limit": 40}]
STEPS = 1300  # at each table, so that all of them together make more than 20,000
LAID_OUT_GAMES = 400

MET_IN_GAMES = {"first call", "later call", "skip in a lap", "extra lap"}
MET_IN_LAID_OUT_GAMES = MET_IN_GAMES | {
    "another extra lap",
    "another lucky J",
    "call after a play",
    "call made again",
    "empty hand",
    "limit",
    "limit in a lap",
    "lucky J declined",
    "no lucky card",
    "pass",
    "reshuffle",
    "silence after a play",
    "stand",
    "swap",
    "withdrawal",
}
MET_BY_TWO_PLAYERS = {"extra lap for nobody"}  # it takes as many sixes as there are players


class Referee(referee.Referee):
    """The referee, who also counts what must not be missed."""

    def __init__(self, *chance: Any, **options: Any) -> None:
        self.met: Counter[str] = Counter()
        self.has_withdrawn = False
        super().__init__(*chance, **options)

    def settle_lucky(self, action: int) -> None:
        """What the dealer does, and what comes of it."""
        self.met["lucky J declined" if action == PASS else "swap"] += 1
        super().settle_lucky(action)

    def swap_lucky(self, kind: str) -> None:
        """What is turned up."""
        super().swap_lucky(kind)
        self.met["no lucky card"] += self.lucky is None
        self.met["another lucky J"] += self.lucky == BUNGEE

    def take_turn(self, action: int) -> None:
        """Turns without cards."""
        self.has_withdrawn = False
        self.met["empty hand"] += not self.hands[self.active]
        if action == PASS:
            self.met["stand" if self.active in self.callers else "pass"] += 1
        super().take_turn(action)

    def call(self) -> None:
        """Every call."""
        self.met["later call" if self.last_lap else "first call"] += 1
        self.met["call made again"] += self.has_withdrawn
        super().call()

    def withdraw_call(self) -> None:
        """Calls that do not stand."""
        self.has_withdrawn = self.active in self.callers
        self.met["withdrawal"] += self.has_withdrawn
        super().withdraw_call()

    def settle_call(self, action: int) -> None:
        """What follows a play in a lap."""
        self.met["call after a play" if action == CALL else "silence after a play"] += 1
        super().settle_call(action)

    def skipped_seats(self) -> list[int]:
        """Sixes in a lap."""
        self.met["skip in a lap"] += self.last_lap and self.n_sixes > 0
        return super().skipped_seats()

    def open_extra_lap(self, skipped: list[int]) -> None:
        """Extra laps, and extra laps that come of them."""
        self.met["another extra lap" if self.extra_lap else "extra lap"] += 1
        super().open_extra_lap(skipped)
        self.met["extra lap for nobody"] += not self.lap_left

    def score_without_winner(self) -> None:
        """Rounds that reach the limit."""
        self.met["limit in a lap" if self.last_lap else "limit"] += 1
        super().score_without_winner()


def points_played(action: int) -> int:
    """How many points an action plays; a Bungee card is worth eleven here."""
    kind, more = divmod(action % FIRST_TAKE, HAND_SIZE)
    return (kind + 1) * (more + 1) if action < FIRST_SWAP else 0


def plays_six(action: int) -> bool:
    """Whether an action plays sixes."""
    return action < FIRST_SWAP and KINDS[action % FIRST_TAKE // HAND_SIZE] == referee.SKIP


class Match(tests.match.Match):
    """Bungee played by the environment and the referee alike, among people in a hurry to call."""

    module = bungee_v0
    referee_type = Referee

    def __init__(self, *table: Any, **options: Any) -> None:
        super().__init__(*table, **options)
        self.referee.met = self.met

    def deal_from(self, table: dict[str, Any]) -> dict[str, Any]:
        """The round as it was dealt."""
        return {
            "deck": [*flat(table["hands"]), table["lucky"], *table["draw_pile"]],
            "starter": (table["dealer"] + 1) % len(table["hands"]),
        }

    def choose(self, legal: list[int], chance: random.Random) -> int:
        """Call, stand, play sixes in a lap, or play many points; else anything."""
        if CALL in legal and chance.random() < 0.6:
            return CALL
        if PASS in legal and chance.random() < 0.3:
            return PASS
        sixes = [action for action in legal if plays_six(action)]
        if self.referee.last_lap and sixes and chance.random() < 0.6:
            return chance.choice(sixes)
        if chance.random() < 0.5:
            return max(legal, key=points_played)
        return chance.choice(legal)


def scarce_table(chance: random.Random, num_players: int) -> dict[str, Any]:
    """A first round with few cards, mostly low ones, sixes and Bungee cards."""
    wanted = {"1", "2", "3", referee.SKIP, BUNGEE}
    cards = sorted(DECK, key=lambda card: chance.random() + (card in wanted))
    lucky = chance.choice([BUNGEE, cards[0]])
    cards.remove(lucky)
    return {
        "hands": [[cards.pop() for _ in range(chance.randint(1, 5))] for _ in range(num_players)],
        "deck": [cards.pop() for _ in range(chance.choice([0, 0, 2, 4]))],
        "discard": [cards.pop() for _ in range(chance.choice([0, 0, 1, 3]))],
        "lucky": lucky,
        "starter": chance.randrange(num_players),
    }


def play_laid_out_games(n_games: int, num_players: int) -> Counter[str]:
    """Games of one round with few cards; what was met in them."""
    chance = random.Random(num_players)
    met: Counter[str] = Counter()
    for seed in range(n_games):
        first_round = scarce_table(chance, num_players)
        limit = chance.choice([4, 12, 200])
        match = Match(seed, num_players, first_round, rounds=1, turn_limit=limit)
        match.play_out(chance)
        met += match.met
    return met


@pytest.mark.compiled
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("num_players", PLAYERS)
def test_whole_games_agree_with_the_referee(num_players, options):
    met = compare(Match, STEPS, num_players, **options)
    assert set(met) >= MET_IN_GAMES


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", PLAYERS)
def test_games_in_which_cards_run_out_agree_with_the_referee(num_players):
    met = play_laid_out_games(LAID_OUT_GAMES, num_players)
    assert set(met) >= MET_IN_LAID_OUT_GAMES
    assert num_players > 2 or set(met) >= MET_BY_TWO_PLAYERS


def test_enough_steps_are_compared():
    assert STEPS * len(PLAYERS) * len(OPTIONS) >= 20_000


def test_a_few_games_agree_with_the_referee():
    for num_players in PLAYERS:
        compare(Match, 60, num_players)
        play_laid_out_games(8, num_players)
