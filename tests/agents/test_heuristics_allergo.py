"""The two heuristic players of Allergo at tables laid out by hand.

A term of the tuned player is tried alone: with all weights at 0 but the one in question, the choice
must be the one that the term asks for.
"""

import numpy as np
import pytest

from agents.heuristics.allergo import TERMS, Basic, Tuned
from allergo_env import SPEC
from tests.agents.asking import choice
from tests.allergo.table import Table, table

NAMES = [name for name, *_ in TERMS]


def basic(game):
    """What the casual player does here."""
    return choice(Basic(SPEC, SPEC.checked(None, {})), game)


def tuned(game, **weights):
    """What the strong player does here, if it weighs nothing but this and would rather not wait."""
    weights = {"wait": RATHER_NOT, **weights}
    alone = np.array([float(weights.pop(name, 0.0)) for name in NAMES])
    assert not weights
    return choice(Tuned(SPEC, SPEC.checked(None, {}), weights=alone), game)


def usual(game):
    """What the strong player does here with its own weights."""
    n_seats = len(game.hands)
    return choice(Tuned(SPEC, SPEC.checked(n_seats, {})), game)


MANY = "B1 B2 B3 B4 B6 B7 B8"  # a hand that is nowhere near its end
AS_MANY = "Y1 Y2 Y3 Y4 Y6 Y7 Y8"
RATHER_NOT = 40


def silent_table():
    """Seat 0 has one card left and has not said so: seat 1 is asked."""
    return table(["R1 B7", MANY], announce="ask").do("R1", "pass")


def accused_table(n_left):
    """Seat 0 has laid a +4 and has so many cards left: seat 1 is asked."""
    hand = "+4 " + " ".join("G1 G2 G3 G4 G6 G7 G8 G9".split()[:n_left])
    return table([hand, MANY]).do("+4 G")


def cloning_table(hand):
    """Seat 1 holds the twin of the card that was just laid."""
    return table(["R1 R2 R3", hand], cloning=True).do("R1")


# The casual player


@pytest.mark.parametrize(
    ("hand", "chosen"),
    [
        ("R3 R9 B5 B1", "R9"),
        ("R3 R9 R/ B1", "R/"),
        ("R/ +3 B1", "+3"),
        ("R/ C G1 G2 B1", "C G"),  # its commonest colour
        ("B1 B2 G3", "draw"),
        ("+4 R1 B2", "R1"),  # no bluff
        ("+4 B2", "+4 B"),  # none
    ],
)
def test_basic_lays_the_dearest_card_that_fits_and_never_bluffs(hand, chosen):
    assert basic(table([hand, MANY])) == chosen


def test_basic_lays_the_card_that_it_drew():
    assert basic(table(["B1 B2", MANY], deck="R7").do("draw")) == "R7"


def test_basic_keeps_a_drawn_plus_4_that_would_be_a_bluff():
    assert basic(table(["C", MANY], deck="+4").do("draw")) == "pass"
    assert basic(table(["B1", MANY], deck="+4").do("draw")) == "+4 B"


@pytest.mark.parametrize("player", [basic, usual])
def test_both_announce_and_denounce(player):
    assert player(table(["R1 B7", MANY], announce="ask").do("R1")) == "announce"
    assert player(silent_table()) == "denounce"


def test_basic_accepts_a_plus_4_however_unlikely():
    assert basic(accused_table(8)) == "draw"


def test_basic_names_its_commonest_colour_as_dealer():
    assert basic(table(["R1 R2", "G1 G2 G3 B1"], discard="C")) == "name G"


def test_basic_clones():
    assert basic(cloning_table("R1 B2")) == "R1"


# The strong player, term by term


@pytest.mark.parametrize(
    ("weights", "hand", "others", "chosen"),
    [
        ({"cost": 1}, "R3 R9 B1", [MANY], "R9"),
        ({"cost": -1}, "R3 R9 B1", [MANY], "R3"),
        ({"cost": -1, "cost_late": 3}, "R3 R9 B1", [MANY], "R3"),  # nobody is near the end
        ({"cost": -1, "cost_late": 3}, "R3 R9 B1", ["B1"], "R9"),  # somebody is
        ({"keep_captain": 5}, "C R1 B2", [MANY], "R1"),
        ({"keep_plus_3": 5}, "+3 R1 B2", [MANY], "R1"),
        ({"keep_plus_4": 5}, "+4 R1 B2", [MANY], "R1"),
        ({"keep_plus_2": 5}, "R+2 R1 B2", [MANY], "R1"),
        ({"keep_turn": 5}, "R/ R~ R1 B2", [MANY], "R1"),
        ({"keep_turn": -5}, "R1 R~ B2", [MANY], "R~"),
        ({"follow": 5}, "R1 B5 B2", [MANY], "B5"),  # a blue card follows
        ({"finish": 5, "wait": 0}, "R1 B5 B2", [MANY], "draw"),  # not yet the last card
        ({"finish": 5, "wait": 0}, "B5 B2", [MANY], "B5"),
        ({"trap": 5}, "R1 C", [MANY], "C R"),
        ({"trap": 5}, "R1 +3", [MANY], "+3"),
        ({"hit": 5}, "R+2 R/ R9 B1", [MANY], "R+2"),
        ({"hit": 7, "keep_plus_2": 7}, "R+2 R9 B1", [MANY], "R9"),
        ({"hit": 7, "keep_plus_2": 7}, "R+2 R9 B1", ["B1"], "R+2"),  # it has one card
        ({"hit_all": 5}, "+3 R+2 R9 B1", [MANY], "+3"),
        ({"hit_all": 7, "keep_plus_3": 7}, "+3 R9 B1", [MANY], "R9"),
        ({"hit_all": 7, "keep_plus_3": 7}, "+3 R9 B1", [MANY, "Y1"], "+3"),  # the last seat has
        ({"miss": 7, "keep_turn": 5}, "R/ R9 B1", [MANY], "R9"),
        ({"miss": 7, "keep_turn": 5}, "R/ R9 B1", ["B1"], "R/"),
        ({"scarce": 5}, "R1 B5 B2 B3 B4 B6 B7 B8 B9", ["G1 G2 G3"], "B5"),  # few blue ones left
        ({"bluff": 5}, "+4 R1 B2", [MANY], "R1"),
        ({"bluff": 5, "hit": 10}, "+4 R1 B2", [MANY], "+4 R"),  # worth the risk
        ({"bluff": 99}, "+4 B2", [MANY], "+4 R"),  # no bluff
        ({"wait": 5}, "R9 B1", [MANY], "R9"),
        ({"wait": -5}, "R9 B1", [MANY], "draw"),
        ({"wait": -5}, "R9", [MANY], "R9"),  # whatever it weighs: the round is won
    ],
)
def test_tuned_weighs_each_term(weights, hand, others, chosen):
    assert tuned(table([hand, *others]), **weights) == chosen


def test_tuned_takes_a_fine_or_passes_it_on():
    game = table(["R+2 B3 B4", "G+2 R9 B1"]).do("R+2")
    assert tuned(game, keep_plus_2=5, wait=6) == "G+2"
    assert tuned(game, keep_plus_2=5, wait=4) == "draw"
    assert usual(game) == "G+2"


def test_tuned_lays_a_pollen_peak_on_a_fine_that_then_waits_for_the_next():
    game = table(["R+2 B3 B4", "+3 R9 B1"]).do("R+2")
    assert tuned(game, hit=3, keep_plus_3=1, wait=0) == "+3"
    assert tuned(game, keep_plus_3=1, wait=0) == "draw"


def test_tuned_lays_a_drawn_card_or_keeps_it():
    game = table(["B1 B2", MANY], deck="R7").do("draw")
    assert tuned(game, wait=5) == "R7"
    assert tuned(game, wait=-5) == "pass"


def test_tuned_names_the_colour_that_it_can_follow():
    assert tuned(table(["C G1 Y1", MANY]), follow=1) == "C G"
    assert usual(table(["C G1", MANY])) == "C G"
    dealing = table(["R1 R2", "G1 G2 G3 B1"], discard="C")
    assert tuned(dealing, follow=1) == "name G"
    assert usual(dealing) == "name G"


def test_tuned_gets_rid_of_points_before_the_limit_of_the_round():
    weights = {"cost": -1, "cost_late": 3, "limit": 1}
    assert tuned(table(["R3 R9 B1", MANY], turn_limit=500), **weights) == "R3"
    assert tuned(table(["R3 R9 B1", MANY], turn_limit=2), **weights) == "R9"


def test_tuned_doubts_a_plus_4_by_the_hand_behind_it():
    assert tuned(accused_table(1), liars=0.05) == "draw"
    assert tuned(accused_table(8), liars=0.05) == "liar"
    assert tuned(accused_table(8)) == "draw"  # who takes nobody for a liar


def test_tuned_clones_unless_mauve_cards_alone_would_be_left():
    assert usual(cloning_table("R1 B2 B3")) == "R1"
    assert tuned(cloning_table("R1 C"), trap=5, wait=1) == "pass"


def test_a_game_of_tuned_players_ends():
    game = Table(seed=1, num_players=2, rounds=1, turn_limit=60)
    while game.phase != "over":
        game.do(usual(game))
    assert max(game.scores) > 0
