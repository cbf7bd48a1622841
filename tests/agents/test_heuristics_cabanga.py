"""The two heuristic players of Cabanga at tables laid out by hand.

A term of the tuned player is tried alone or against one other: all weights are 0 but those named.
A card thrown at it always costs 1.
"""

import numpy as np
import pytest

from agents.heuristics import cabanga
from agents.heuristics.cabanga import CATCHERS, TERMS, Basic, Tuned
from cabanga_env import SPEC
from cabanga_env.actions import action_id
from cabanga_env.cards import COLOURS, N_VALUES
from tests.agents.asking import choice, choices
from tests.cabanga.table import table

OTHERS_HOLD = "V1 V2 V3 V4 V5 V6 V7 V8"  # an opponent who is nowhere near out


def basic(game):
    """What the casual player does here."""
    return choice(Basic(SPEC, game.env.options), game)


def tuned(game, **weights):
    """What the strong player does here if it minds nothing but this."""
    alone = np.zeros(len(TERMS))
    for name, weight in weights.items():
        alone[getattr(cabanga, name)] = weight
    return choice(Tuned(SPEC, game.env.options, weights=alone), game)


def usual(game):
    """What the strong player does here with its own weights."""
    return choice(Tuned(SPEC, game.env.options), game)


# Basic


@pytest.mark.parametrize(
    ("hand", "chosen"),
    [
        ("Y6 R9", "Y6 right"),  # 5 | 6 leaves no gap
        ("Y11 R9", "Y11 left"),  # 11 | 12
        ("Y8 R3", "R3 right"),  # 1 | 3 has one value inside, 5 | 8 two
        ("Y8 R9", "Y8 right"),
    ],
)
def test_basic_lays_where_the_gap_is_least(hand, chosen):
    assert basic(table([hand, OTHERS_HOLD], red=(1, 18), yellow=(5, 12))) == chosen


@pytest.mark.parametrize(
    ("hand", "chosen"),
    [
        ("Y13 R9", "R9 right"),  # a wide gap rather than the penalty
        ("Y13 Y18", "Y13 left"),  # there is no other colour
    ],
)
def test_basic_repeats_the_colour_only_when_it_must(hand, chosen):
    game = table(["Y5 B9", hand], red=(1, 18), yellow=(5, 12)).play("Y5 left")
    assert basic(game) == chosen


@pytest.mark.parametrize("player", [basic, usual])
def test_both_throw_everything_that_fits(player):
    game = table(["Y6 R1 R2", "Y7 Y9 Y13 B1 B2"], deck="B3 B4 B5", yellow=(5, 12)).play("Y6 left")
    thrown = []
    while game.phase == "throw":
        thrown.append(player(game))
        game.do(thrown[-1])
    assert thrown == ["throw 7", "throw 9"]


# Tuned: what comes back at once


def test_tuned_counts_the_cards_that_are_unseen_not_the_width_of_the_gap():
    gone = "Y13 Y14 Y15 Y16 Y17"  # the wide gap 12 | 18 is empty, 7 | 9 has the 8 in it
    game = table(["Y18 B9 B10", OTHERS_HOLD], discard=gone, blue=(7, 14), yellow=(12, 3))
    assert basic(game).startswith("B")
    assert tuned(game) == "Y18 right"


@pytest.mark.parametrize("recycled", ["Y", "B"])
def test_tuned_knows_that_cards_that_were_not_reshuffled_are_in_hands(recycled):
    game = table(["Y10 B9", "R3 R4 R5", OTHERS_HOLD], yellow=(7, 18), blue=(12, 3))
    seen = game.env.observe("player_0")
    row, mask = seen["observation"].copy(), seen["action_mask"]
    start = cabanga.RECYCLED + N_VALUES * COLOURS.index(recycled)
    row[start : start + N_VALUES] = 1
    player = Tuned(SPEC, game.env.options, weights=np.zeros(len(TERMS)))
    action = choices(player, row[None], mask[None])[0]
    assert game.env.action_name(int(action))[0] == recycled


@pytest.mark.parametrize(("colour", "chosen"), [(0.0, "Y13 left"), (9.0, "R3 right")])
def test_tuned_weighs_the_colour_penalty(colour, chosen):
    game = table(["Y5 B9", "Y13 R3"], red=(1, 18), yellow=(5, 12)).play("Y5 left")
    assert tuned(game, COLOUR=colour) == chosen


@pytest.mark.parametrize(
    ("before", "after", "chosen"),
    [
        ("B1 B2 B3 B4 B5", "V1 V2 V3 V4 V5", "R9 right"),
        ("B1 B2 B3 B4 B5 V1 V2 V3 V4", "V5", "Y13 left"),  # as many cards, but one is nearly out
    ],
)
def test_tuned_minds_throws_more_when_somebody_is_nearly_out(before, after, chosen):
    hands = [f"Y5 {before}", "Y13 R9", after]
    game = table(hands, red=(1, 18), yellow=(5, 12)).play("Y5 left")
    assert tuned(game, COLOUR=1.5, THROWN_LATE=2.0) == chosen


# Tuned: what is left


@pytest.mark.parametrize(("weight", "chosen"), [(0.5, "Y9"), (-0.5, "Y1")])
def test_tuned_weighs_the_points_it_is_rid_of(weight, chosen):
    gone = " ".join(f"Y{v}" for v in range(2, 18) if v != 9)
    game = table(["Y1 Y9", OTHERS_HOLD], discard=gone, yellow=(5, 12))
    assert tuned(game, POINTS=weight).split()[0] == chosen
    assert tuned(game, POINTS_LATE=weight).split()[0] == chosen


def test_tuned_uses_the_points_of_the_game_it_plays():
    gone = " ".join(f"Y{v}" for v in range(2, 18) if v != 9)
    points = [3] + [1] * 17
    game = table(["Y1 Y9", OTHERS_HOLD], discard=gone, yellow=(5, 12), points=points)
    assert tuned(game, POINTS=0.5).split()[0] == "Y1"


@pytest.mark.parametrize(("weight", "chosen"), [(0.5, "Y4 left"), (-0.5, "Y4 right")])
def test_tuned_leaves_the_top_that_its_next_card_needs(weight, chosen):
    game = table(["Y4 Y18", OTHERS_HOLD], yellow=(3, 5))  # the 18 lies nearer to a 5 than to a 4
    assert tuned(game, AHEAD=weight) == chosen


@pytest.mark.parametrize(("weight", "kept"), [(1.0, "Y9"), (-1.0, "Y5")])
def test_tuned_keeps_a_card_that_it_can_hope_to_throw(weight, kept):
    game = table(["Y5 Y9", OTHERS_HOLD], discard="Y2 Y3 Y4 Y6 Y7 Y8", yellow=(1, 3))
    laid = tuned(game, CATCH=weight).split()[0]  # beside a 5, whoever lays above 9 lets the 9 in
    assert {laid, kept} == {"Y5", "Y9"}


@pytest.mark.parametrize(
    ("left", "right", "mine", "catching"),
    [
        (5, 12, 14, [15, 16, 17, 18]),
        (5, 12, 3, [1, 2]),
        (5, 12, 7, [8]),  # 9 and up are laid beside the 12
        (5, 12, 5, []),
        (1, 1, 17, [18]),
    ],
)
def test_what_an_opponent_lays_so_that_a_card_of_mine_fits(left, right, mine, catching):
    sets = int(CATCHERS[left, right, mine])
    assert [value for value in range(1, 19) if sets >> (value - 1) & 1] == catching


def test_actions_are_named_as_the_game_names_them():
    assert cabanga.play_of(3, 6, 1) == action_id("Y6 right")
