"""Players as a user might write them, for the tests that name them on the command line."""

import numpy as np

from agents.players import Player


def first_legal(observation, mask):
    """A plain function of one observation."""
    return int(mask.argmax())


def by_chance(observation, mask, number):
    """A plain function that wants a random number."""
    legal = np.flatnonzero(mask)
    return int(legal[int(number * len(legal))])


def cheat(observation, mask):
    """Somebody who does what is not allowed."""
    return int(mask.argmin())


class LastLegal(Player):
    """A class, batch first."""

    def act(self, view):
        return view.mask.shape[1] - 1 - view.mask[:, ::-1].argmax(axis=1)


class Remembers(Player):
    """Counts its decisions since the game began, and chooses by that number."""

    def __init__(self, spec, options):
        super().__init__(spec, options)
        self.seen = {}

    def begin(self, places):
        for place in places.tolist():
            self.seen[place] = 0

    def act(self, view):
        actions = []
        for place, mask in zip(view.place.tolist(), view.mask, strict=True):
            legal = np.flatnonzero(mask)
            actions.append(legal[self.seen[place] % len(legal)])
            self.seen[place] += 1
        return np.array(actions)


class Garbled(Player):
    """Gives too few answers."""

    def act(self, view):
        return np.zeros(1) if len(view.mask) > 1 else np.zeros(2)


NOT_A_PLAYER = 7
