"""The environment and a slow, obvious referee play the same game, and must agree at every step."""

from __future__ import annotations

import random
from collections import Counter
from types import ModuleType
from typing import Any

import numpy as np

from cardcore.rng import shuffle


class Match:
    """One game that the environment and the referee play alike, with the chance of the former.

    A subclass names the game and its referee, says how a deal is read from a snapshot, and may
    choose actions and count in `met` what must not be missed.
    """

    module: ModuleType  # the game, such as `cabanga_v0`
    referee_type: type[Any]  # called as (deal, reshuffle, num_players=..., **options)

    def __init__(
        self,
        seed: int,
        num_players: int,
        first_round: dict[str, Any] | None = None,
        **options: Any,
    ) -> None:
        self.met: Counter[str] = Counter()
        self.env = self.module.raw_env(num_players=num_players, **options)
        self.env.reset(seed=seed, options=first_round)
        self.first_round = first_round
        self.before = self.env.clone()
        self.referee = self.referee_type(
            self.deal, self.reshuffle, num_players=num_players, **options
        )

    # what differs by game

    def deal_from(self, table: dict[str, Any]) -> dict[str, Any]:
        """The deal, in the keys of `reset(options)`, of a round that nobody has played in yet."""
        raise NotImplementedError

    def choose(self, legal: list[int], chance: random.Random) -> int:
        """An action for random play."""
        return chance.choice(legal)

    # the chance of the environment

    def deal(self, number: int) -> dict[str, Any]:
        """The round as the environment has just dealt it."""
        if number == 1 and self.first_round:
            return self.first_round
        return self.deal_from(self.env.snapshot())

    def reshuffle(self, codes: list[str]) -> list[str]:
        """The order that the environment's generator gave these cards in this step."""
        self.met["reshuffle"] += 1
        places = np.arange(len(codes), dtype=np.int8)
        shuffle(self.before._game(), places, len(codes))
        return [codes[place] for place in reversed(places)]

    # the course of the game

    def step(self, action: int) -> None:
        """Both take the same action; a new round is dealt by the environment first."""
        self.before = self.env.clone()
        self.env.step(action)
        assert list(self.env.rewards.values()) == self.referee.step(action)

    def legal(self) -> list[int]:
        """What may be done, on which both agree, and so they do on the whole table."""
        assert self.env.snapshot() == self.referee.snapshot()
        if self.referee.to_act is None:
            assert all(self.env.terminations.values())
            return []
        agent = self.env.agent_selection
        assert agent == f"player_{self.referee.to_act}"
        legal = self.env.observe(agent)["action_mask"].nonzero()[0].tolist()
        assert legal == sorted(self.referee.legal())
        return list(legal)

    def play_out(self, chance: random.Random, most: int = 10_000) -> int:
        """Random actions to the end of the game, or as many as are wanted; how many there were."""
        n_steps = 0
        while n_steps < most and (legal := self.legal()):
            self.step(self.choose(legal, chance))
            n_steps += 1
        self.legal()
        return n_steps


def compare(match: type[Match], n_steps: int, num_players: int, **options: Any) -> Counter[str]:
    """Games one after the other for so many steps; what was met in them."""
    chance = random.Random(f"{num_players} {options}")
    met: Counter[str] = Counter()
    while n_steps > 0:
        game = match(chance.getrandbits(62), num_players, **options)
        n_steps -= game.play_out(chance, n_steps)
        met += game.met
    return met
