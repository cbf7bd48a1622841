"""Chance is splitmix64, even and the same everywhere."""

import numpy as np
import pytest

from cardcore import rng
from cardcore.jit import JIT_ON

REFERENCE = [6457827717110365317, 3203168211198807973, 9817491932198370423]
N_DRAWS = 60_000 if JIT_ON else 3_000


def generator(seed):
    """A record that holds nothing but a generator."""
    return np.array([(seed,)], [("rng", np.uint64)]).view(np.recarray)[0]


def test_the_published_values_of_splitmix64():
    state = generator(1234567)
    assert [int(rng.next_word(state)) for _ in REFERENCE] == REFERENCE


@pytest.mark.parametrize("n", [1, 2, 6, 18, 72])
def test_below_is_in_range_and_even(n):
    state = generator(n)
    counts = np.bincount([rng.below(state, n) for _ in range(N_DRAWS)], minlength=n)
    assert counts.shape == (n,)
    assert np.abs(counts - N_DRAWS / n).max() <= 6 * np.sqrt(N_DRAWS / n)


def test_below_stays_even_where_a_plain_remainder_would_not():
    n = 3 * 2**30  # of 2**32 numbers: a third of the outcomes would come up twice as often
    state = generator(3)
    draws = np.array([rng.below(state, n) for _ in range(N_DRAWS)])
    assert draws.min() >= 0
    assert draws.max() < n
    thirds = np.bincount(draws * 3 // n, minlength=3)
    assert np.abs(thirds - N_DRAWS / 3).max() <= 6 * np.sqrt(N_DRAWS / 3)


@pytest.mark.parametrize("n", [0, 1, 2, 8, 72])
def test_a_shuffle_is_a_permutation_of_the_first_n(n):
    cards = np.arange(80, dtype=np.int8)
    rng.shuffle(generator(5), cards, n)
    assert sorted(cards[:n]) == list(range(n))
    assert cards[n:].tolist() == list(range(n, 80))
    assert n < 8 or cards[:n].tolist() != list(range(n))


def test_every_order_comes_up_equally_often():
    state, counts = generator(1), {}
    for _ in range(N_DRAWS // 3):
        cards = np.arange(3, dtype=np.int8)
        rng.shuffle(state, cards, 3)
        order = tuple(cards.tolist())
        counts[order] = counts.get(order, 0) + 1
    even = N_DRAWS / 18
    assert len(counts) == 6
    assert max(abs(count - even) for count in counts.values()) <= 6 * np.sqrt(even)


def test_streams_differ_by_word_and_by_key():
    words = {int(rng.substream(word, key)) for word in range(40) for key in range(40)}
    assert len(words) == 1600


def test_game_seeds_fit_a_signed_word():
    seeds = [int(rng.seed_in_stream(np.uint64(2**64 - 1), k)) for k in range(200)]
    assert len(set(seeds)) == 200
    assert min(seeds) >= 0
    assert max(seeds) > 2**62
