"""What a Bungee seat is shown, in words, against the full truth."""

import random
from collections import Counter
from copy import deepcopy
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

from bungee_env import bungee_v0
from bungee_env.cards import CODES
from bungee_env.observation import BLOCKS, PLACES, STATE_BLOCKS
from cardcore.blocks import describe, starts
from cardcore.jit import JIT_ON
from tests.bungee.referee import DECK
from tests.bungee.table import Table, table
from tests.bungee.test_referee import scarce_table
from tests.games import is_over, legal

N_GAMES = 60 if JIT_ON else 28  # at each table
MOST_STEPS = 60  # of a game
MAX_SEATS = 5
each_number_of_seats = pytest.mark.parametrize("n_seats", [2, 3, 4, 5])
VALUES = dict.fromkeys(CODES, 0) | {str(value): value for value in range(1, 11)}  # for a call
PHASES = {"lucky", "turn", "call", "over"}
RARE = {"last lap", "extra lap", "recycled", "known", "two known", "J known"}


# Games to look at


def cards_in(name):
    """The cards that an action puts on the discard."""
    return [word for word in name.split() if word in CODES]


def eager(env, chance):
    """What somebody does who wants calls, and sixes in a lap: they lead to all that is rare."""
    names = [env.action_name(action) for action in legal(env)]
    if "call" in names and chance.random() < 0.6:
        return "call"
    sixes = [name for name in names if "6" in cards_in(name)]
    if sixes and env.snapshot()["last_lap"] and chance.random() < 0.6:
        return chance.choice(sixes)
    if chance.random() < 0.4:
        return max(names, key=lambda name: sum(VALUES[code] for code in cards_in(name)))
    return chance.choice(names)


class Position(NamedTuple):
    """A moment of a game, and what somebody remembers who watched it from the beginning."""

    env: Any
    truth: dict[str, Any]
    onlooker: Any


def begin(n_seats, chance):
    """A game about to begin, mostly with few cards; rounds before it may have left any totals."""
    limits = {"rounds": chance.choice([1, 2, 9]), "turn_limit": chance.choice([5, 12, 40, 200])}
    env = bungee_v0.env(num_players=n_seats, **limits)
    first_round = scarce_table(chance, n_seats) if chance.random() < 0.7 else None
    env.reset(seed=chance.getrandbits(63), options=first_round)
    if chance.random() < 0.5:
        env._games["score"][0, :n_seats] = [chance.randint(-80, 170) for _ in range(n_seats)]
    return env


@cache
def positions(n_seats):
    """The positions of some games; no test plays on in them."""
    found = []
    for seed in range(N_GAMES):
        chance = random.Random(seed)
        env, onlooker = begin(n_seats, chance), Onlooker(n_seats)
        for _ in range(MOST_STEPS):
            truth = env.snapshot()
            found.append(Position(env.clone(), truth, deepcopy(onlooker)))
            if is_over(env):
                break
            name = eager(env, chance)
            env.step(env.action_id(name))
            onlooker.watch(truth, name, env.snapshot())
    return found


# What a seat must be told


def left_of(seat, n_places, n_seats):
    """The next so many seats, clockwise."""
    return [(seat + k) % n_seats for k in range(1, n_places + 1)]


class Onlooker:
    """Somebody who sees no hand, but remembers all that was taken, put down and shuffled."""

    def __init__(self, n_seats):
        self.n_seats = n_seats
        self.forget()

    def forget(self):
        """A new round."""
        self.known = [Counter() for _ in range(self.n_seats)]
        self.recycled = []
        self.extra_lap = False
        self.lap_left = []  # after the last turn in a lap, when all its sixes have had their effect

    def watch(self, before, name, now):
        """Take in one action."""
        if before["round"] != now["round"]:
            self.forget()
        elif before["phase"] == "lucky" and name != "pass":
            self.known[before["dealer"]]["J"] += 1  # before a card is put down: it may be that J
            self.see_cards(before, cards_in(name), draws=True)
        elif before["phase"] == "turn":
            takes = name.startswith("take")
            self.see_cards(before, cards_in(name), draws=not takes)
            if takes:  # after the play: it is not among the cards played
                self.known[before["to_act"]][before["top"]] += 1
            if before["last_lap"]:
                self.see_skips(before, cards_in(name).count("6"))

    def see_cards(self, before, cards, draws):
        """Cards put down may be those seen to be taken; a draw from no pile is a reshuffle."""
        self.known[before["to_act"]].subtract(cards)
        self.known[before["to_act"]] = +self.known[before["to_act"]]
        below = [*before["discard"], *cards][:-1]
        if cards and draws and below and not before["draw_pile"]:
            self.recycled = below

    def see_skips(self, before, n_sixes):
        """In a lap each six takes a turn from somebody; skip the first caller, and a lap begins."""
        seat, first = before["to_act"], before["callers"][0]
        skipped = left_of(seat, n_sixes, self.n_seats)
        lap = before["lap_left"][1:]
        if first in skipped:
            self.extra_lap = True
            lap = left_of(first, self.n_seats - 1, self.n_seats)
            skipped = skipped[skipped.index(first) + 1 :]
        self.lap_left = [who for who in lap if who not in skipped]


def call_points(hand, lucky):
    """What a hand counts for a call."""
    return sum(VALUES[code] for code in hand if code != lucky)


def at_most(steps, number):
    """The lowest reading of a thermometer."""
    return max((step for step in steps if step <= number), default=0)


def expected(position, seat):
    """What a seat must be told, from the snapshot and from what all could watch."""
    env, truth, onlooker = position
    n_seats, phase = len(truth["hands"]), truth["phase"]
    order = [seat, *left_of(seat, n_seats - 1, n_seats)]
    totals = [min(149, max(-60, truth["scores"][who])) for who in order]
    callers = dict(zip(truth["callers"], PLACES, strict=False))
    lap, plays = truth["lap_left"], [truth["to_act"]]
    rounds_left = env.options["rounds"] - truth["round"] + 1
    turns_left = env.options["turn_limit"] - truth["turn"]
    if phase == "call":  # nobody else must see that the seat is asked
        lap = onlooker.lap_left
        plays = lap[:1]
    if phase == "over":
        plays, rounds_left, turns_left = [], 0, 0

    def places(seats):
        """Where they sit, seen from this seat."""
        away = sorted((who - seat) % n_seats for who in seats)
        return [f"{k} to my left" if k else "me" for k in away]

    def row(numbers, empty=0):
        """Something of each seat, and nothing of the seats that are not there."""
        return [*numbers, *[empty] * (MAX_SEATS - n_seats)]

    return {
        "own_hand": Counter(truth["hands"][seat]),
        "own_points": min(30, call_points(truth["hands"][seat], truth["lucky"])),
        "top": truth["discard"][-1:],
        "lucky": [truth["lucky"]] if truth["lucky"] else [],
        "discard": Counter(truth["discard"]),
        "recycled": Counter(onlooker.recycled),
        "known": row((onlooker.known[who] for who in order), {}),
        "hand_sizes": row(len(truth["hands"][who]) for who in order),
        "scores": row(total // 10 * 10 for total in totals),
        "score_ones": row(total % 10 for total in totals),
        "pile_size": min(50, len(truth["draw_pile"])),
        "callers": row(([callers[who]] if who in callers else [] for who in order), []),
        "laps": ["last lap", "extra lap"][: truth["last_lap"] + onlooker.extra_lap],
        "lap_left": places(lap),
        "plays": places(plays),
        "asked": [phase] if truth["to_act"] == seat else [],
        "dealer": places([truth["dealer"]]),
        "table": [f"{n_seats} seats"],
        "rounds_left": min(7, rounds_left),
        "turns_left": at_most([1, 2, 4, 8, 16, 32, 64, 128], turns_left),
    }


def what_is_there(position):
    """The phase of a position, and the rare things in it."""
    _, truth, onlooker = position
    counts = [n for known in onlooker.known for n in known.values()]
    met = {
        "last lap": truth["last_lap"],
        "extra lap": onlooker.extra_lap,
        "recycled": onlooker.recycled,
        "known": counts,
        "two known": max(counts, default=0) > 1,
        "J known": truth["turn"] > 0 and any("J" in known for known in onlooker.known),
    }
    return {truth["phase"], *(name for name in met if met[name])}


@each_number_of_seats
def test_everything_rare_is_looked_at(n_seats):
    met = set().union(*map(what_is_there, positions(n_seats)))
    assert met == PHASES | RARE


@each_number_of_seats
def test_the_words_of_an_observation_are_the_truth(n_seats):
    for position in positions(n_seats):
        for seat, agent in enumerate(position.env.possible_agents):
            assert position.env.describe(agent) == expected(position, seat)


@each_number_of_seats
def test_thermometers_have_no_holes(n_seats):
    for env, _, _ in positions(n_seats):
        rows = rows_of(env, "player_1")
        assert all((np.diff(rows[block.name]) <= 0).all() for block in BLOCKS if block.steps)


def rows_of(env, agent):
    """An observation block by block, each as its rows."""
    seen = env.observe(agent)["observation"]
    return {
        block.name: seen[start : start + block.size].reshape(-1, block.width)
        for block, start in zip(BLOCKS, starts(BLOCKS), strict=False)
    }


@each_number_of_seats
def test_the_state_is_the_whole_truth(n_seats):
    for env, truth, _ in positions(n_seats):
        told = describe(STATE_BLOCKS, env.state())
        asked, pile = truth["to_act"], [[code] for code in truth["draw_pile"]]
        assert told["hands"] == [*map(Counter, truth["hands"])] + [{}] * (MAX_SEATS - n_seats)
        assert told["to_act"] == ([] if asked is None else [f"player_{asked}"])
        assert told["phase"] == [truth["phase"]]
        assert told["pile"] == pile + [[]] * (len(DECK) - len(pile))
        seen = env.describe("player_0")
        for name in set(seen) - {"own_hand", "own_points"}:
            assert told[name] == seen[name]


def test_when_the_limit_ends_the_game_nobody_has_a_turn_left():
    game = table(["1", "9 10", "9 10"], "8", "5", lucky="7", rounds=1, turn_limit=2)
    game.call().play("10")
    assert game.phase == "over"
    for agent in game.env.possible_agents:
        assert game.env.describe(agent)["lap_left"] == []


@pytest.mark.parametrize(
    ("hand", "cards", "laps", "follower"),
    [
        ("1 10", "10", ["last lap"], 2),
        ("1 6", "6", ["last lap"], 3),
        ("1 6 6 6", "6 6 6", ["last lap", "extra lap"], 1),
        ("1 6 6 6 6", "6 6 6 6", ["last lap", "extra lap"], 2),
    ],
)
def test_that_another_seat_is_asked_to_call_does_not_show(hand, cards, laps, follower):
    hands = ["1 2", hand, "7 8", "7 8"]
    low, high = (table(hands, f"{drawn} 7", "5").call().play(cards) for drawn in ("3", "8"))
    assert (low.asked, high.asked) == ((1, "call"), (follower, "turn"))
    others = ["player_0", "player_2", "player_3"]
    for agent in others:
        told = low.env.describe(agent)
        assert told == high.env.describe(agent) | {"asked": []}
        assert told["laps"] == laps
        assert not low.env.observe(agent)["action_mask"].any()
    low.pass_()
    for agent in others:
        one, two = low.env.observe(agent), high.env.observe(agent)
        assert all(np.array_equal(one[name], two[name]) for name in one)


# Bounds


def test_all_totals_between_the_bounds_are_told_exactly():
    env = Table(num_players=5).env
    for lowest in range(-60, 150 - MAX_SEATS + 1):
        env._games["score"][0] = range(lowest, lowest + MAX_SEATS)
        for seat, agent in enumerate(env.possible_agents):
            told, scores = env.describe(agent), env.snapshot()["scores"]
            totals = np.add(told["scores"], told["score_ones"]).tolist()
            assert totals == scores[seat:] + scores[:seat]


@pytest.mark.parametrize(
    ("total", "tens", "ones"),
    [(-(10**6), -60, 0), (-61, -60, 0), (-1, -10, 9), (150, 140, 9), (10**6, 140, 9)],
)
def test_totals_stop_at_their_bounds(total, tens, ones):
    env = table(["1", "2", "3"]).env
    env._games["score"][0, 1] = total
    for agent, place in (("player_0", 1), ("player_1", 0), ("player_2", 2)):
        told = env.describe(agent)
        assert told["scores"] == [tens if k == place else 0 for k in range(MAX_SEATS)]
        assert told["score_ones"] == [ones if k == place else 0 for k in range(MAX_SEATS)]


@each_number_of_seats
@pytest.mark.parametrize("total", [-61, -60, 0])
def test_a_seat_with_a_low_total_is_not_an_empty_one(n_seats, total):
    env = Table(num_players=n_seats).env
    env._games["score"][0, :n_seats] = total
    rows = rows_of(env, "player_1")["scores"]
    assert rows.any(axis=1).tolist() == [k < n_seats for k in range(MAX_SEATS)]


@pytest.mark.parametrize(("size", "told"), [(0, 0), (1, 1), (49, 49), (50, 50), (51, 50), (53, 50)])
def test_a_long_draw_pile_stops_at_its_bound(size, told):
    pile = sorted(DECK, reverse=True)
    for code in ("1", "2", "9"):  # two hands and the lucky card
        pile.remove(code)
    env = table(["1", "2"], " ".join(pile[:size])).env
    assert len(env.snapshot()["draw_pile"]) == size
    for agent in env.possible_agents:
        assert env.describe(agent)["pile_size"] == told


@pytest.mark.parametrize(("rounds", "told"), [(1, 1), (2, 2), (7, 7), (8, 7), (10**6, 7)])
def test_rounds_left_stop_at_their_bound(rounds, told):
    env = Table(rounds=rounds).env
    assert env.describe("player_0")["rounds_left"] == told


@pytest.mark.parametrize(
    ("limit", "told", "later"),
    [(2, 2, 1), (4, 4, 2), (128, 128, 64), (129, 128, 128), (200, 128, 128), (10**6, 128, 128)],
)
def test_turns_left_go_down_in_steps_and_stop_at_their_bound(limit, told, later):
    game = Table(num_players=2, turn_limit=limit, first_round={"deck": sorted(DECK)})
    assert game.env.describe("player_0")["turns_left"] == told
    game.do(game.choices()[0])
    assert game.env.describe("player_0")["turns_left"] == later


@pytest.mark.parametrize(
    ("hand", "lucky", "points"),
    [
        ("10 10 9", "8", 29),
        ("10 10 10", "8", 30),
        ("10 10 10 1", "8", 30),
        ("10 10 10 10 10", "8", 30),
        ("10 10 10 10 1", "10", 1),
        ("J J J 5", "8", 5),
        ("J J", "8", 0),
        ("10 10 10 J J", "J", 30),
    ],
)
def test_the_points_of_a_hand_are_those_for_a_call_and_stop_at_their_bound(hand, lucky, points):
    env = table([hand, "1"], lucky=lucky).env
    assert env.describe("player_0")["own_points"] == points
    assert env.describe("player_1")["own_points"] == 1
