"""What a learner is after: how what a step cost everybody becomes its reward."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.players import Chance, Player, View, new_generators
from cardcore import GameSpec, VectorGames
from cardcore.scoring import win_shares
from cardcore.vector import Step

Floats = NDArray[np.float32]

LANES = 512
GAMES = 10_000  # from whose rounds the odds of winning are learned
EPISODES = 4000  # that show how much rewards differ
SOME_ROUNDS = 10  # that make one unit
HIDDEN = 32
PASSES, BATCH, RATE = 4, 256, 0.01


class Aim:
    """Minus the score, the reward of the games themselves; an episode is a game."""

    def rewards(self, games: VectorGames, step: Step, round_no: NDArray[np.int32]) -> Floats:
        """What each seat gets for a step from rounds of these numbers.  # [n, seat]"""
        return step.rewards

    def ended(self, games: VectorGames, step: Step, round_no: NDArray[np.int32]) -> NDArray[Any]:
        """In which lanes the step ended an episode.  # [n]"""
        return step.done


SCORE = Aim()


class ToWin(Aim):
    """The change of the odds of winning that a round brings each seat; an episode is a round.

    The rewards of a game add up to what a seat won of it, less the even share it began with. They
    are paid round by round, which is as good as at the end and far less left to luck.
    """

    def __init__(self, odds: Odds, scale: float = 1.0) -> None:
        self.odds = odds
        self.scale = scale  # a change of the odds that makes one unit of reward

    def rewards(self, games: VectorGames, step: Step, round_no: NDArray[np.int32]) -> Floats:
        """What each seat gets for a step from rounds of these numbers.  # [n, seat]"""
        out = np.zeros_like(step.rewards)
        rows = np.flatnonzero(self.ended(games, step, round_no))
        if len(rows):
            done, played = step.done[rows], round_no[rows]
            totals = games.games.score[rows, : out.shape[1]].astype(np.float32)
            totals[done] = step.final_scores[rows[done]]
            after = self.odds.of(totals, played)
            after[done] = win_shares(totals[done])
            before = self.odds.of(totals + step.rewards[rows], played - 1)
            out[rows] = (after - before) / np.float32(self.scale)
        return out

    def ended(self, games: VectorGames, step: Step, round_no: NDArray[np.int32]) -> NDArray[Any]:
        """In which lanes the step ended an episode.  # [n]"""
        return step.done | (games.games.round_no != round_no)


class Odds(NamedTuple):
    """A small network that guesses from the totals who will win: one hidden layer."""

    unit: Floats  # [1] points that make one unit of its inputs
    weight_1: Floats
    bias_1: Floats
    weight_2: Floats
    bias_2: Floats

    def of(self, totals: NDArray[Any], played: NDArray[Any]) -> Floats:
        """The odds of each seat with these totals after so many rounds.  # [n, seat]"""
        seen = inputs(totals, played, self.unit)
        hidden = np.maximum(seen @ self.weight_1 + self.bias_1, 0)
        guess = 1 / (1 + np.exp(-(hidden @ self.weight_2 + self.bias_2)[..., 0]))
        return guess / guess.sum(axis=1, keepdims=True)


def inputs(totals: NDArray[Any], played: NDArray[Any], unit: Floats) -> Floats:
    """Each seat's own total, the others' in order, and the rounds.  # [n, seat, seat + 1]"""
    n_seats = totals.shape[1]
    rounds = played[:, None] / SOME_ROUNDS
    rows = []
    for seat in range(n_seats):
        others = np.sort(np.delete(totals, seat, axis=1), axis=1)
        rows.append(np.concatenate([totals[:, [seat]] / unit, others / unit, rounds], axis=1))
    return np.stack(rows, axis=1).astype(np.float32)


def learn_odds(spec: GameSpec, options: Mapping[str, Any], player: Player, seed: int) -> Odds:
    """The odds of winning by totals, from many games of one player at all seats."""
    totals, played, wins = _rounds(spec, options, player, seed)
    unit = np.array([max(totals.std(), 1.0)], np.float32)
    seen, wanted = inputs(totals, played, unit), wins.reshape(-1, 1)
    seen = seen.reshape(-1, seen.shape[2])
    chance = np.random.default_rng(seed)
    sizes = (seen.shape[1], HIDDEN, 1)
    weights = [
        (chance.normal(size=(a, b)) * np.sqrt(2 / a)).astype(np.float32) for a, b in pairwise(sizes)
    ]
    values = [weights[0], np.zeros(HIDDEN, np.float32), weights[1], np.zeros(1, np.float32)]
    moments = [(np.zeros_like(value), np.zeros_like(value)) for value in values]
    n_steps = PASSES * len(seen) // BATCH
    for step in range(n_steps):
        rows = chance.integers(len(seen), size=BATCH)
        rate = RATE * (1 - step / n_steps)
        for value, (mean, square), slope in zip(
            values, moments, _slopes(values, seen[rows], wanted[rows]), strict=True
        ):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            unbiased = np.sqrt(square / (1 - 0.999 ** (step + 1)))
            value -= rate * mean / (1 - 0.9 ** (step + 1)) / (unbiased + 1e-8)
    return Odds(unit, *values)


def _slopes(values: list[Floats], seen: Floats, wanted: Floats) -> list[Floats]:
    """The gradient of the log loss of a guess."""
    weight_1, bias_1, weight_2, bias_2 = values
    hidden = np.maximum(seen @ weight_1 + bias_1, 0)
    wrong = (1 / (1 + np.exp(-(hidden @ weight_2 + bias_2))) - wanted) / len(seen)
    back = (wrong @ weight_2.T) * (hidden > 0)
    return [seen.T @ back, back.sum(axis=0), hidden.T @ wrong, wrong.sum(axis=0)]


def _rounds(
    spec: GameSpec, options: Mapping[str, Any], player: Player, seed: int
) -> tuple[Floats, NDArray[np.int64], Floats]:
    """Totals, how many rounds they are of, and who won in the end.  # [m, seat], [m], [m, seat]"""
    games = VectorGames(spec, LANES, seed=seed, **options)
    now, chance = games.reset(), Chance(new_generators(LANES))
    n_seats = games.num_players
    sheets: list[list[Floats]] = [[np.zeros(n_seats, np.float32)] for _ in range(LANES)]
    totals: list[Floats] = []
    played: list[int] = []
    wins: list[Floats] = []
    ended: list[int] = []
    while len(ended) < GAMES:
        round_no = games.games.round_no.copy()
        place = np.arange(LANES) * n_seats + now.seat
        now = games.step(player.act(View(now.observation, now.mask, place, chance)))
        for lane in np.flatnonzero(now.done):
            ended.append(int(lane))
            totals += sheets[lane]
            played += range(len(sheets[lane]))
            wins += [win_shares(now.final_scores[lane]).astype(np.float32)] * len(sheets[lane])
            sheets[lane] = [np.zeros(n_seats, np.float32)]
        for lane in np.flatnonzero((games.games.round_no != round_no) & ~now.done):
            sheets[lane].append(games.games.score[lane, :n_seats].astype(np.float32))
    return np.array(totals), np.array(played), np.array(wins)


def natural_scale(
    spec: GameSpec, options: Mapping[str, Any], aim: Aim, player: Player, seed: int
) -> float:
    """The standard deviation of what an episode brings a seat when one player has all seats."""
    games = VectorGames(spec, LANES, seed=seed, **options)
    now, chance = games.reset(), Chance(new_generators(LANES))
    paid: list[Floats] = []
    while len(paid) < EPISODES:
        round_no = games.games.round_no.copy()
        place = np.arange(LANES) * games.num_players + now.seat
        now = games.step(player.act(View(now.observation, now.mask, place, chance)))
        paid += list(aim.rewards(games, now, round_no)[aim.ended(games, now, round_no)])
    return float(np.std(np.array(paid)))
