"""The box: 56 cards of eleven kinds, the values 1 to 10 and the Bungee card J; a kind is a card."""

import numpy as np

CODES = (*map(str, range(1, 11)), "J")
N_KINDS = len(CODES)
CARD_OF = {code: kind for kind, code in enumerate(CODES)}
COPIES = (5,) * 9 + (8, 3)  # how often the box has each kind
N_CARDS = sum(COPIES)
MOST_COPIES = max(COPIES)
DECK = np.repeat(np.arange(N_KINDS), COPIES).astype(np.int8)  # as it comes out of the box

SIX = CARD_OF["6"]  # skips a seat (B6)
BUNGEE = CARD_OF["J"]
BUNGEE_POINTS = 10  # what J costs who does not win (B5)
