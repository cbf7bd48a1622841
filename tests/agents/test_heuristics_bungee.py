"""The two heuristic players of Bungee at tables laid out by hand.

A term of the tuned player is tried alone or against one other: all weights are 0 but those named.
The lucky card is a 9 where a test does not say another.
"""

from collections import Counter

import pytest

from agents.heuristics.bungee import TERMS, Basic, Tuned
from bungee_env import SPEC
from bungee_env.cards import CODES, DECK
from tests.agents.asking import choice
from tests.bungee.table import table

NAMES = [name for name, *_ in TERMS]
HIGH = "10 10 10 10 8"  # an opponent who is nowhere near a call
LOW_CARDS = "1 1 1 1 1 2 2 2 2 2 3 3 3 3 3"


def basic(game):
    """What the casual player does here."""
    return choice(Basic(SPEC, game.env.options), game)


def tuned(game, **weights):
    """What the strong player does here if it minds nothing but this."""
    alone = [float(weights.pop(name, 0.0)) for name in NAMES]
    assert not weights, f"{weights} are no weights"
    return choice(Tuned(SPEC, game.env.options, weights=alone), game)


def usual(game):
    """What the strong player does here with its own weights."""
    return choice(Tuned(SPEC, game.env.options), game)


# Basic


@pytest.mark.parametrize(
    ("hand", "top", "chosen"),
    [
        ("10 7 4", "8", "play 10"),
        ("10 7 7 4", "8", "play 7 7"),
        ("10 7 4", "3", "take, play 10"),
        ("10 7 4", "4", "play 10"),
        ("10 7 4", "9", "take, play 10"),  # a 9 is lucky and counts nothing
        ("9 9 9 7", "8", "play 7"),
        ("3 2", "8", "call"),
    ],
)
def test_basic_dumps_the_dearest_set_takes_what_is_cheap_and_calls_at_once(hand, top, chosen):
    assert basic(table([hand, HIGH], discard=top, deck="1 2")) == chosen


def test_basic_takes_the_lucky_bungee_for_its_dearest_card():
    assert basic(table(["1 2 8", HIGH], lucky="J", deck="1 2", starter=1)) == "swap for 8"


def test_basic_calls_after_its_play_in_the_last_lap_and_stands_in_an_extra_one():
    game = table(["1 2", "10 1 2", "6 10 10"], discard="8", deck="1 2 3 4").call()
    assert basic(game.play("10")) == "call"
    assert basic(game.call().play("6")) == "pass"


# Tuned, while nobody has called: what the hand is worth after the play


@pytest.mark.parametrize(
    ("top", "gone", "lucky", "chosen"),
    [
        ("4", "", "9", "take, play 7 7"),
        ("5", "", "9", "play 7 7"),  # a draw brings 4.5 points in the mean
        ("5", LOW_CARDS, "9", "take, play 7 7"),  # without the low cards it brings more
        ("6", "", "6", "take, play 7 7"),
    ],
)
def test_tuned_compares_the_top_card_with_the_mean_of_all_unseen_ones(top, gone, lucky, chosen):
    game = table(["10 7 7", "8 8 8"], discard=f"{gone} {top}", lucky=lucky, deck="10 10")
    assert tuned(game, win=1, points=-0.001) == chosen


def test_tuned_knows_what_the_others_were_seen_to_take():
    seen = " ".join(
        (Counter(CODES[kind] for kind in DECK) - Counter("10 10 9 8 1 5".split())).elements()
    )
    hidden = table(["10 10", "8 1"], discard=f"{seen} 5")
    assert tuned(hidden, win=1, points=-0.001) == "play 10 10"  # an 8 or a 1
    known = table(["10 10", "8 5"], discard=f"{seen} 1", starter=1).take("5")
    assert tuned(known, win=1, points=-0.001) == "take, play 10 10"  # surely an 8


@pytest.mark.parametrize(("deck", "chosen"), [("10", "play 10"), ("", "take, play 10")])
def test_tuned_draws_from_what_was_shuffled_back(deck, chosen):
    game = table(["10 8", "7 1 8"], discard="10 10 10 10 10", deck=deck, starter=1).play("7")
    assert tuned(game, win=1, points=-0.001) == chosen  # there are but tens in the new pile


@pytest.mark.parametrize(("top", "chosen"), [("7", "take, play 8"), ("6", "play 8")])
def test_tuned_takes_a_card_that_makes_a_pair(top, chosen):
    game = table(["8 7 2", HIGH], discard=top, deck="1 2")
    assert tuned(game, win=1, next_dump=-0.5) == chosen


def test_tuned_looks_two_sets_ahead():
    game = table(["10 8 7 2", HIGH], discard="8", deck="1 2")
    assert tuned(game, win=1, second_dump=-0.5, points=-0.01) == "take, play 10"
    game = table(["10 8 7 2", HIGH], discard="6", deck="1 2")
    assert tuned(game, win=1, second_dump=-0.5, points=-0.01).startswith("play")


def test_tuned_would_rather_hold_few_cards():
    game = table(["10 4 4", HIGH], discard="8", deck="1 2")
    assert tuned(game, win=1, cards=-0.5).endswith("play 4 4")


def test_tuned_wants_to_be_ready_for_the_call():
    game = table(["8 2", HIGH], discard="1", deck="1 2")
    assert tuned(game, win=1, ready=1) == "take, play 8"


@pytest.mark.parametrize(("ready_points", "chosen"), [(0, "take, play 7"), (-1, "play 7")])
def test_tuned_minds_the_points_of_a_hand_that_is_ready(ready_points, chosen):
    game = table(["8 7", HIGH], lucky="8", discard="5", deck="1 2")
    assert tuned(game, win=1, ready=3, ready_points=ready_points) == chosen


@pytest.mark.parametrize(("n_seats", "chosen"), [(2, "play 6"), (3, "play 6 6"), (4, "play 6 6 6")])
def test_tuned_plays_as_many_sixes_as_bring_its_turn_back(n_seats, chosen):
    game = table(["6 6 6 10", *[HIGH, "8 8 8 7", "7 7 7 5"][: n_seats - 1]], deck="1 2")
    assert tuned(game, win=1, free_turn=1) == chosen
    assert tuned(game, win=1, turns=-1) == chosen


# Tuned: the call


def test_tuned_calls_at_once_if_it_trusts_its_points():
    game = table(["3 2", HIGH], discard="8", deck="1 2")
    assert tuned(game, win=10) == "call"
    assert tuned(game, win=10, beaten=1) != "call"
    assert tuned(game, win=10, beaten=1, call_now=20) == "call"


def test_tuned_fears_small_hands():
    def at(other):
        return table(["3 2", other], discard="8", deck="1 2")

    for other, chosen in (("10 10 10 10 8", True), ("10", False)):
        assert (tuned(at(other), win=10, beaten_cards=0.25) == "call") is chosen


def test_tuned_fears_to_be_beaten_the_more_points_it_shows():
    def at(mine):
        return table([mine, HIGH], discard="8", deck="1 2")

    for mine, chosen in (("1 9", True), ("5 9", False)):
        assert (tuned(at(mine), win=10, beaten_points=0.2) == "call") is chosen


@pytest.mark.parametrize(
    ("mine", "other", "chosen"),
    [
        ("5 9", "10 10 10 10 8", "call"),
        ("5 9", "10 10 8", "play 5"),
        ("2 9", "10 10 8", "call"),
        ("2 9", "10", "play 2"),
    ],
)
def test_tuned_waits_with_five_points_against_a_small_hand(mine, other, chosen):
    assert usual(table([mine, other], discard="8", deck="1 2")) == chosen


# Tuned: the last play


def test_tuned_gets_rid_of_a_bungee_when_it_cannot_win():
    game = table(["1 2", "J 8 7"], discard="8", deck="10 10").call()
    assert basic(game) == "play 8"
    assert usual(game) == "play J"


def test_tuned_keeps_a_bungee_that_wins():
    game = table(["5", "J 8"], discard="1", deck="10 10").call()
    assert usual(game) == "take, play 8"
    assert usual(game.take("8")) == "call"


def test_tuned_reads_a_caller_by_the_cards_it_took():
    hidden = table(["4", "4 9 9"], discard="1", deck="10 10").call()
    assert tuned(hidden, win=10, caller_low=1) == "take, play 4"
    known = table(["10", "1 4 9"], discard="4", deck="9 10 10").take("10").play("1").call()
    assert tuned(known, win=10, caller_low=1) == "call"  # a tie goes to the later call


@pytest.mark.parametrize(("beaten", "chosen"), [(1.0, "take, play 6"), (0.0, "take, play 4")])
def test_tuned_skips_those_who_could_beat_it_in_the_lap(beaten, chosen):
    hands = ["3", "6 4", HIGH]
    game = table(hands, lucky="6", discard="1", deck="1 2").call()
    assert tuned(game, win=10, beaten=beaten, caller_low=0.1) == chosen


@pytest.mark.parametrize(("extra_turn", "chosen"), [(0.0, "10"), (99.0, "6")])
def test_tuned_skips_the_caller_for_another_turn(extra_turn, chosen):
    game = table(["3", "10 8 6"], discard="8", deck="1 2").call()
    assert tuned(game, win=10, extra_turn=extra_turn).endswith(f"play {chosen}")


def test_tuned_always_calls_after_a_play():
    game = table(["1", "10 5", HIGH], discard="9", deck="1 2").call().take("10")
    assert usual(game) == "call"


@pytest.mark.parametrize(("caller_low", "chosen"), [(0.0, "pass"), (1.2, "play 5")])
def test_tuned_stands_in_an_extra_lap_unless_its_call_is_likely_lost(caller_low, chosen):
    game = table(["3", "5 9", "6 10 10"], discard="8", deck="10 10 10").call().call().play("6")
    assert game.asked == (1, "turn")
    assert tuned(game, win=10, caller_low=caller_low) == chosen


# Tuned: the lucky bungee


def test_tuned_takes_the_lucky_bungee_for_its_dearest_card():
    assert usual(table(["1 2 8", HIGH], lucky="J", deck="1 2", starter=1)) == "swap for 8"


def test_tuned_leaves_the_lucky_bungee_if_it_would_not_better_the_hand():
    assert usual(table(["J J", HIGH], lucky="J", deck="1 2", starter=1)) == "pass"


# Both


@pytest.mark.parametrize("player", [basic, usual])
def test_both_call_with_an_empty_hand(player):
    game = table(["8", HIGH]).play("8", "10")
    assert game.hand(0) == ""
    assert player(game) == "call"
