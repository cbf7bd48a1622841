"""The environment against the slow, obvious referee, step by step."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

import tests.match
from allergo_env import allergo_v0
from tests.allergo.referee import ACTIONS, CARDS, DRAW, PLUS_3, Referee, full_deck, kind_of
from tests.match import compare
from tests.table import flat

PLAYERS = [2, 3, 4, 5, 6]
NO_GREEN_OR_YELLOW = {card: 0 for card in CARDS if card[0] in "GY"}
NO_HIGH_NUMBERS = {card: 0 for card in CARDS if card[1:] in list("56789")}
MANY_COPIES = dict.fromkeys(["R0", "R1", "R2", "B0", "R+2"], 4)
SMALL_DECK = {**NO_HIGH_NUMBERS, **NO_GREEN_OR_YELLOW, **MANY_COPIES}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"cloning": True, "target": 300},
    {"announce": "auto", "rounds": 2, "turn_limit": 80},
    {"turn_budget": 90, "rounds": 3, "turn_limit": 60},
    {"deck_counts": SMALL_DECK, "cloning": True, "turn_limit": 70},
]
STEPS = 1000  # at each table, so that all of them together make more than 20,000
LONG = 6000  # steps in which everything that is rare must happen
LAID_OUT_GAMES = 120
LIKES_TO_PLAY = 0.85  # how often random people play rather than draw when they can
ERRS = 0.03  # how often they lay a wrong card

PHASES = {"turn", "drawn", "announce", "denounce", "challenge"}
RARE = {
    "reshuffle",
    "wrong card",
    "wrong card on a fine",
    "wrong card after drawing",
    "mauve last card",
    "+2 on a fine",
    "+3 on a fine",
    "fine taken",
    "+4 accepted",
    "bluff found out",
    "honest player doubted",
    "silence denounced",
    "clone laid",
    "clone of a clone",
    "clone as last card",
    "nothing drawn",
    "turn limit",
    *(f"start with {kind}" for kind in ("~", "/", "+2", "C", "+3", "+4")),
}


class Match(tests.match.Match):
    """Allergo played by the environment and the referee alike."""

    module = allergo_v0
    referee_type = Referee

    def deal_from(self, table: dict[str, Any]) -> dict[str, Any]:
        """The round as it was dealt: hands, what was turned up, the rest."""
        deck = flat(table["hands"]) + table["discard"] + table["draw_pile"]
        return {"deck": deck, "dealer": table["dealer"]}

    def choose(self, legal: list[int], chance: random.Random) -> int:
        """Mostly a card, for else hands only grow, and now and then a wrong one."""
        wrong = self.referee.wrong_cards()
        if wrong and chance.random() < ERRS:
            return chance.choice(wrong)
        plays = [action for action in legal if action < ACTIONS.index(DRAW)]
        if plays and chance.random() < LIKES_TO_PLAY:
            return chance.choice(plays)
        return chance.choice(legal)

    def step(self, action: int) -> None:
        """Count what is about to happen, and let it."""
        table = self.referee.snapshot()
        self.met[table["phase"]] += 1
        if action in self.referee.wrong_cards():
            self.count_wrong_card(table)
        else:
            self.count(table, ACTIONS[action])
        if table["turn"] == 0 and not self.first_round:
            self.met[f"start with {kind_of(table['discard'][0])}"] += 1
        super().step(action)
        self.count_what_came_of_it(table, ACTIONS[action])

    def count_wrong_card(self, table: dict[str, Any]) -> None:
        """Mistakes of several kinds."""
        self.met["wrong card"] += 1
        self.met["wrong card on a fine"] += table["fine"] > 0
        self.met["wrong card after drawing"] += table["phase"] == "drawn"
        self.met["mauve last card"] += len(table["hands"][table["to_act"]]) == 1

    def count(self, table: dict[str, Any], action: str) -> None:
        """Everything else that must not be missed."""
        phase = table["phase"]
        on_a_fine = phase == "turn" and table["fine"] > 0
        self.met["+2 on a fine"] += on_a_fine and kind_of(action) == "+2"
        self.met["+3 on a fine"] += on_a_fine and action == PLUS_3
        self.met["fine taken"] += on_a_fine and action == DRAW
        self.met["+4 accepted"] += phase == "challenge" and action == DRAW
        self.met["bluff found out"] += action == "liar" and self.referee.bluff
        self.met["honest player doubted"] += action == "liar" and not self.referee.bluff
        self.met["silence denounced"] += action == "denounce"
        clone = phase == "clone" and action == table["top"]
        self.met["clone laid"] += clone
        self.met["clone of a clone"] += clone and table["discard"][-2:-1] == [action]
        self.met["clone as last card"] += clone and len(table["hands"][table["to_act"]]) == 1

    def count_what_came_of_it(self, before: dict[str, Any], action: str) -> None:
        """A draw that drew nothing, or that was the last turn of its round."""
        now = self.referee.snapshot()
        if before["phase"] != "turn" or action != DRAW:
            return
        if now["round"] != before["round"] or now["phase"] == "over":
            self.met["turn limit"] += 1
        else:
            self.met["nothing drawn"] += now["hands"] == before["hands"]


def scarce_table(chance: random.Random, cards: list[str], num_players: int) -> dict[str, Any]:
    """A first round with few of these cards, so that the draw pile runs dry."""
    chance.shuffle(cards)
    return {
        "hands": [[cards.pop() for _ in range(chance.randint(1, 5))] for _ in range(num_players)],
        "deck": [cards.pop() for _ in range(chance.randint(0, 3))],
        "discard": [cards.pop() for _ in range(chance.randint(1, 3))],
        "dealer": chance.randrange(num_players),
    }


def scarce_games(n_games: int, num_players: int, **options: Any) -> Counter[str]:
    """So many games of one round with few cards; what was met in them."""
    chance = random.Random(num_players)
    met: Counter[str] = Counter()
    for seed in range(n_games):
        first_round = scarce_table(chance, full_deck(options.get("deck_counts")), num_players)
        match = Match(seed, num_players, first_round, rounds=1, **options)
        match.play_out(chance)
        met += match.met
    return met


@pytest.mark.compiled
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("num_players", PLAYERS)
def test_whole_games_agree_with_the_referee(num_players, options):
    met = compare(Match, STEPS, num_players, **options)
    assert {"turn", "challenge", "wrong card"} <= set(met)


@pytest.mark.compiled
def test_every_phase_and_everything_rare_is_met():
    options = {"cloning": True, "deck_counts": SMALL_DECK, "turn_limit": 40}
    met = compare(Match, LONG, 3, **options)
    met += scarce_games(LAID_OUT_GAMES, 3, **options)
    met += scarce_games(LAID_OUT_GAMES, 2, **options)
    missed = (PHASES | RARE | {"clone", "name_colour"}) - set(met)
    assert not missed


@pytest.mark.compiled
@pytest.mark.parametrize("cloning", [False, True])
@pytest.mark.parametrize("num_players", PLAYERS)
def test_games_in_which_cards_run_out_agree_with_the_referee(num_players, cloning):
    met = scarce_games(LAID_OUT_GAMES, num_players, cloning=cloning, turn_limit=40)
    assert {"reshuffle", "nothing drawn", "turn limit", *PHASES} <= set(met)


@pytest.mark.compiled
@pytest.mark.parametrize("num_players", PLAYERS)
def test_nothing_is_accepted_but_legal_and_wrong_cards(num_players):
    chance = random.Random(num_players)
    options = {"cloning": True, "deck_counts": SMALL_DECK, "target": 100_000}
    match = Match(chance.getrandbits(62), num_players, **options)
    for _ in range(60):
        accepted = {*match.legal(), *match.referee.wrong_cards()}
        for action in range(len(ACTIONS)):
            if action in accepted:
                match.env.clone().step(action)
            else:
                with pytest.raises(ValueError, match=f"player_{match.referee.to_act}"):
                    match.env.step(action)
        match.play_out(chance, 3)


def test_enough_steps_are_compared():
    assert STEPS * len(PLAYERS) * len(OPTIONS) >= 20_000


def test_a_few_games_agree_with_the_referee():
    for num_players in PLAYERS:
        compare(Match, 60, num_players, cloning=num_players % 2 == 0)
    met = scarce_games(12, 4, cloning=True, turn_limit=30)
    assert set(met) >= PHASES
