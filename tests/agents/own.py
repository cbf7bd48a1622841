"""Players as a user might write them, for the tests that name them on the command line."""

import numpy as np

from agents.players import Player, RandomPlayer


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


class Hoards(RandomPlayer):
    """Keeps all that it was shown as it was given, and chooses by what stands there now."""

    def __init__(self, spec, options):
        super().__init__(spec, options)
        self.kept = {}

    def begin(self, places):
        for place in places.tolist():
            self.kept[place] = []

    def act(self, view):
        actions = []
        for place, seen, mask in zip(*(view.place, view.observation, view.mask), strict=True):
            kept = self.kept[int(place)]
            legal = np.flatnonzero(mask)
            actions.append(legal[sum(int(row.sum()) for row in kept) % len(legal)])
            kept += [seen, mask]
        return np.array(actions)


class Scribbles(Player):
    """Allows itself everything."""

    def act(self, view):
        view.observation[:] = view.mask[:] = 1
        view.place[:] = 0
        return np.full(len(view.mask), view.mask.shape[1] - 1)


class Tidy(Scribbles):
    """Scribbles too, but on what it is told to leave alone when it has chosen."""

    def act(self, view):
        chosen = view.mask.argmax(axis=1)
        super().act(view)
        return chosen


class Garbled(Player):
    """Gives too few answers."""

    def act(self, view):
        return np.zeros(1) if len(view.mask) > 1 else np.zeros(2)


class Unmade(Player):
    """Cannot be made."""

    def __init__(self, spec, options):
        raise KeyError("a weight")

    act = LastLegal.act


class Breaks(Player):
    """Has a bug."""

    def act(self, view):
        raise IndexError("list index out of range")


class Forgets(LastLegal):
    """Has a bug where games begin."""

    def begin(self, places):
        raise ZeroDivisionError("by zero")


class Duck:
    """Acts, but derives from nothing."""

    act = LastLegal.act


def breaks(observation, mask):
    """A function with a bug."""
    return int("one")


NOT_A_PLAYER = 7
