"""Piles of cards on plain arrays; the next card of a pile, and the top of a discard, comes last."""

from cardcore.jit import kernel
from cardcore.rng import shuffle


@kernel
def fill_in_order(pile, n):
    """Lay out cards 0 to n - 1, as they come out of the box."""
    for card in range(n):
        pile[card] = card


@kernel
def lay_out(pile, cards):
    """Copy cards into a pile, as they come out of a box that has some of them more than once."""
    for place in range(cards.shape[0]):
        pile[place] = cards[place]


@kernel
def recycle(game, discard, n, pile):
    """Shuffle n discarded cards into an empty pile; who calls it sets both sizes."""
    for place in range(n):
        pile[place] = discard[place]
    shuffle(game, pile, n)
