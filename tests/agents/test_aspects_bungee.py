"""What the aspects of Bungee say at tables laid out by hand; the lucky card is mostly a 9."""

from collections import Counter

import numpy as np
import pytest

from agents.aspects import bungee
from bungee_env.cards import CODES, DECK
from tests.agents import asking
from tests.bungee.table import table

HIGH = "10 10 10 10 8"
BOX = Counter(CODES[kind] for kind in DECK)
MEANS = (  # aspects that are means over the draw, with the number that they are parts of
    ("points", 30),
    ("bungees", 3),
    ("cost", 30),
    ("cost_unready", 30),
    ("left", 30),
    ("rest", 30),
)


def aspects(game, words):
    """The aspects of one action by name, as numbers, or lists where one has places."""
    found = asking.aspects(game, words)
    return {name: row.item() if len(row) == 1 else row.tolist() for name, row in found.items()}


def at_most(values, name, steps, points):
    """The chance of at most so many points, out of an aspect with steps."""
    return values[name][steps.index(points)]


def worth(card, lucky):
    """What a card counts for a call."""
    return 0 if card in (lucky, "J") else int(card)


def left_and_rest(hand, lucky):
    """The points that the next dump leaves, and the two next."""
    sets = sorted(n * worth(card, lucky) for card, n in Counter(hand).items())
    return sum(sets[:-1]), sum(sets[:-2])


def readings(hand, lucky):
    """What `MEANS` are means of, for one hand."""
    points = sum(worth(card, lucky) for card in hand)
    bungees = hand.count("J") if lucky != "J" else 0
    price = points + 10 * bungees
    left, rest = left_and_rest(hand, lucky)
    return points, bungees, price, price if points > 5 else 0, left, rest


@pytest.mark.parametrize(
    ("hand", "played", "lucky"),
    [
        ("8 2", "8", "9"),
        ("10 1 J", "10", "9"),
        ("10 10 7 3 3", "10 10", "9"),
        ("10 10 7 3 3", "7", "3"),
        ("7 7 7 1", "1", "9"),
        ("2", "2", "2"),
        ("10 4 J", "10", "8"),
    ],
)
def test_a_draw_is_the_mean_over_all_unseen_cards(hand, played, lucky):
    cards = hand.split()
    kept = list((Counter(cards) - Counter(played.split())).elements())
    unseen = list((BOX - Counter([*cards, lucky, "5"])).elements())
    got = aspects(table([hand, HIGH], lucky=lucky, discard="5", deck="1"), f"play {played}")
    hands = [[*kept, card] for card in unseen]
    for (name, of), mean in zip(
        MEANS, np.mean([readings(one, lucky) for one in hands], axis=0), strict=True
    ):
        assert got[name] == pytest.approx(mean / of, abs=1e-5), name
    for name, which, steps in (
        ("points_at_most", 0, bungee.POINT_STEPS),
        ("left_at_most", 4, bungee.LEFT_STEPS),
        ("rest_at_most", 5, bungee.REST_STEPS),
    ):
        numbers = np.array([readings(one, lucky)[which] for one in hands])
        chances = [np.mean(numbers <= step) for step in steps]
        assert got[name] == pytest.approx(chances, abs=1e-5), name
    nexts = [left_and_rest(one, lucky)[0] + worth(card, lucky) for one in hands for card in unseen]
    chances = [np.mean(np.array(nexts) <= step) for step in bungee.LOW_STEPS]
    assert got["low_next_turn"] == pytest.approx(chances, abs=1e-5)


def test_a_card_taken_is_sure():
    got = aspects(table(["8 8 2", HIGH], discard="3", deck="1"), "take, play 8 8")
    assert got["way"] == [0, 1, 0, 0, 0]
    assert got["points"] * 30 == pytest.approx(5)
    assert got["points_at_most"] == [step >= 5 for step in bungee.POINT_STEPS]
    assert got["left"] * 30 == pytest.approx(2)
    assert got["rest"] == 0
    assert got["cards"] == [0, 0, 1, 0, 0, 0]
    assert got["kept_points"] * 30 == pytest.approx(2)
    assert got["shown_cards"] * 5 == pytest.approx(1)
    assert got["shown_points"] * 30 == pytest.approx(3)


def test_a_bungee_costs_ten_but_not_for_a_call():
    got = aspects(table(["8 J 2", HIGH], discard="1", deck="1"), "take, play 8")
    assert got["points"] * 30 == pytest.approx(3)
    assert got["cost"] * 30 == pytest.approx(13)
    assert got["cost_unready"] == 0
    assert got["bungees"] * 3 == pytest.approx(1)


def test_the_card_left_on_top_is_the_one_played_or_after_a_call_the_old_one():
    game = table(["3 2", "10 7"], discard="8", deck="1")
    played, called = aspects(game, "play 3"), aspects(game, "call")
    assert played["top_points"] == pytest.approx(0.3)
    assert called["top_points"] == pytest.approx(0.8)
    assert aspects(table(["9 2", HIGH], discard="8", deck="1"), "play 9")["top_free"] == 1


def test_the_next_seat_is_known_by_what_it_took():
    game = table(["10 7", "10 8 7"], discard="7", deck="1 2", starter=1).take("8")
    got = aspects(game, "play 7")
    assert got["top_known"] * 5 == pytest.approx(1)
    assert got["next_known"] * 5 == pytest.approx(1)
    assert got["next_points"] * 30 == pytest.approx(7)
    assert got["next_size"] * 5 == pytest.approx(3)


@pytest.mark.parametrize(
    ("n_sixes", "turns", "next_size", "again"),
    [(1, 2, 4, 0), (2, 1, 3, 0), (3, 0, 0, 1), (4, 3, 5, 0)],
)
def test_sixes_skip_seats(n_sixes, turns, next_size, again):
    hands = ["6 6 6 6 10", HIGH, "8 8 8 7", "7 7 7"]
    got = aspects(table(hands, deck="1 2"), "play " + " ".join(["6"] * n_sixes))
    assert got["skips"] * 5 == pytest.approx(n_sixes)
    assert got["turns"] * 4 == pytest.approx(turns)
    assert got["next_size"] * 5 == pytest.approx(next_size)
    assert got["again"] == again
    assert sum(got["sizes_to_come"]) * 3 == pytest.approx(turns)


def test_sixes_that_skip_the_first_caller_bring_another_turn():
    game = table(["3", "10 8 6"], discard="8", deck="1 2").call()
    skip, other = aspects(game, "play 6"), aspects(game, "play 8")
    assert (skip["skips_caller"], skip["again"], skip["round_over"]) == (1, 1, 0)
    assert (other["skips_caller"], other["again"], other["round_over"]) == (0, 0, 1)
    assert skip["lap"] == [1, 0, 0]


def test_a_call_is_judged_by_its_points_and_who_comes_after():
    got = aspects(table(["3 2", "10"], discard="8", deck="1"), "call")
    assert got["way"] == [0, 0, 0, 1, 0]
    assert got["points"] * 30 == pytest.approx(5)
    assert got["may_call"] == 1
    assert got["beats_callers"] == 1
    unseen = BOX - Counter(["3", "2", "8", "9"])
    low = sum(n for card, n in unseen.items() if worth(card, "9") <= 5) / unseen.total()
    beaten = min(1, 2 * low)  # it calls what it has, or what it draws instead
    assert got["beats_later"] == pytest.approx(1 - beaten, abs=1e-5)
    assert got["wins"] == pytest.approx(1 - beaten, abs=1e-5)
    assert got["lost"] * 30 == pytest.approx(5 * beaten, abs=1e-4)


@pytest.mark.parametrize(("top", "beats"), [("5", 1 / 6), ("1", 5 / 6), ("J", 1)])
def test_callers_may_have_all_points_from_0_to_5(top, beats):
    game = table(["4", "8 7"], discard=top, deck="10 10").call()
    got = aspects(table(["4", "8 9"], discard=top, deck="10 10").call(), "take, play 8")
    assert got["beats_callers"] == pytest.approx(beats)
    assert got["callers"] * 4 == pytest.approx(1)
    assert aspects(game, "take, play 8")["beats_callers"] == 0  # a 7 is too much for a call


def test_a_caller_has_at_least_the_cards_that_it_took():
    game = table(["10", "1 4 9"], discard="4", deck="9 10 10").take("10").play("1").call()
    got = aspects(game, "call")
    assert got["caller_least"] == pytest.approx(0.8)
    assert got["beats_callers"] == 1  # a tie goes to the later call


def test_a_standing_call_loses_ties_to_later_ones():
    hands = ["3", "4 9", "6 10 10"]
    game = table(hands, discard="8", deck="10 10 10").call().call().play("6")
    alone = aspects(game, "pass")
    assert (alone["stands"], alone["lost_ties"], alone["lap"]) == (1, 0, [1, 1, 0])
    assert alone["beats_callers"] == pytest.approx(2 / 6)  # a 4 or a 5
    hands = ["3", "4 9", "2 9", "6 10 10"]
    game = table(hands, discard="8", deck="10 10 10").call().call().call().play("6")
    later = aspects(game, "pass")
    assert later["lost_ties"] * 4 == pytest.approx(1)
    assert later["beats_callers"] == pytest.approx(2 / 6 * 1 / 6)  # and of the later caller a 5


def test_silence_wins_nothing():
    game = table(["1", "10 5", HIGH], discard="9", deck="1 2").call().take("10")
    call, silent = aspects(game, "call"), aspects(game, "pass")
    assert call["lap"] == [1, 0, 1]
    assert call["beats_callers"] == pytest.approx(1 / 6)
    assert silent["beats_callers"] == silent["wins"] == 0
    assert silent["lost"] * 30 == pytest.approx(5)


def test_a_swap_takes_the_bungee():
    game = table(["1 2 8", HIGH], lucky="J", deck="1 2", starter=1)
    swap, leave = aspects(game, "swap for 8"), aspects(game, "pass")
    assert swap["points"] * 30 == pytest.approx(3)
    assert swap["cost"] * 30 == pytest.approx(13)
    assert swap["shown_cards"] * 5 == pytest.approx(1)
    assert leave["cost"] * 30 == pytest.approx(11)


def test_totals_and_rounds():
    game = table(["3", "10 8 J"], discard="8", deck="1 2").call().play("8")
    first = game.env.observe(game.env.agent_selection)["action_mask"].argmax()
    row = aspects(game, game.env.action_name(int(first)))
    sign = 1 if game.asked[0] == 1 else -1  # seat 0 won: it has 10 less, seat 1 what it held
    assert sign * row["behind_best"] > 0
    assert row["behind_best"] == row["behind_mean"]
    assert row["rounds_left"] == pytest.approx(5 / 7)
