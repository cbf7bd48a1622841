"""An encoding as data."""

import numpy as np
import pytest

from cardcore.blocks import Block, describe, markdown, places, starts

FLAGS = Block("flags", 3, "what is so", labels=("a", "b", "c"))
LEVELS = Block("levels", 6, "two numbers", steps=(1, 2, 5))
DIGITS = Block("digits", 8, "two places", digits=4)
ALL = (FLAGS, LEVELS, DIGITS)


def test_blocks_follow_one_another():
    assert starts(ALL) == [0, 3, 9, 17]
    assert starts(()) == [0]
    assert places(ALL) == {"flags": 0, "levels": 3, "digits": 9}


def test_a_vector_reads_as_words():
    vector = np.array([1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1], np.int8)
    assert describe(ALL, vector) == {"flags": ["a", "c"], "levels": [2, 0], "digits": [5, 8]}


def test_a_digit_beyond_a_byte_is_read():
    block = Block("wide", 8, "a number up to 255", digits=8)
    assert block.describe(np.ones(8, np.int8)) == 255


def test_counts_read_as_what_there_is():
    one = Block("hand", 6, "cards", steps=(1, 2), counted=("x", "y", "z"))
    two = Block("hands", 12, "cards of two", steps=(1, 2), counted=("x", "y", "z"))
    vector = np.array([1, 0, 0, 0, 1, 1], np.int8)
    assert one.describe(vector) == {"x": 1, "z": 2}
    assert two.describe(np.concatenate([vector * 0, vector])) == [{}, {"x": 1, "z": 2}]
    assert one.coding == "thermometer of each of 3 kinds 1 to 2"


def test_a_vector_of_another_size_is_refused():
    with pytest.raises(ValueError, match="17"):
        describe(ALL, np.zeros(16, np.int8))


@pytest.mark.parametrize(
    ("size", "coding"),
    [
        (3, {}),
        (3, {"labels": ("a", "b", "c"), "digits": 3}),
        (4, {"labels": ("a", "b", "c")}),
        (0, {"digits": 2}),
        (3, {"labels": ("a", "b", "c"), "counted": ("x",)}),
        (4, {"steps": (1, 2), "counted": ("x", "y", "z")}),
    ],
)
def test_a_block_that_does_not_fit_its_coding_is_refused(size, coding):
    with pytest.raises(ValueError, match="block 'odd'"):
        Block("odd", size, "", **coding)


def test_the_docs_table_names_places_and_coding():
    lines = markdown(ALL).splitlines()
    assert lines[2:] == [
        "| 0–2 | `flags` | flags | what is so |",
        "| 3–8 | `levels` | thermometer 1 to 5, uneven steps | two numbers |",
        "| 9–16 | `digits` | binary, 4 digits | two places |",
    ]
