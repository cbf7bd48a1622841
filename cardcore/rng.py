"""Chance: splitmix64, its state one word in a record (the field `rng`), mostly a game's own."""

import numpy as np

from cardcore.jit import kernel, wrapping_kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)
FACTOR_2 = np.uint64(0x94D049BB133111EB)
SHIFT_30, SHIFT_27, SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)
SHIFT_32 = np.uint64(32)
LOW_32 = np.uint64(0xFFFFFFFF)
TWO_TO_32 = np.uint64(1 << 32)
SEED_BITS = np.uint64(2**63 - 1)  # game seeds are whole numbers that an int64 holds


@wrapping_kernel
def scramble(word):
    """The output function of splitmix64: every bit of the word moves every bit of the result."""
    word = (word ^ (word >> SHIFT_30)) * FACTOR_1
    word = (word ^ (word >> SHIFT_27)) * FACTOR_2
    return word ^ (word >> SHIFT_31)


@wrapping_kernel
def next_word(game):
    """Advance the generator and give its next 64 bits."""
    game.rng = game.rng + GOLDEN
    return scramble(game.rng)


@wrapping_kernel
def substream(word, key):
    """A stream of its own for each (word, key): starts a generator, or is keyed again."""
    return scramble(scramble(np.uint64(word) + GOLDEN) ^ (np.uint64(key) + np.uint64(1)) * FACTOR_2)


@kernel
def seed_in_stream(stream, k):
    """The k-th game seed of a stream."""
    return np.int64(substream(stream, k) & SEED_BITS)


@kernel
def below(game, n):
    """A whole number from 0 to n - 1, each exactly as likely (Lemire's method with rejection)."""
    bound = np.uint64(n)
    product = (next_word(game) >> SHIFT_32) * bound
    if product & LOW_32 < bound:
        uneven = (TWO_TO_32 - bound) % bound
        while product & LOW_32 < uneven:
            product = (next_word(game) >> SHIFT_32) * bound
    return np.int64(product >> SHIFT_32)


@kernel
def shuffle(game, cards, n):
    """Put the first n cards into a random order."""
    for last in range(n - 1, 0, -1):
        pick = below(game, last + 1)
        card = cards[pick]
        cards[pick] = cards[last]
        cards[last] = card
