"""Sets of bits as bytes: the compiled pieces do what their plain Python says."""

import random

import numba
import numpy as np
import pytest

from cardcore.bits import (
    count_bits,
    first_bits,
    lowest_bit,
    nth_set,
    row_of,
    twice,
    word_of_row,
    write_bits,
)

N_ROW = 163
SOME_BITS = [random.Random(k).getrandbits(63) for k in range(20)]


def writer(n):
    """Writes n bits, a constant, to a place in a row."""

    @numba.njit
    def write(rows, i, at, bits):
        write_bits(row_of(rows, i), at, bits, n)

    return write


@numba.njit
def word(rows, i, n, k):
    """Word k of a row."""
    return word_of_row(row_of(rows, i), n, k)


@numba.njit
def counted(bits):
    """Bits that are set, and where the lowest lies."""
    return count_bits(bits), lowest_bit(bits)


@pytest.mark.parametrize("n", [1, 5, 8, 18, 24, 41, 56, 64])
def test_bits_are_written_where_they_belong_and_nowhere_else(n):
    write = writer(n)
    for bits in SOME_BITS:
        rows = np.full((3, 100), 7, np.int8)
        write(rows, 1, 20, bits)
        assert rows[1, 20 : 20 + n].tolist() == [bits >> k & 1 for k in range(n)]
        rows[1, 20 : 20 + n] = 7
        assert (rows == 7).all()


@pytest.mark.parametrize("n", [64, 65, 127, 128, N_ROW])
def test_words_of_a_row_are_its_bits(n):
    rows = np.random.default_rng(n).integers(0, 2, (2, n), np.int8)
    for i in range(2):
        for k in range(-(-n // 64)):
            wanted = sum(int(one) << j for j, one in enumerate(rows[i, 64 * k : 64 * k + 64]))
            assert word(rows, i, n, k) % 2**64 == wanted


@pytest.mark.parametrize("bits", SOME_BITS)
def test_set_bits_are_counted_and_found(bits):
    places = [k for k in range(64) if bits >> k & 1]
    assert counted(bits) == (len(places), places[0])
    assert [nth_set(bits, nth) for nth in range(len(places))] == places


@pytest.mark.parametrize("bits", [0, 1, 0x3FFFF, 0x2AAAA, 0x15555, 0x20001])
def test_twice_doubles_every_bit(bits):
    assert twice(bits) == sum(3 << 2 * k for k in range(18) if bits >> k & 1)


@pytest.mark.parametrize(("n", "bits"), [(-1, 0), (0, 0), (1, 1), (3, 7), (5, 31), (6, 31)])
def test_a_thermometer_stops_at_its_limit(n, bits):
    assert first_bits(n, 5) == bits
    assert first_bits(np.int8(n), 5) == bits
