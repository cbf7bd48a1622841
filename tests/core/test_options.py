"""Options as data."""

import numpy as np
import pytest

from cardcore.options import Number, Numbers, check_options, whole_number

TARGET = Number("target", 18, 1, 99, "the end")
LIMIT = Number("limit", None, 1, 9, "rounds")
POINTS = Numbers("points", (1, 2, 3), 1, 3, "costs")
ALL = (TARGET, LIMIT, POINTS)


def test_defaults_fill_what_was_not_given():
    assert check_options(ALL, {}, "g") == {"target": 18, "limit": None, "points": (1, 2, 3)}
    given = {"limit": np.int8(3), "points": np.array([3, 3, 3])}
    assert check_options(ALL, given, "g") == {"target": 18, "limit": 3, "points": (3, 3, 3)}


def test_checked_numbers_are_plain_ints():
    assert type(whole_number("n", np.int64(3), 0, 5)) is int
    assert all(type(one) is int for one in POINTS.check(np.array([1, 1, 1])))


@pytest.mark.parametrize(
    ("given", "error", "match"),
    [
        ({"target": 0}, ValueError, "target must be from 1 to 99, not 0"),
        ({"target": 100}, ValueError, "target"),
        ({"target": None}, TypeError, "target"),
        ({"target": True}, TypeError, "target"),
        ({"limit": 2.0}, TypeError, "limit"),
        ({"points": (1, 2)}, ValueError, "points"),
        ({"points": (1, 2, 4)}, ValueError, r"points\[2\]"),
        ({"points": "123"}, TypeError, "points"),
        ({"points": {1: 1, 2: 2, 3: 3}}, TypeError, "points"),
        ({"points": (1, 2, "3")}, TypeError, r"points\[2\]"),
        ({"speed": 1}, TypeError, "speed"),
    ],
)
def test_what_is_wrong_is_named(given, error, match):
    with pytest.raises(error, match=match):
        check_options(ALL, given, "g")


def test_what_is_allowed_in_words():
    assert [option.allowed for option in ALL] == ["1–99", "1–9 or None", "3 numbers of 1–3"]
