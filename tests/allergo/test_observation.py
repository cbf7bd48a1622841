"""What an Allergo seat is shown, in words, against the full truth."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from allergo_env import allergo_v0
from allergo_env.cards import CODES, COLOUR_NAMES, COLOURS
from allergo_env.observation import BLOCKS, PUBLIC, STATE_BLOCKS
from cardcore.blocks import describe, starts
from cardcore.jit import JIT_ON
from tests.allergo.game import GAME as ALLERGO
from tests.allergo.referee import MAUVE, full_deck
from tests.allergo.table import Table, table
from tests.allergo.test_referee import SMALL_DECK, scarce_table
from tests.games import is_over, legal

SPEC = allergo_v0.SPEC
quick = settings(
    max_examples=30 if JIT_ON else 16,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
each_number_of_seats = pytest.mark.parametrize("n_seats", [2, 3, 4, 5, 6])
MAX_SEATS = 6
MOST_STEPS = 100  # of a game
DRAW, PASS = SPEC.action_id("draw"), SPEC.action_id("pass")
ASKED = {"name_colour", "turn", "drawn", "announce", "denounce", "clone", "challenge"}
PLACES = ["me", *(f"{k} to my left" for k in range(1, MAX_SEATS))]
NOBODYS = [{}] * (MAX_SEATS - 1)  # no hand that was revealed
DOUBLINGS = [1, 2, 4, 8, 16, 32, 64, 128, 256]
FOUR_OF_EACH = dict.fromkeys(CODES, 4)


# Games to look at


def choose(env, chance):
    """What people do who would rather play than draw, stay silent, and err now and then."""
    wrong = ALLERGO.mistakes(env) if chance.random() < 0.05 else ()
    actions = sorted(wrong) or legal(env)
    plays = [action for action in actions if action < DRAW or action == PASS]
    return chance.choice(plays if plays and chance.random() < 0.6 else actions)


@st.composite
def games(draw, n_seats):
    """A game about to begin, mostly with few cards, the chance that plays it, and its options."""
    options = {
        "target": draw(st.sampled_from([500, 60, 2000])),
        "rounds": draw(st.sampled_from([None, 2, 9])),
        "turn_budget": draw(st.sampled_from([None, 30, 400])),
        "turn_limit": draw(st.sampled_from([500, 40, 15])),
        "announce": draw(st.sampled_from(["ask", "ask", "ask", "auto"])),
        "cloning": draw(st.sampled_from([True, True, False])),
        "deck_counts": draw(st.sampled_from([SMALL_DECK, FOUR_OF_EACH, None])),
    }
    chance = random.Random(draw(st.integers(0, 2**32)))
    deck, first_round = full_deck(options["deck_counts"]), None
    if draw(st.sampled_from([True, True, True, False])):
        first_round = scarce_table(chance, deck, n_seats)
        if chance.random() < 0.4:  # a colour must be named
            first_round["discard"] += [card for card in deck if card in ("C", "+4")][:1]
    env = allergo_v0.env(num_players=n_seats, **options)
    env.reset(seed=draw(st.integers(0, 2**63 - 1)), options=first_round)
    if draw(st.booleans()):  # there were rounds before
        env._games["score"][0, :n_seats] = [chance.randint(0, 700) for _ in range(n_seats)]
    return env, chance, options


def positions(env, chance):
    """A game that is played on as it is looked at: each position, and who watched up to it."""
    onlooker = Onlooker(env.snapshot())
    for _ in range(MOST_STEPS):
        truth = env.snapshot()
        yield truth, onlooker
        if is_over(env):
            return
        action = choose(env, chance)
        env.step(action)
        onlooker.watch(truth, env.action_name(action), env.snapshot())


# What a seat must be told


def could_replace(card, truth):
    """Whether a card could be laid where a +4 can be."""
    if card in MAUVE:
        return card == "+3" or (card == "C" and truth["top"] != "+3")
    return card[0] == truth["colour"] or card[1:] == truth["kind"]


class Onlooker:
    """Somebody who remembers what was laid, said and shown, as far as the table no longer tells."""

    def __init__(self, now):
        self.n_turns = 0
        self.forget(now)

    def forget(self, now):
        """A new round."""
        self.plus_4_by = self.silent = None
        self.laid_by = now["dealer"]
        self.bluff = self.shuffled = False
        self.shown = {}  # hands by (who doubted, whose hand it is)

    def watch(self, before, name, now):
        """Take in one action."""
        self.n_turns += before["phase"] == "turn"
        if before["round"] != now["round"]:
            self.forget(now)
            return
        seat, hand = before["to_act"], before["hands"][before["to_act"]]
        self.shuffled |= len(now["discard"]) < len(before["discard"])
        if name.split()[0] in CODES and len(now["hands"][seat]) < len(hand):
            self.laid_by = seat
        if name.startswith("+4") and len(now["hands"][seat]) < len(hand):  # it was no wrong card
            self.plus_4_by = seat
            self.bluff = any(could_replace(card, before) for card in hand if card != "+4")
        if before["phase"] == "announce":
            self.silent = seat if name == "pass" else None
        if now["phase"] != "denounce":
            self.silent = None
        if name == "liar":
            self.shown[seat, self.plus_4_by] = before["hands"][self.plus_4_by]
        same = {who for who, hand in enumerate(before["hands"]) if hand == now["hands"][who]}
        self.shown = {pair: hand for pair, hand in self.shown.items() if pair[1] in same}


def at_most(steps, number):
    """The lowest reading of a thermometer."""
    return max((step for step in steps if step <= number), default=0)


def turns_left(truth, onlooker, options):
    """Before the limit of the round and before the game's budget is used up."""
    if truth["phase"] == "over":
        return 0, 0
    budget = options["turn_budget"] or onlooker.n_turns
    numbers = options["turn_limit"] - truth["turn"], budget - onlooker.n_turns
    return tuple(at_most(DOUBLINGS, number) for number in numbers)


def expected(truth, onlooker, seat, options):
    """What a seat must be told, from the snapshot and from what it could watch."""
    n_seats, phase = len(truth["hands"]), truth["phase"]
    order = [(seat + k) % n_seats for k in range(n_seats)]
    absent = [0] * (MAX_SEATS - n_seats)
    asked, plays = truth["to_act"] == seat, truth["active"]
    if phase in ("drawn", "clone"):  # nobody else must see that a seat is asked
        plays = (plays + truth["direction"]) % n_seats
    totals = [min(624, truth["scores"][who]) for who in order]
    shown = [onlooker.shown.get((seat, who), []) for who in order[1:]]
    size = min(129, len(truth["draw_pile"]))
    rounds, to_target = options["rounds"], options["target"] - max(truth["scores"])
    in_round, in_game = turns_left(truth, onlooker, options)

    def place(who):
        """Where somebody sits, seen from this seat."""
        return [] if who is None else [PLACES[order.index(who)]]

    return {
        "own_hand": Counter(truth["hands"][seat]),
        "drawn": [truth["drawn"]] if phase == "drawn" and asked else [],
        "revealed": [{card: min(2, n) for card, n in Counter(hand).items()} for hand in shown]
        + [{}] * len(absent),
        "discard": Counter(truth["discard"]),
        "hand_sizes": [min(24, len(truth["hands"][who])) for who in order] + absent,
        "scores": [total // 25 * 25 for total in totals] + absent,
        "score_rest": [total % 25 // 5 * 5 for total in totals] + absent,
        "pile_tens": size // 10 * 10,
        "pile_ones": size % 10,
        "fine": min(16, truth["fine"]),
        "to_target": 0 if rounds else at_most(range(0, 501, 25), to_target),
        "top": [truth["discard"][-1]],
        "colour": [COLOUR_NAMES[COLOURS.index(truth["colour"])]] if truth["colour"] else [],
        "kind": [truth["kind"]] if truth["kind"] else [],
        "direction": ["clockwise"] if truth["direction"] > 0 else [],
        "plays": place(None if phase == "over" else plays),
        "asked": [phase] if asked else [],
        "silent": place(onlooker.silent),
        "plus_4_by": place(onlooker.plus_4_by),
        "dealer": place(truth["dealer"]),
        "table": [f"{n_seats} seats"],
        "variants": ["last cards are announced"] * (options["announce"] == "ask")
        + ["cloning"] * options["cloning"],
        "rounds_left": min(7, rounds - truth["round"] + 1) if rounds and phase != "over" else 0,
        "turns_left": in_round,
        "budget_left": in_game,
    }


GOES_ON = [  # whether the thermometer of a place goes on after it: then it may fall there, not rise
    block.steps != () and (k + 1) % block.width != 0 for block in BLOCKS for k in range(block.size)
]


def rare_things(truth, onlooker, told):
    """What games must show at some time, counted in one position."""
    met = Counter([truth["phase"]])
    met["later round"] = truth["round"] > 1
    met["shuffled"] = onlooker.shuffled
    met["anticlockwise"] = not told["direction"]
    met["stacked fine"] = told["fine"] > 2
    met["revealed"] = bool(onlooker.shown)
    met["silent"] = bool(told["silent"])
    met["last +4"] = bool(told["plus_4_by"]) and truth["phase"] == "turn"
    met["budget"] = told["budget_left"] > 0
    met["target"] = told["to_target"] > 0
    return met


RARE = ASKED | {
    *("over", "later round", "shuffled", "anticlockwise", "stacked fine", "revealed", "silent"),
    *("last +4", "budget", "target"),
}


@each_number_of_seats
def test_the_words_of_an_observation_are_the_truth(n_seats):
    met = Counter()

    @quick
    @given(games(n_seats))
    def every_seat_is_told_the_truth(game):
        env, chance, options = game
        for truth, onlooker in positions(env, chance):
            for seat, agent in enumerate(env.possible_agents):
                seen = env.observe(agent)
                told = describe(BLOCKS, seen["observation"])
                assert told == expected(truth, onlooker, seat, options)
                assert (np.diff(seen["observation"])[GOES_ON[:-1]] <= 0).all()
                assert seen["action_mask"].any() == (seat == truth["to_act"])
            met.update(rare_things(truth, onlooker, told))

    every_seat_is_told_the_truth()
    assert set(+met) >= RARE


# That a seat is asked about what only it knows


@each_number_of_seats
def test_that_another_seat_is_asked_and_passes_does_not_show(n_seats):
    met = Counter()

    @quick
    @given(games(n_seats))
    def all_see_what_they_see_after_a_pass(game):
        env, chance, _ = game
        for truth, _ in positions(env, chance):
            if truth["phase"] not in ("drawn", "denounce", "clone"):
                continue
            quiet = env.clone()
            quiet.step(PASS)
            now = quiet.snapshot()
            settled = truth["phase"] == "denounce" != now["phase"]  # nobody can denounce any more
            if settled or now["phase"] == "over" or now["round"] != truth["round"]:
                continue
            met[truth["phase"]] += 1
            for seat, agent in enumerate(env.possible_agents):
                told, later = env.describe(agent), quiet.describe(agent)
                assert told.pop("asked") == ([truth["phase"]] if seat == truth["to_act"] else [])
                assert later.pop("asked") == ([now["phase"]] if seat == now["to_act"] else [])
                drawn = [truth["drawn"]] if truth["drawn"] and seat == truth["to_act"] else []
                assert (told.pop("drawn"), later.pop("drawn")) == (drawn, [])
                assert told == later

    all_see_what_they_see_after_a_pass()
    assert set(met) == {"drawn", "clone"} | ({"denounce"} if n_seats > 2 else set())


@pytest.mark.parametrize(
    ("action", "one", "other", "asked", "watchers"),
    [
        # whether a drawn card fits, whether there is a twin, who has the twin
        ("draw", ("B6 B7", "B8 B9", "R9"), ("B6 B7", "B8 B9", "Y9"), "0 drawn, 1 turn", (2, 3)),
        ("R1", ("R1 B7", "B8 B9", "Y9"), ("B6 B7", "B8 B9", "Y9"), "2 clone, 1 turn", (0, 3)),
        ("R1", ("R1 B7", "B8 B9", "Y9"), ("B6 B7", "R1 B9", "Y9"), "2 clone, 3 clone", (0, 1)),
    ],
)
def test_what_leads_to_a_question_does_not_show(action, one, other, asked, watchers):
    tables = [
        table(["R1 B1", "B3 B4", *hands], deck=deck, cloning=True).do(action)
        for *hands, deck in (one, other)
    ]
    assert ", ".join(f"{seat} {phase}" for seat, phase in (game.asked for game in tables)) == asked
    for watcher in watchers:
        first, second = (game.env.observe(f"player_{watcher}") for game in tables)
        assert np.array_equal(first["observation"], second["observation"])
        assert not first["action_mask"].any()
        assert not second["action_mask"].any()


# Silence


def told(game, block):
    """What a block tells each seat."""
    return [game.env.describe(agent)[block] for agent in game.env.possible_agents]


@pytest.mark.parametrize("end", ["denounce", "pass"])
def test_a_silent_seat_is_shown_while_it_can_be_denounced(end):
    game = table(["R1 R2", "B3 B4", "B6 B7"], deck="Y1 Y2", announce="ask").do("R1")
    assert told(game, "asked") == [["announce"], [], []]
    assert told(game, "silent") == [[], [], []]
    for asked in ([[], ["denounce"], []], [[], [], ["denounce"]]):
        game.do("pass")
        assert told(game, "asked") == asked
        assert told(game, "silent") == [["me"], ["2 to my left"], ["1 to my left"]]
    game.do(end)
    assert told(game, "silent") == [[], [], []]


def test_a_silent_cloner_is_shown_and_not_whose_turn_it_is():
    hands = ["R1 R2 R3", "B3 B4", "R1 B7"]
    game = table(hands, announce="ask", cloning=True).do("R1", "R1", "pass")
    assert told(game, "plays") == [["me"], ["2 to my left"], ["1 to my left"]]
    assert told(game, "silent") == [["2 to my left"], ["1 to my left"], ["me"]]


# Hands that were revealed


def doubted(hand="+4 G6 G2 G3", **more):
    """Three seats; the first lays a +4 on R5 and names blue, the second does not believe it."""
    hands = [hand, "B3 B4 +3", "B6 B/ B+2 Y9"]
    deck = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y0 R8 R8"
    return table(hands, deck=deck, **more).do("+4 B", "liar")


def hand_of_right(cards):
    """That at a table for three the hand of the seat to my right is known, and no other."""
    return [{}, cards, {}, {}, {}]


@pytest.mark.parametrize("actions", ["", "B6", "B/", "B/, draw", "B+2"])
def test_a_revealed_hand_is_shown_to_the_doubter_alone(actions):
    game = doubted().do(*filter(None, actions.split(", ")))
    assert told(game, "revealed") == [NOBODYS, hand_of_right({"G2": 1, "G3": 1, "G6": 1}), NOBODYS]


@pytest.mark.parametrize("actions", ["B6, draw", "B6, G6", "B6, G2", "B+2, draw", "B/, +3"])
def test_a_revealed_hand_disappears_when_it_changes(actions):
    *before, last = actions.split(", ")
    game = doubted().do(*before)
    assert any(told(game, "revealed")[1])
    assert told(game.do(last), "revealed") == [NOBODYS] * 3


def test_a_revealed_hand_disappears_with_its_round():
    game = table(["+4 G1 G2", "B3 B4", "B6"], deck="Y1 Y2 Y3 Y4 Y5 Y6").do("+4 B", "liar")
    assert any(told(game, "revealed")[1])
    assert game.do("B6").round == 2
    assert told(game, "revealed") == [NOBODYS] * 3


def test_a_bluff_that_is_found_out_changes_the_hand_at_once():
    assert told(doubted("+4 R1 G2 G3"), "revealed") == [NOBODYS] * 3


def test_a_bluff_that_costs_nothing_for_want_of_cards_stays_revealed():
    game = table(["+4 C", "B3 B4", "B6 B7"], announce="ask")
    game.do("+4 B", "pass", "denounce", "liar")  # its silence has cost the only card there was
    assert game.draw_pile == ""
    assert game.asked == (1, "turn")
    assert told(game, "revealed") == [NOBODYS, hand_of_right({"R5": 1, "C": 1}), NOBODYS]


def test_two_revealed_hands_are_told_apart():
    hands = ["+4 G1 G2", "R/ B3", "R~ +4 Y1 Y2", "B4 B9"]
    game = table(hands, deck="G0 G3 G4 G5 G6 G7 Y0 Y3 Y4 Y5 Y6 Y7")
    game.do("+4 R", "liar", "R~", "R/", "draw")
    assert game.asked == (2, "turn")
    game.do("+4 B", "liar")
    assert told(game, "revealed")[1] == [{"Y1": 1, "Y2": 1}, {}, {"G1": 1, "G2": 1}, {}, {}]


def test_more_than_two_equal_cards_of_a_revealed_hand_show_as_two():
    game = doubted("+4 G1 G1 G1 G1 G2 G2 G3", deck_counts={"G1": 4})
    assert told(game, "revealed")[1][1] == {"G1": 2, "G2": 2, "G3": 1}
    assert told(game, "own_hand")[0] == {"G1": 4, "G2": 2, "G3": 1}


# The state


@each_number_of_seats
def test_the_state_is_the_whole_truth(n_seats):
    met = Counter()

    @quick
    @given(games(n_seats))
    def the_state_says_it_all(game):
        env, chance, _ = game
        for truth, onlooker in positions(env, chance):
            state, asked = describe(STATE_BLOCKS, env.state()), truth["to_act"]
            bluff = onlooker.bluff and truth["top"] == "+4"
            pile = [CODES.index(code) + 1 for code in truth["draw_pile"]]
            seen = env.describe("player_0")
            assert state == {
                "hands": [*map(Counter, truth["hands"])] + [{}] * (MAX_SEATS - n_seats),
                **{block.name: seen[block.name] for block in PUBLIC},
                "to_act": [] if asked is None else [f"player_{asked}"],
                "phase": [truth["phase"]],
                "drawn_card": [truth["drawn"]] if truth["drawn"] else [],
                "bluff": ["bluff"] if bluff else [],
                "laid_by": [f"player_{onlooker.laid_by}"],
                "seen_by": [
                    [f"player_{seat}" for seat in range(n_seats) if (seat, who) in onlooker.shown]
                    for who in range(MAX_SEATS)
                ],
                "pile": pile + [0] * (4 * len(CODES) - len(pile)),
            }
            met.update([truth["phase"], f"bluff {bluff} in {truth['phase']}"])

    the_state_says_it_all()
    assert set(met) >= ASKED | {"over", "bluff True in challenge", "bluff False in challenge"}


# Bounds


@pytest.mark.parametrize(
    ("total", "steps", "rest"),
    [
        *[(0, 0, 0), (4, 0, 0), (5, 0, 5), (24, 0, 20), (25, 25, 0), (499, 475, 20)],
        *[(600, 600, 0), (619, 600, 15), (624, 600, 20), (625, 600, 20), (10**6, 600, 20)],
    ],
)
def test_totals_stop_at_their_bound(total, steps, rest):
    game = table(["R1", "R2", "R3"])
    game.env._games["score"][0, 1] = total
    for seat, place in enumerate((1, 0, 2)):
        assert told(game, "scores")[seat] == [steps if k == place else 0 for k in range(6)]
        assert told(game, "score_rest")[seat] == [rest if k == place else 0 for k in range(6)]


@pytest.mark.parametrize(("size", "shown"), [(1, 1), (23, 23), (24, 24), (25, 24), (52, 24)])
def test_long_hands_stop_at_their_bound(size, shown):
    game = table([" ".join(CODES[:size]), "C", "+3"])
    assert told(game, "hand_sizes")[0] == [shown, 1, 1, 0, 0, 0]
    assert told(game, "hand_sizes")[2] == [1, shown, 1, 0, 0, 0]
    assert told(game, "own_hand")[0] == dict.fromkeys(CODES[:size], 1)


@pytest.mark.parametrize(
    ("size", "tens", "ones"),
    [
        *[(0, 0, 0), (9, 0, 9), (10, 10, 0), (99, 90, 9), (120, 120, 0)],
        *[(128, 120, 8), (129, 120, 9), (130, 120, 9), (200, 120, 9), (217, 120, 9)],
    ],
)
def test_a_long_draw_pile_stops_at_its_bound(size, tens, ones):
    deck = [code for code in CODES for _ in range(4)]
    for code in ("R5", "B1", "B2"):
        deck.remove(code)
    game = table(["B1", "B2"], deck=" ".join(deck[:size]), deck_counts=FOUR_OF_EACH)
    assert told(game, "pile_tens") == [tens] * 2
    assert told(game, "pile_ones") == [ones] * 2


def test_all_copies_of_a_card_on_the_discard_are_counted():
    discard = "R1 R1 R1 R1 C C C R2 R2 R5"
    game = table(["B1", "B2"], discard=discard, deck_counts=FOUR_OF_EACH)
    assert told(game, "discard") == [{"R1": 4, "R2": 2, "R5": 1, "C": 3}] * 2


@pytest.mark.parametrize(("n", "shown"), [(0, 0), (1, 2), (7, 14), (8, 16), (9, 16), (16, 16)])
def test_a_high_fine_stops_at_its_bound(n, shown):
    colours = [colour for colour in COLOURS for _ in range(4)][:n]
    hands = [" ".join(f"{colour}+2" for colour in colours[k::2]) + " B1 B2" for k in (0, 1)]
    game = table(hands, deck_counts=FOUR_OF_EACH).do(*(f"{colour}+2" for colour in colours))
    assert game.fine == 2 * n
    assert told(game, "fine") == [shown] * 2


@pytest.mark.parametrize(
    ("target", "rounds", "highest", "shown"),
    [
        *[(500, None, 0, 500), (500, None, 1, 475), (500, None, 475, 25), (500, None, 476, 0)],
        *[(500, None, 700, 0), (524, None, 0, 500), (10**6, None, 0, 500), (1, None, 0, 0)],
        (500, 3, 0, 0),
    ],
)
def test_the_distance_to_the_target_is_that_of_the_highest_total(target, rounds, highest, shown):
    game = table(["R1", "R2", "R3"], target=target, rounds=rounds)
    game.env._games["score"][0, 1:3] = highest, highest // 2
    assert told(game, "to_target") == [shown] * 3


@pytest.mark.parametrize(
    ("option", "block", "limits"),
    [
        ("rounds", "rounds_left", {None: 0, 1: 1, 6: 6, 7: 7, 8: 7, 10**6: 7}),
        ("turn_limit", "turns_left", {1: 1, 3: 2, 255: 128, 256: 256, 10**6: 256}),
        ("turn_budget", "budget_left", {None: 0, 1: 1, 3: 2, 255: 128, 256: 256, 10**6: 256}),
    ],
)
def test_limits_stop_at_their_bounds(option, block, limits):
    for limit, shown in limits.items():
        assert told(Table(**{option: limit}), block) == [shown] * 4


# Every place is written


@each_number_of_seats
def test_no_place_keeps_what_was_there_before(n_seats):
    env, chance = Table(num_players=n_seats, rounds=1, turn_limit=30).env, random.Random(n_seats)
    for _ in positions(env, chance):
        state = np.full((1, SPEC.state_size), 7, np.int8)
        SPEC.kernels.state_all(env._games, state)
        assert set(np.unique(state)) == {0, 1}
        for seat in range(n_seats):
            seen, mask = (np.full(n, 7, np.int8) for n in (SPEC.obs_size, SPEC.n_actions))
            SPEC.kernels.observe_one(env._games, seat, seen, mask)
            assert set(np.unique(seen)) == {0, 1}
            assert set(np.unique(mask)) <= {0, 1}


@each_number_of_seats
def test_empty_seats_are_all_zero(n_seats):
    env = Table(num_players=n_seats).env
    env._games["score"][0, :n_seats] = 49
    env._games["seen_by"][0, :n_seats] = [(1 << n_seats) - 1 ^ 1 << k for k in range(n_seats)]
    sits = [k < n_seats for k in range(MAX_SEATS)]
    for agent in env.possible_agents:
        seen = env.observe(agent)["observation"]
        for block, start in zip(BLOCKS, starts(BLOCKS), strict=False):
            part = seen[start : start + block.size]
            if block.name in ("hand_sizes", "scores", "score_rest"):
                assert part.reshape(MAX_SEATS, -1).any(axis=1).tolist() == sits
            if block.name == "revealed":
                assert part.reshape(MAX_SEATS - 1, -1).any(axis=1).tolist() == sits[1:]
