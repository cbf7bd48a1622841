"""The box: thirteen kinds in four colours and three mauve cards; equal cards share a number."""

import numpy as np

COLOURS = "RBGY"  # red, blue, green, yellow
COLOUR_NAMES = ("red", "blue", "green", "yellow")
N_COLOURS = len(COLOURS)
KINDS = (*map(str, range(10)), "~", "/", "+2")  # numbers, change direction, miss a turn, fine
N_KINDS = len(KINDS)
N_NUMBERS = 10
REVERSE, SKIP, PLUS_2 = range(N_NUMBERS, N_KINDS)  # kinds

N_COLOURED = N_COLOURS * N_KINDS  # card = colour * N_KINDS + kind
CAPTAIN, PLUS_3, PLUS_4 = range(N_COLOURED, N_COLOURED + 3)  # mauve cards
CODES = (*(colour + kind for colour in COLOURS for kind in KINDS), "C", "+3", "+4")
N_CODES = len(CODES)
CARD_OF = {code: card for card, code in enumerate(CODES)}

DEFAULT_COPIES = (2,) * N_COLOURED + (4, 4, 4)
MOST_COPIES = 4  # that an owner of another box can ask for
MOST_CARDS = MOST_COPIES * N_CODES

NUMBER_COSTS, SYMBOL_COST, MAUVE_COST = tuple(range(N_NUMBERS)), 20, 50
COSTS = np.array(
    [*(*NUMBER_COSTS, *(SYMBOL_COST,) * (N_KINDS - N_NUMBERS)) * N_COLOURS, *(MAUVE_COST,) * 3]
)  # A3

# Sets of cards as bits, one a card number.
OF_COLOUR = np.array([((1 << N_KINDS) - 1) << N_KINDS * colour for colour in range(N_COLOURS)])
OF_KIND = np.array(
    [sum(1 << N_KINDS * colour + kind for colour in range(N_COLOURS)) for kind in range(N_KINDS)]
)
MAUVE = 1 << CAPTAIN | 1 << PLUS_3 | 1 << PLUS_4
