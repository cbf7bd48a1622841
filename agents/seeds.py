"""Which seeds are for what: deals that a player was made on never judge it.

A command takes a small seed, which is counted from the start of the range that its purpose has;
only the search for weights is told its seed as it is.
"""

from cardcore.options import whole_number

PUBLISHED = range(0, 1_000_000)  # tables, reports, whatever is shown to people
TUNING = range(1_000_000, 2_000_000)  # the search for the weights of `tuned`
TRAINING = range(2_000_000, 3_000_000)  # games that networks learn from
CHOOSING = range(3_000_000, 4_000_000)  # evaluations that choose between checkpoints


def seed_for(purpose: range, seed: int) -> int:
    """The seed of this number within a range."""
    return purpose[whole_number("seed", seed, 0, len(purpose) - 1)]
