"""The box: 72 number cards in four colours, and eight start cards that belong to no colour."""

COLOURS = "RBVY"  # red, blue, violet, yellow
COLOUR_NAMES = ("red", "blue", "violet", "yellow")
N_COLOURS = len(COLOURS)
N_VALUES = 18  # 1 to 18 in each colour
N_CARDS = N_COLOURS * N_VALUES
START_CARDS = (1, 3, 5, 7, 12, 14, 16, 18)

CODES = tuple(f"{colour}{value}" for colour in COLOURS for value in range(1, N_VALUES + 1))
CARD_OF = {code: card for card, code in enumerate(CODES)}  # card = colour * N_VALUES + value - 1
COPIES = (1,) * N_CARDS  # how often the box has each card

DEFAULT_POINTS = (1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 2, 1, 1, 1)  # C9, values 1 to 18
