"""What no game owns: compiled kernels, chance, decks, scoring, encodings and faces of games."""

from cardcore.spec import GameSpec, find_game, game_names
from cardcore.vector import Step, VectorGames

__all__ = ["GameSpec", "Step", "VectorGames", "find_game", "game_names"]
