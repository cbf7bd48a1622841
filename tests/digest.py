"""Plays seeded games and prints a digest of all they show: run it with and without the compiler."""

import hashlib
import random

from tests.games import GAMES, all_seen, is_over, legal
from tests.plug import GameUnderTest

N_GAMES, MOST_STEPS = 3, 120


def digest(game: GameUnderTest) -> str:
    """A short name for everything that a few games show at every step."""
    found = hashlib.sha256()
    for seed in range(N_GAMES):
        env = game.env(game.tables[seed % len(game.tables)], **game.short)
        env.reset(seed=seed)
        chance = random.Random(seed)
        for _ in range(MOST_STEPS):
            found.update(all_seen(env))
            if is_over(env):
                break
            env.step(chance.choice(legal(env)))
    return found.hexdigest()


if __name__ == "__main__":
    for each in GAMES:
        print(each, digest(each))
