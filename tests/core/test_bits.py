"""Sets of bits as bytes: the compiled pieces do what their plain Python says."""

import random

import numba
import numpy as np
import pytest

from cardcore.bits import (
    bytes_from,
    bytes_of,
    count_bits,
    first_bits,
    lowest_bit,
    nth_set,
    nth_set_by_halves,
    row_of,
    word_of_row,
    write_bits,
    write_counts,
    write_levels,
    write_sets,
    write_zeros,
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


@numba.njit
def compiled_nth_set(bits, nth):
    """The one that the machine is best at."""
    return nth_set(bits, nth)


def written(write, n, *args):
    """What is written to the middle of a row of sevens, if nothing else is."""
    rows = np.full((3, n + 40), 7, np.int8)
    write(rows, 1, 20, *args)
    found = rows[1, 20 : 20 + n].tolist()
    rows[1, 20 : 20 + n] = 7
    assert (rows == 7).all()
    return found


@pytest.mark.parametrize("n", [1, 5, 8, 18, 24, 41, 56, 64])
def test_bits_are_written_where_they_belong_and_nowhere_else(n):
    write = writer(n)
    for bits in SOME_BITS:
        assert written(write, n, bits) == [bits >> k & 1 for k in range(n)]


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
    for pick in (nth_set, compiled_nth_set, nth_set_by_halves):
        assert [pick(bits, nth) for nth in range(len(places))] == places


@pytest.mark.parametrize(("width", "times"), [(1, 1), (5, 3), (13, 1), (18, 1), (18, 2), (32, 1)])
def test_four_sets_are_written_side_by_side(width, times):
    @numba.njit
    def write(rows, i, at, low, high):
        write_sets(row_of(rows, i), at, low, high, width, times)

    for start in range(0, len(SOME_BITS), 4):
        sets = [bits % 2**width for bits in SOME_BITS[start : start + 4]]
        wanted = [one >> k & 1 for one in sets for k in range(width) for _ in range(times)]
        words = np.array(sets, np.uint32).view(np.int64)  # the first of two in the lower half
        assert written(write, len(wanted), *words) == wanted


@pytest.mark.parametrize(
    ("n", "width", "low", "step"),
    [(1, 1, 1, 1), (1, 56, 1, 1), (3, 5, 1, 1), (6, 8, 30, 10), (8, 18, 1, 1), (7, 4, 0, 85)],
)
def test_bytes_are_written_as_thermometers(n, width, low, step):
    @numba.njit
    def write(rows, i, at, levels):
        write_levels(row_of(rows, i), at, levels, n, width, low, step)

    for levels in [0, -1, *SOME_BITS, *(bits & 0x0F0F0F0F0F0F0F0F for bits in SOME_BITS)]:
        heights = [levels >> 8 * i & 255 for i in range(n)]
        wanted = [int(height >= low + step * k) for height in heights for k in range(width)]
        assert written(write, len(wanted), levels) == wanted


@pytest.mark.parametrize(("n", "width"), [(1, 1), (11, 5), (11, 8), (3, 2), (54, 2), (16, 4)])
def test_counts_are_written_as_thermometers(n, width):
    @numba.njit
    def write(rows, i, at, counts):
        write_counts(row_of(rows, i), at, row_of(counts, 1), n, width)

    counts = np.random.default_rng(n).integers(0, width + 2, (3, n), np.int8)
    wanted = [int(count > k) for count in counts[1].tolist() for k in range(width)]
    assert written(write, len(wanted), counts) == wanted


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 550])
def test_zeros_are_written_nowhere_else(n):
    @numba.njit
    def write(rows, i, at):
        write_zeros(row_of(rows, i), at, n)

    assert written(write, n) == [0] * n


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32])
@pytest.mark.parametrize("n", [1, 4, 6, 8])
def test_numbers_become_the_bytes_of_a_word(n, kind):
    @numba.njit
    def read(numbers):
        return bytes_of(numbers, n)

    numbers = np.array([[3, 0, 18, 127], [1, 2, 100, 50]], kind)
    if kind == np.int32:
        numbers[0] = 255, 256, 0, 10**6
    wanted = sum(min(one, 255) << 8 * i for i, one in enumerate(numbers.ravel()[:n].tolist()))
    assert read(numbers) % 2**64 == wanted


@pytest.mark.parametrize("n", [2, 3, 6])
def test_bytes_are_turned_to_begin_with_any_of_them(n):
    values = [7 + 40 * k for k in range(n)]
    word = sum(value << 8 * k for k, value in enumerate(values))
    word |= 70 << 8 * n  # what lies above them is left out
    for first in range(n):
        turned = values[first:] + values[:first]
        assert bytes_from(word, first, n) == sum(v << 8 * k for k, v in enumerate(turned))


@pytest.mark.parametrize(("n", "bits"), [(-1, 0), (0, 0), (1, 1), (3, 7), (5, 31), (6, 31)])
def test_a_thermometer_stops_at_its_limit(n, bits):
    assert first_bits(n, 5) == bits
    assert first_bits(np.int8(n), 5) == bits
