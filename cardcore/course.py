"""The course of a game as far as all games share it: where its chance comes from, when it begins.

Chance starts anew from (game seed, round), so no deal depends on what was played before.
"""

from cardcore.jit import kernel
from cardcore.rng import below, seed_in_stream, substream
from cardcore.scoring import clear_game

FIRST_SEAT, DEAL, RESHUFFLE = 0, 1, 2  # streams of chance; the last two anew in each round
N_STREAMS = 3


@kernel
def take_next_seed(game):
    """The next game of the sequence that this lane plays."""
    game.game_seed = seed_in_stream(game.stream, game.episode)


@kernel
def open_game(game):
    """A game of this seed begins, no round of it yet; gives the seat drawn to begin."""
    game.episode += 1
    clear_game(game)
    game.round_no = 0
    game.rng = substream(game.game_seed, FIRST_SEAT)
    return below(game, game.n_seats)


@kernel
def open_round(game):
    """The next round begins; chance is that of its deal."""
    game.round_no += 1
    game.turn_no = 0
    game.rng = substream(game.game_seed, N_STREAMS * game.round_no + DEAL)


@kernel
def deal_is_done(game):
    """From here on chance is that of this round's reshuffles."""
    game.rng = substream(game.game_seed, N_STREAMS * game.round_no + RESHUFFLE)
