"""What a Cabanga seat is shown, in words, against the full truth."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cabanga_env import cabanga_v0
from cabanga_env.cards import CODES, COLOUR_NAMES, COLOURS
from cabanga_env.observation import MOST_IN_HAND, MOST_IN_PILE, MOST_ROUNDS
from cardcore.blocks import describe
from cardcore.jit import JIT_ON
from tests.cabanga.game import GAME as CABANGA
from tests.games import is_over, legal

quick = settings(max_examples=40 if JIT_ON else 4, deadline=None, derandomize=True, database=None)
TENS = [30, 40, 50, 60, 70, 80, 90, 100]
STARTS = [5, 12, 1, 3, 7, 14, 16, 18]  # red 5 | 12, blue 1 | 3, violet 7 | 14, yellow 16 | 18


def at_most(steps, number):
    """The lowest reading of a thermometer."""
    return max((step for step in steps if step <= number), default=0)


def place(seat, who, n_seats):
    """Where somebody sits, seen from a seat."""
    away = (who - seat) % n_seats
    return "me" if away == 0 else f"{away} to my left"


def in_order(codes):
    """Cards in card order."""
    return [code for code in CODES if code in codes]


class Onlooker:
    """Remembers what lies open: cards laid by side, what was last shuffled back, and the gaps."""

    def __init__(self):
        self.forget()

    def forget(self):
        """A new round."""
        self.laid = {"left": set(), "right": set()}
        self.recycled = set()
        self.offered = {seat: set() for seat in range(6)}

    def watch(self, before, name, now):
        """Take in one action."""
        if before["round"] != now["round"]:
            self.forget()
            return
        code, _, side = name.partition(" ")
        if side in self.laid:
            self.laid[side].add(code)
        thrown = {before["gap"][0] + name.split()[1]} if name.startswith("throw") else set()
        discard = set(before["discard"]) | thrown
        if discard and not now["discard"]:
            self.recycled = discard
            self.offered = {seat: set() for seat in range(6)}
        if side in self.laid:
            low, high = sorted(now["piles"][COLOURS.index(code[0])])
            for seat in set(range(len(now["hands"]))) - {before["active"]}:
                self.offered[seat] |= {f"{code[0]}{value}" for value in range(low + 1, high)}

    def offered_to(self, seats):
        """The sets of what these seats could have thrown."""
        return [self.offered[seat] for seat in seats]


def expected(table, onlooker, seat, rounds):
    """What a seat must be told, from the snapshot alone."""
    n_seats = len(table["hands"])
    order = [(seat + k) % n_seats for k in range(n_seats)]
    absent = [0] * (6 - n_seats)
    over, throwing = table["phase"] == "over", table["phase"] == "throw"
    active, last = table["active"], table["last_colour"]
    turn_done = over or throwing
    follower = (active + 1) % n_seats if turn_done else active
    layer = active if turn_done else (active - 1) % n_seats
    gap = []
    if last:
        low, high = sorted(table["piles"][COLOURS.index(last)])
        gap = [str(value) for value in range(low + 1, high)]
    left = 0 if rounds is None or over else rounds - table["round"] + 1
    return {
        "own_hand": table["hands"][seat],
        "tops": [top for row in table["piles"] for top in row],
        "laid_left": in_order(onlooker.laid["left"]),
        "laid_right": in_order(onlooker.laid["right"]),
        "discard": in_order(table["discard"]),
        "recycled": in_order(onlooker.recycled),
        "offered": in_order(set.union(*onlooker.offered_to(order[1:]))),
        "offered_to_all": in_order(set.intersection(*onlooker.offered_to(order[1:]))),
        "hand_sizes": [min(MOST_IN_HAND, len(table["hands"][who])) for who in order] + absent,
        "scores": [min(24, table["scores"][who]) for who in order] + absent,
        "high_scores": [at_most(TENS, table["scores"][who]) for who in order] + absent,
        "pile_size": min(MOST_IN_PILE, len(table["draw_pile"])),
        "gap": gap,
        "last_colour": [COLOUR_NAMES[COLOURS.index(last)]] if last else [],
        "asked": [table["phase"]] if table["to_act"] == seat else [],
        "laid_last": [place(seat, layer, n_seats)] if last else [],
        "plays_next": [] if over else [place(seat, follower, n_seats)],
        "table": [f"{n_seats} seats"],
        "rounds_left": min(MOST_ROUNDS, left),
    }


@quick
@given(
    st.integers(0, 2**63 - 1),
    st.integers(2, 6),
    st.sampled_from([None, 1, 2, 9]),
    st.integers(0, 2**32),
)
def test_the_words_of_an_observation_are_the_truth(seed, n_seats, rounds, choice):
    env = cabanga_v0.env(num_players=n_seats, rounds=rounds)
    env.reset(seed=seed)
    chance, onlooker = random.Random(choice), Onlooker()
    for _ in range(300):
        table = env.snapshot()
        for seat, agent in enumerate(env.possible_agents):
            assert env.describe(agent) == expected(table, onlooker, seat, rounds)
        if is_over(env):
            break
        action = chance.choice(legal(env))
        env.step(action)
        onlooker.watch(table, env.action_name(action), env.snapshot())


@quick
@given(st.integers(0, 2**63 - 1), st.integers(2, 6), st.integers(0, 2**32))
def test_the_state_is_the_whole_truth(seed, n_seats, choice):
    env = cabanga_v0.env(num_players=n_seats, rounds=1)
    env.reset(seed=seed)
    chance, onlooker = random.Random(choice), Onlooker()
    while True:
        table = env.snapshot()
        told = describe(CABANGA.spec.state_blocks, env.state())
        assert told["hands"] == table["hands"] + [[]] * (6 - n_seats)
        assert told["offered_to_seat"] == list(map(in_order, onlooker.offered_to(range(6))))
        order = {place: CODES[card] for card, place in enumerate(told["pile"]) if place}
        assert [order[k + 1] for k in range(len(order))] == table["draw_pile"]
        assert told["phase"] == [table["phase"]]
        asked = table["to_act"]
        assert told["to_act"] == ([] if asked is None else [f"player_{asked}"])
        seen = env.describe("player_0")
        for name in set(seen) - {"own_hand"}:
            assert told[name] == seen[name]
        if is_over(env):
            break
        action = chance.choice(legal(env))
        env.step(action)
        onlooker.watch(table, env.action_name(action), env.snapshot())


def laid_out(*hands, deck=("Y1", "Y2"), **more):
    """A table of these hands at which player_0 has the first turn."""
    env = cabanga_v0.env(num_players=len(hands))
    options = {
        "hands": [hand.split() for hand in hands],
        "deck": list(deck),
        "starter": 0,
        "start_cards": STARTS,
        **more,
    }
    env.reset(seed=1, options=options)
    return env


def test_that_another_seat_is_asked_does_not_show():
    asked = laid_out("R1 B1", "V1 V2", "R7 V4", "V5 V6")  # red 1 | 12: player_2 can throw R7
    quiet = laid_out("R1 B1", "V1 V2", "V7 V4", "V5 V6")  # nobody can
    for env in (asked, quiet):
        env.step(env.action_id("R1 left"))
    assert asked.snapshot()["phase"] == "throw"
    assert quiet.snapshot()["phase"] == "play"
    for agent in ("player_0", "player_3"):
        one, two = asked.observe(agent), quiet.observe(agent)
        assert np.array_equal(one["observation"], two["observation"])
        assert not one["action_mask"].any()
        assert not two["action_mask"].any()
    assert asked.describe("player_1")["asked"] == []
    assert quiet.describe("player_1")["asked"] == ["play"]
    assert asked.describe("player_2")["asked"] == ["throw"]


def test_who_is_asked_does_not_show():
    second = laid_out("R1 B1", "V1 V2", "R7 V4", "V5 V6")
    third = laid_out("R1 B1", "V1 V2", "V4 V7", "R7 V6")
    for env in (second, third):
        env.step(env.action_id("R1 left"))
    assert (second.agent_selection, third.agent_selection) == ("player_2", "player_3")
    for agent in ("player_0", "player_1"):
        one, two = second.observe(agent)["observation"], third.observe(agent)["observation"]
        assert np.array_equal(one, two)


def test_a_pass_does_not_show():
    env = laid_out("R1 B1", "V1 V2", "R7 V4", "R8 V6")
    env.step(env.action_id("R1 left"))
    before = {agent: env.observe(agent)["observation"] for agent in ("player_0", "player_1")}
    env.step(env.action_id("pass"))
    assert env.agent_selection == "player_3"
    for agent, seen in before.items():
        assert np.array_equal(env.observe(agent)["observation"], seen)


def test_what_somebody_could_have_thrown_is_remembered():
    """Red 1 | 12: what fits is offered to all but player_0, whether or not it is thrown."""
    env = laid_out("R1 B1", "R14 V2", "R7 V4")
    env.step(env.action_id("R1 left"))
    inside = [f"R{value}" for value in range(2, 12)]
    for seat, told_all in ((0, inside), (1, []), (2, [])):
        told = env.describe(f"player_{seat}")
        assert told["offered"] == inside
        assert told["offered_to_all"] == told_all
    env.step(env.action_id("throw 7"))
    env.step(env.action_id("R14 right"))  # 1 | 14: to player_2 again, and to player_0
    both = [f"R{value}" for value in range(2, 14)]
    assert env.describe("player_1")["offered"] == both
    assert env.describe("player_1")["offered_to_all"] == both
    assert env.describe("player_0")["offered_to_all"] == inside
    assert env.describe("player_2")["offered_to_all"] == inside


def test_a_reshuffle_wipes_out_what_was_offered():
    env = laid_out("R1 B1", "R14 V2", "R7 V4", deck=["Y1"])
    env.step(env.action_id("R1 left"))
    env.step(env.action_id("throw 7"))
    assert env.describe("player_0")["offered"]
    env.step(env.action_id("R14 right"))  # red again: the penalty is drawn from the discard
    assert env.describe("player_0")["recycled"] == ["R7"]
    assert env.describe("player_2")["offered"] == [f"R{value}" for value in range(2, 14)]
    assert env.describe("player_2")["offered_to_all"] == []


def test_long_hands_and_piles_stop_at_their_bounds():
    hand = " ".join(CODES[: MOST_IN_HAND + 1])
    env = laid_out(hand, CODES[-1], deck=CODES[MOST_IN_HAND + 1 : -1])
    told = env.describe("player_1")
    assert told["hand_sizes"] == [1, MOST_IN_HAND, 0, 0, 0, 0]
    assert told["own_hand"] == [CODES[-1]]
    env = laid_out("R1", "R2", deck=CODES[2:])
    assert len(env.snapshot()["draw_pile"]) > MOST_IN_PILE
    assert env.describe("player_0")["pile_size"] == MOST_IN_PILE


@pytest.mark.parametrize(
    ("score", "told", "tens"),
    [(0, 0, 0), (1, 1, 0), (24, 24, 0), (29, 24, 0), (30, 24, 30), (49, 24, 40), (10**6, 24, 100)],
)
def test_totals_stop_at_their_bound(score, told, tens):
    env = laid_out("R1", "R2")
    env._games["score"][0, 1] = score
    assert env.describe("player_0")["scores"] == [0, told, 0, 0, 0, 0]
    assert env.describe("player_0")["high_scores"] == [0, tens, 0, 0, 0, 0]
    assert env.describe("player_1")["scores"] == [told, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(("rounds", "told"), [(None, 0), (1, 1), (7, 7), (8, 7), (10**6, 7)])
def test_rounds_left_stop_at_their_bound(rounds, told):
    env = cabanga_v0.env(rounds=rounds)
    env.reset(seed=1)
    assert env.describe("player_0")["rounds_left"] == told
