"""What a learner is after: how what a step cost everybody becomes its reward.

`SCORE` is that of the games themselves, minus the score. `Winning` is after wins: a round is worth
what it does to the odds of winning the game, as the totals give them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from agents.match import close_ranks
from agents.players import Chance, Player, View, new_generators
from cardcore import GameSpec, VectorGames
from cardcore.scoring import win_shares
from cardcore.vector import Step

Floats = NDArray[np.float64]
Rewards = NDArray[np.float32]
Counts = NDArray[np.int32]

GAMES = 2000  # that show how totals become wins
LEAST_LEFT = 0.25  # rounds to come, where some are
SPREADS = np.geomspace(0.1, 10, 201)  # that are tried, in standard deviations of the totals


class Aim:
    """A low score: rewards are those of the games, and an episode is a game."""

    def rewards(self, games: VectorGames, step: Step, round_no: Counts) -> Rewards:
        """What each seat gets for a step out of rounds of these numbers.  # [n, seat]"""
        return step.rewards

    def ended(self, games: VectorGames, step: Step, round_no: Counts) -> NDArray[np.bool_]:
        """In which lanes a step out of rounds of these numbers ended an episode.  # [n]"""
        return step.done


SCORE = Aim()


@dataclass(frozen=True)
class Winning(Aim):
    """To win the game: rewards are changes of the odds of winning, and an episode is a round.

    The odds that totals give are the softmax of minus the totals, where `spread` times the root
    of the rounds that are left is worth a factor of e. They add up to the win that a seat gets in
    the end, less its even share.
    """

    rounds_left: tuple[float, float, float]  # at first, more by a round played, by a point on top
    spread: float  # points
    scale: float = 1.0  # change of the odds that makes one unit of reward

    def __post_init__(self) -> None:
        numbers = (*self.rounds_left, self.spread, self.scale)
        if not np.isfinite(numbers).all() or min(self.spread, self.scale) <= 0:
            raise ValueError(f"{self} has numbers that are not finite, or no spread or scale")

    def rewards(self, games: VectorGames, step: Step, round_no: Counts) -> Rewards:
        """What each seat gets for a step out of rounds of these numbers.  # [n, seat]"""
        found = np.zeros(step.rewards.shape, np.float32)
        ended = np.flatnonzero(self.ended(games, step, round_no))
        played, after = round_no[ended], totals_after(games, step, ended)
        before = self.odds(after + step.rewards[ended], played - 1)
        odds = self.odds(after, played)
        over = step.done[ended]
        odds[over] = win_shares(after[over])
        found[ended] = (odds - before) / self.scale
        return found

    def ended(self, games: VectorGames, step: Step, round_no: Counts) -> NDArray[np.bool_]:
        """In which lanes a step out of rounds of these numbers ended the round.  # [n]"""
        return step.done | (games.games.round_no != round_no)

    def odds(self, totals: Floats, played: Counts) -> Floats:
        """The odds of winning that totals give after so many rounds of a game.  # [n, seat]"""
        at_first, by_round, by_point = self.rounds_left
        left = at_first + by_round * played + by_point * totals.max(axis=1)
        reach = self.spread * np.sqrt(np.maximum(left, LEAST_LEFT))
        likes = (totals.min(axis=1, keepdims=True) - totals) / reach[:, None]
        odds = np.exp(likes)
        return odds / odds.sum(axis=1, keepdims=True)


def totals_after(games: VectorGames, step: Step, lanes: NDArray[np.int64]) -> Floats:
    """The totals after a step that ended a round or a game in these lanes.  # [lanes, seat]"""
    running = games.games.score[lanes, : games.num_players]
    over = step.done[lanes]
    return np.where(over[:, None], step.final_scores[lanes], running).astype(np.float64)


class Rounds(NamedTuple):
    """The rounds of some games, a row each."""

    game: NDArray[np.int64]
    played: Counts  # rounds of the game so far, this one included
    totals: Floats  # [round, seat] after it
    over: NDArray[np.bool_]  # whether the game ended with it


def play_rounds(
    spec: GameSpec, options: Mapping[str, Any], player: Player, n_games: int, seed: int
) -> Rounds:
    """Games in which one player has all seats, round by round."""
    games = VectorGames(spec, n_games, seed=seed, **options)
    now, game, rows = games.reset(), np.arange(n_games), []
    while len(game):
        round_no, chance = games.games.round_no.copy(), Chance(new_generators(len(game)))
        place = game * games.num_players + now.seat
        now = games.step(player.act(View(now.observation, now.mask, place, chance)))
        ended = np.flatnonzero(now.done | (games.games.round_no != round_no))
        ended = ended[np.argsort(game[ended])]
        totals = totals_after(games, now, ended)
        rows.append((game[ended], round_no[ended], totals, now.done[ended]))
        if now.done.any():
            stay = close_ranks(len(game), np.flatnonzero(now.done))
            game = game[stay]
            now = games.keep(stay) if len(stay) else now
    return Rounds(*map(np.concatenate, zip(*rows, strict=True)))


def aim_to_win(spec: GameSpec, options: Mapping[str, Any], player: Player, seed: int) -> Winning:
    """How totals become wins where one player has all seats; a round is worth about one."""
    rounds = play_rounds(spec, options, player, GAMES, seed)
    length, final = np.zeros((2, rounds.game.max() + 1), np.int64)
    length[rounds.game[rounds.over]] = rounds.played[rounds.over]
    final[rounds.game[rounds.over]] = np.flatnonzero(rounds.over)
    wins = win_shares(rounds.totals[final[rounds.game]])
    on = ~rounds.over
    played, totals = rounds.played[on], rounds.totals[on]
    known = np.stack([np.ones(len(played)), played, totals.max(axis=1)], axis=1)
    left = np.linalg.lstsq(known, length[rounds.game[on]] - played)[0]
    at_first, by_round, by_point = map(float, left)
    spreads = SPREADS * max(float(totals.std()) if len(totals) else 0.0, 1.0)
    aims = [Winning((at_first, by_round, by_point), float(spread)) for spread in spreads]
    fit = [(wins[on] * np.log(aim.odds(totals, played))).sum() for aim in aims]
    return scaled(aims[int(np.argmax(fit))], rounds)


def scaled(aim: Winning, rounds: Rounds) -> Winning:
    """The aim with rewards whose standard deviation over these rounds is 1."""
    odds = aim.odds(rounds.totals, rounds.played)
    odds[rounds.over] = win_shares(rounds.totals[rounds.over])
    order = np.lexsort((rounds.played, rounds.game))
    first = rounds.played[order] == 1
    before = np.where(first[:, None], 1 / odds.shape[1], np.roll(odds[order], 1, axis=0))
    return Winning(aim.rounds_left, aim.spread, float(np.std(odds[order] - before)))
