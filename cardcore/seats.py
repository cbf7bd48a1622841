"""Seats round a table, clockwise."""

from cardcore.jit import kernel


@kernel
def left_of(game, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < game.n_seats else 0


@kernel
def right_of(game, seat):
    """The next seat anticlockwise."""
    return seat - 1 if seat > 0 else game.n_seats - 1


@kernel
def places_from(game, seat, other):
    """How many places to the left of a seat another one sits, 0 if it is the same."""
    return int(other - seat if other >= seat else other - seat + game.n_seats)


@kernel
def to_the_left(game, seat, n):
    """The seat n places to the left, however often that goes round."""
    return (int(seat) + n) % int(game.n_seats)
