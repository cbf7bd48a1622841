"""What the actions of Allergo would do, at tables laid out by hand."""

import numpy as np
import pytest

from agents.aspects import aspects_of, starts_of
from agents.aspects.allergo import ASPECTS, DOINGS
from agents.heuristics.allergo import TERMS, Tuned
from allergo_env import SPEC
from allergo_env.actions import DRAW, PASS
from tests.agents.asking import aspects, choices, positions
from tests.allergo.table import table

ALLERGO = aspects_of(SPEC)
BEGINS = starts_of(ASPECTS)
SIZES = {a.name: a.size for a in ASPECTS}
MANY = "B1 B2 B3 B4 B6 B7 B8"  # a hand that is nowhere near its end
LONG = 6  # the flag of a hand of 6 or more


def part(rows, name):
    """The numbers of one aspect, of one row or of many."""
    return rows[..., BEGINS[name] : BEGINS[name] + SIZES[name]]


def told(game, action, name):
    """What an aspect says of an action at this table."""
    return aspects(game, action)[name].round(3).tolist()


def flags(*places, n):
    """So many places, these being 1, counted from 1."""
    return [float(k + 1 in places) for k in range(n)]


@pytest.mark.parametrize(
    ("game", "action", "doing"),
    [
        (table(["R7 R~ R/ R+2 C +3 +4 B1", MANY]), "R7", "a number"),
        (table(["R7 R~ R/ R+2 C +3 +4 B1", MANY]), "R~", "~"),
        (table(["R7 R~ R/ R+2 C +3 +4 B1", MANY]), "R/", "/"),
        (table(["R7 R~ R/ R+2 C +3 +4 B1", MANY]), "R+2", "+2"),
        (table(["R7 R~ R/ R+2 C +3 +4 B1", MANY]), "C G", "C"),
        (table(["R7 R~ R/ R+2 C +3 +4 B1", MANY]), "+3", "+3"),
        (table(["R7 R~ R/ R+2 C +3 +4 B1", MANY]), "+4 Y", "+4"),
        (table(["R7 B1", MANY]), "draw", "draw"),
        (table(["R+2 B1", MANY]).do("R+2"), "draw", "take the fine"),
        (table(["+4 B1 B2", MANY]).do("+4 G"), "draw", "accept a +4"),
        (table(["+4 B1 B2", MANY]).do("+4 G"), "liar", "liar"),
        (table(["B1 B2", MANY], deck="R7").do("draw"), "pass", "keep the drawn card"),
        (table(["R1 B7", MANY], announce="ask").do("R1"), "pass", "keep silent"),
        (table(["R1 B7", MANY], announce="ask").do("R1"), "announce", "announce"),
        (table(["R1 B7", MANY], announce="ask").do("R1", "pass"), "pass", "let silence pass"),
        (table(["R1 B7", MANY], announce="ask").do("R1", "pass"), "denounce", "denounce"),
        (table(["R1 R2 R3", "R1 B2"], cloning=True).do("R1"), "pass", "not clone"),
        (table(["R1 R2", "G1 B1"], discard="C"), "name Y", "name a colour"),
    ],
)
def test_it_is_told_what_the_action_does(game, action, doing):
    assert told(game, action, "doing") == flags(DOINGS.index(doing) + 1, n=len(DOINGS))


@pytest.mark.parametrize(
    ("hand", "others", "action", "name", "numbers"),
    [
        ("R9 B1", ["B1 B2"], "R9", "cost", [0.18, 0.09, 0.001, 1]),  # 2 turns of 256 or more
        ("R9 B1", ["B1 B2"], "R9", "match", [1, 0, 0, 0]),
        ("R5 B1", ["B1 B2"], "R5", "match", [1, 1, 1, 0]),
        ("B5 B1", ["B1 B2"], "B5", "match", [0, 1, 0, 1]),
        ("R9 B1 C", [MANY], "R9", "size", flags(2, n=6)),
        ("R9 B1 C", [MANY], "draw", "count", [0.4, 0]),
        ("R9", [MANY], "R9", "count", [0, 1]),
        ("R9 B1 C", [MANY], "R9", "dearest", [1]),
        ("R9 B7 B/", [MANY], "R9", "dearest", [0.4]),
        ("R9 B7 B3", [MANY], "R9", "dearest", [0.14]),
        ("R9 B7 R3 G9", [MANY], "R9", "follow", [1, 1, 0, 0.667]),
        ("R9 B7", [MANY], "R9", "finish", [0]),
        ("B5 B7", [MANY], "B5", "finish", [1]),
        ("R9 C", [MANY], "R9", "trap", [1, 0]),
        ("R9 B1 C", [MANY], "R9", "trap", [0, 1]),
        ("R9 C +3 +4 +4", [MANY], "+4 R", "mauve", [0.5, 0.5, 0.5]),
        ("R9 B1 B2 G9", [MANY], "R9", "colours", [0.5, 0.667, 0]),
        ("R9 B1 B2 G9", [MANY], "R9", "same_kind", [0.333]),
        ("R+2 B+2 G~ R/", [MANY], "R/", "symbols", [1, 0.333]),
        ("R/ R7", [MANY], "R/", "again", [1, 1, 1]),  # only two seats
        ("R/ B7 B8", [MANY], "R/", "again", [1, 0, 0]),
        ("R/ B7 C", [MANY], "R/", "again", [1, 1, 0]),
        ("R~ R7", [MANY], "R~", "again", [0, 0, 0]),  # A6: the other seat is next all the same
        ("R/ R7", [MANY, MANY.replace("B", "G")], "R/", "again", [0, 0, 0]),
        ("R+2 R7", ["B1 B2"], "R+2", "draws", [0.2, 0.1, 0]),
        ("+4 R7", ["B1 B2"], "+4 G", "draws", [0.4, 0.2, 0]),
        ("R/ R7", ["B1 B2"], "R/", "lost", [1, 0.5]),
        ("R6 R7", ["B1 B2"], "R6", "lost", [0, 0]),
        ("+3 R7", [MANY, "Y1"], "+3", "all_draw", [1, 1]),
        ("R+2 B+2", [MANY], "R+2", "fine", [0.2, 1]),
        ("R+2 B2", [MANY], "draw", "fine", [0, 0]),
        ("R6 R~", [MANY, "Y1 Y2", "G1"], "R6", "next_size", [*flags(6, n=6), 0.143]),
        ("R6 R~", [MANY, "Y1 Y2", "G1"], "R~", "next_size", [*flags(1, n=6), 1]),
        ("R6 R~", [MANY, "Y1 Y2", "G1"], "R~", "after_next", [0, 1, 0.5]),
        ("R6 R~", [MANY, "Y1 Y2", "G1"], "R6", "before_me", [1, 1]),
        ("R6 R~", [MANY, "Y1 Y2", "G1"], "R~", "before_me", [0, 0.143]),
        ("R6 R~", [MANY, "Y1 Y2", "G1"], "R6", "shortest", [1, 0, 0, 1]),
        ("R6 R~ B1", [MANY], "R6", "ahead", [0.5]),
        # Of 104 coloured cards R5, R6 and B1 are seen; 26 red and 6 other sixes fit, R5, R6 gone.
        ("R6 B1", [MANY], "R6", "unseen", [0.297, 0.238]),
        # 113 unseen cards; 30 fit, and no mauve card may be the last one.
        ("R6 B1", ["B1"], "R6", "answer", [0.265, 0.265, 0.265]),
        # The next seat misses its turn, the one after it is asked: R/ is seen, not R6.
        ("R/ B1", ["B1", "Y1"], "R/", "answer", [0.265, 0.265, 0.265]),
        # A fine: of 8 +2 one is seen.
        ("R+2 B1", ["B1"], "R+2", "answer", [0.062, 0.062, 0.062]),
        ("B2 B1", [MANY], "draw", "drawn_fits", [0.381]),  # 31 coloured and 12 mauve of 113
        ("+4 R1", [MANY], "+4 R", "bluff", [1, 0.345]),  # 40 of the 116 cards fit at random
        ("+4 B1", [MANY], "+4 R", "bluff", [0, 0]),
    ],
)
def test_it_is_told_what_the_action_leaves(hand, others, action, name, numbers):
    assert told(table([hand, *others]), action, name) == pytest.approx(numbers, abs=0.001)


def test_points_left_are_told_alone_and_by_the_nearness_of_the_end():
    game = table(["R9 B1 C", "B1 B2"], turn_limit=8)
    assert told(game, "R9", "points") == pytest.approx([0.51, 0.255, 0.1275], abs=0.001)
    assert told(game, "R9", "limit") == [0.25]


def test_a_drawn_card_and_a_clone_are_told():
    assert told(table(["B1 B2", MANY], deck="R7").do("draw"), "R7", "late_play") == [1, 0]
    cloning = table(["R1 R2 R3", "R1 B2", MANY], cloning=True).do("R1")
    assert told(cloning, "R1", "late_play") == [0, 1]
    assert told(cloning, "R1", "again") == [1, 0, 0]  # its turn comes after the clone
    assert told(cloning, "pass", "size") == flags(2, n=6)


def test_a_doubt_is_told_by_the_hand_behind_the_plus_4():
    game = table(["+4 B1 B2", MANY]).do("+4 G")
    truth = (1 - 40 / 116) ** 2
    assert told(game, "liar", "doubt") == pytest.approx([truth, 0.2, (1 - truth) / 2], abs=0.001)
    assert told(game, "liar", "draws")[2] == pytest.approx(truth * 0.6, abs=0.001)
    assert told(game, "draw", "draws")[2] == pytest.approx(0.4)
    assert told(game, "draw", "size") == flags(LONG, n=6)


def test_a_hand_that_was_shown_is_known():
    hands = ["+4 B1 B2", "G1 G7 Y9", "G~ R4 R6"]  # seat 1 sees B1 B2, and is before seat 0 then
    game = table(hands, deck="Y1 Y2 Y3 Y4 Y6 Y7").do("+4 G", "liar", "G~")
    assert told(game, "G1", "shown") == [1, 1]
    assert told(game, "G1", "answer") == [1, 0.5, 0]
    assert told(game, "G7", "shown") == [1, 0]
    assert told(game, "G7", "answer") == [0, 0, 0]


def test_totals_are_told_against_the_others():
    game = table(["R9 B1 C", MANY, MANY.replace("B", "G")])
    assert told(game, "R9", "totals") == pytest.approx([0, 0, 0.102, 1], abs=0.001)


def tuned_worth(rows, action, w):
    """What the tuned player would pay for each action, far from the limit of the round."""
    doing = {name: part(rows, "doing")[:, k] for k, name in enumerate(DOINGS)}
    worth = w["cost"] * part(rows, "cost")[:, 0] * 50
    worth += w["cost_late"] * part(rows, "cost")[:, 1] * 50
    worth -= w["keep_captain"] * doing["C"] + w["keep_plus_3"] * doing["+3"]
    worth -= w["keep_plus_4"] * doing["+4"] + w["keep_plus_2"] * doing["+2"]
    worth -= w["keep_turn"] * (doing["~"] + doing["/"])
    worth += w["follow"] * part(rows, "follow")[:, 0] + w["finish"] * part(rows, "finish")[:, 0]
    worth -= w["trap"] * part(rows, "trap")[:, 0]
    worth += w["hit"] * part(rows, "draws")[:, 1] * 10 + w["miss"] * part(rows, "lost")[:, 1]
    worth += w["hit_all"] * part(rows, "all_draw")[:, 1] * 3
    worth += w["scarce"] * (1 - part(rows, "unseen")[:, 0])
    worth -= w["bluff"] * part(rows, "bluff")[:, 1]
    worth += 1000 * part(rows, "count")[:, 1]
    return np.where(action < DRAW, worth, -w["wait"])


@pytest.mark.parametrize("n_seats", [2, 4])
def test_the_tuned_player_is_a_weighing_of_aspects(n_seats):
    options = SPEC.checked(n_seats, {})
    group = 0 if n_seats == 2 else 1
    w = {name: found[group] for name, _, found in TERMS} | {"limit": 0.0}
    player = Tuned(SPEC, options, weights=list(w.values()))
    for observation, mask in positions(SPEC, options, 30, n=3):
        seen, allowed = (a.reshape(-1, a.shape[-1]) for a in (observation, mask))
        at_turn = allowed[:, DRAW] + allowed[:, PASS] > 0
        at_turn &= allowed[:, PASS + 1 :].sum(axis=1) == 0
        if not at_turn.any():
            continue
        seen, allowed = np.ascontiguousarray(seen[at_turn]), np.ascontiguousarray(allowed[at_turn])
        found = ALLERGO.choices(seen, allowed)
        worth = tuned_worth(found.aspects, found.action, w)
        for i, chosen in enumerate(choices(player, seen, allowed)):
            here = found.decision == i
            assert worth[here & (found.action == chosen)][0] >= worth[here].max() - 0.01
