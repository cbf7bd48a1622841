"""What the actions of Cabanga would do, at tables laid out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.agents.asking import aspects
from tests.cabanga.table import table

SIX = "R1 R2 R3 B1 B2 B3"  # an opponent who holds none of what is asked about
COLOURS = "RBVY"
ROWS = ("red", "blue", "violet", "yellow")


def told(game, action, name):
    """What an aspect says of an action: a number, or the places of its flags."""
    found = aspects(game, action)[name]
    return found.item() if len(found) == 1 else np.flatnonzero(found).tolist()


def share(unseen, held):
    """The chance that an unseen card is in a hand."""
    return held / unseen


def test_expected_throws_are_the_unseen_cards_in_the_gap():
    """Y6 beside 12: of 7 8 9 10 11 I hold the 9, and 6 of 69 unseen cards are in a hand."""
    game = table(["Y6 Y9 V1", SIX], yellow=(5, 12))
    chance = share(72 - 3, 6)
    assert told(game, "Y6 left", "throws") * 2 == pytest.approx(4 * chance)
    assert told(game, "Y6 left", "doubtful") * 4 == pytest.approx(4)
    assert told(game, "Y6 left", "sure") == 0
    assert told(game, "Y6 left", "spared") == pytest.approx((1 - chance) ** 4)
    assert told(game, "Y6 left", "throws_late") * 2 == pytest.approx(4 * chance / 6)
    assert told(game, "Y6 left", "gap_theirs") == [0, 1, 3, 4]  # 7 8 . 10 11
    assert told(game, "Y6 left", "gap_mine") == [2]
    assert told(game, "Y6 right", "throws") == 0  # 5 | 6 leaves no gap


def test_a_gap_downwards_is_counted_from_the_card_laid():
    game = table(["Y14 Y6 V1", SIX], yellow=(5, 12))
    assert told(game, "Y14 right", "gap_theirs") == [0, 1, 2, 3, 4, 5, 6]  # 13 to 7, the 6 is mine
    assert told(game, "Y14 right", "gap_mine") == [7]
    assert told(game, "Y14 right", "gap") * 17 == pytest.approx(9)


def test_a_repeated_colour_and_an_opening_are_told():
    game = table(["Y6 R9 V18", "V2 B5 B9"], yellow=(5, 12), violet=(1, 3))
    assert told(game, "R9 left", "opens") == 1
    game.play("Y6 right", "V2 left")
    assert told(game, "V18 left", "repeats") == 1
    assert told(game, "R9 left", "repeats") == 0
    assert told(game, "R9 left", "opens") == 0


def test_the_hand_that_is_left():
    game = table(["Y6 Y7 R9", "V1 B5 B9"], yellow=(5, 12))
    assert told(game, "Y6 left", "left") == [2]
    assert told(game, "Y6 left", "colours") == [2]
    assert told(game, "R9 left", "colours") == [1]
    assert told(game, "Y6 left", "kept_here") * 6 == pytest.approx(1)
    assert told(game, "Y6 left", "my_late") == pytest.approx(1 / 3)
    assert told(game, "Y6 left", "late") == pytest.approx(1 / 3)


@pytest.mark.parametrize(("card", "place"), [("Y9", 0), ("Y10", 0), ("Y1", 8), ("Y18", 8)])
def test_a_card_is_told_by_its_distance_from_the_middle(card, place):
    assert told(table([card + " V5", SIX]), card + " left", "middle") == [place]


def test_a_throw_and_a_pass_differ_in_what_is_kept():
    game = table(["Y6 R1", "Y8 Y15 R3"], yellow=(5, 12)).play("Y6 left")
    assert told(game, "throw 8", "kind") == [1]
    assert told(game, "pass", "kind") == [2]
    assert told(game, "throw 8", "left") == [2]
    assert told(game, "pass", "left") == [3]
    assert told(game, "throw 8", "kept_here") * 6 == pytest.approx(1)
    assert told(game, "pass", "middle") == []


def test_keeping_a_card_beside_the_tops_is_a_hope():
    """Beside 5 | 7 whoever lays a yellow card from 10 on lets me throw the 9."""
    game = table(["Y9 V5 V6", SIX], yellow=(5, 7))
    chance = share(72 - 3, 6)
    assert told(game, "V5 left", "catch_else") * 2 == pytest.approx(9 * chance)
    assert told(game, "Y9 left", "catch_before") * 2 == pytest.approx(9 * chance)
    assert told(game, "Y9 left", "catch_after") == 0


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(4)), st.booleans())
def test_colours_and_sides_do_not_matter(order, turned):
    """The same table in other colours, left and right exchanged: the same aspects."""
    tops = [(5, 12), (1, 18), (3, 14), (7, 16)]
    hand = [(0, 6), (0, 9), (1, 4), (2, 13)]
    side = "right" if turned else "left"

    def laid_out(order, turned):
        rows = {ROWS[order[k]]: pair[::-1] if turned else pair for k, pair in enumerate(tops)}
        cards = " ".join(f"{COLOURS[order[k]]}{value}" for k, value in hand)
        others = " ".join(f"{COLOURS[order[k]]}{value}" for k in range(4) for value in (2, 17))
        return table([cards, others], **rows)

    plain, other = laid_out(range(4), False), laid_out(order, turned)
    for k, value in hand:
        ours = aspects(plain, f"{COLOURS[k]}{value} left")
        theirs = aspects(other, f"{COLOURS[order[k]]}{value} {side}")
        for name, numbers in ours.items():
            assert numbers == pytest.approx(theirs[name], abs=1e-6), name
