"""Rewards that are changes of the odds of winning."""

import numpy as np
import pytest

from agents import aims
from agents.aims import SCORE, Winning, aim_to_win, play_rounds
from agents.players import find_player
from cardcore import VectorGames
from cardcore.scoring import win_shares
from tests.games import GAMES, each_game

AIM = Winning(rounds_left=(6.0, -0.5, -0.1), spread=8.0, scale=0.2)


def tuned_of(spec, seats):
    options = spec.checked(seats, {})
    return options, find_player("tuned", spec)(spec, options)


@pytest.mark.parametrize("n", [2, 3, 4, 6])
def test_odds_are_the_softmax_of_minus_the_totals(n):
    totals = np.array([[7.0, -10, 22, 40, 3, 18][:n]])
    left = 6 - 0.5 * 2 - 0.1 * totals.max()
    odds = np.exp(-totals / (8 * np.sqrt(left)))
    assert AIM.odds(totals, np.array([2])) == pytest.approx(odds / odds.sum())


@pytest.mark.parametrize(
    "numbers", [((6.0, np.nan, 0.0), 8.0, 0.2), ((6.0, 0, 0), 0.0), ((6.0, 0, 0), 8.0, np.inf)]
)
def test_aims_that_cannot_be_are_refused(numbers):
    with pytest.raises(ValueError, match="not finite, or no spread or scale"):
        Winning(*numbers)


def test_near_the_end_a_lead_is_worth_more():
    totals = np.array([[10.0, 14.0]] * 3)
    leads = AIM.odds(totals, np.array([1, 5, 50]))[:, 0]
    assert 0.5 < leads[0] < leads[1] < leads[2] < 1


@each_game
@pytest.mark.parametrize("seats", [2, 4])
def test_rewards_add_up_to_the_win_less_an_even_share(game, seats):
    """Whatever the odds are in between; and only the end of a round brings something."""
    games = VectorGames(game.spec, 8, num_players=seats, seed=3, **game.short)
    now, sums, n_games = games.reset(), np.zeros((8, seats)), 0
    for _ in range(250):
        round_no = games.games.round_no.copy()
        now = games.step(games.sample())
        rewards = AIM.rewards(games, now, round_no)
        ended = AIM.ended(games, now, round_no)
        assert (ended == (now.done | (games.games.round_no != round_no))).all()
        assert not rewards[~ended].any()
        sums += rewards * AIM.scale
        for lane in np.flatnonzero(now.done):
            wanted = win_shares(now.final_scores[lane]) - 1 / seats
            assert sums[lane] == pytest.approx(wanted, abs=1e-5)
            sums[lane], n_games = 0, n_games + 1
    assert n_games > 0


def test_a_low_score_is_the_games_own_reward():
    games = VectorGames(GAMES[0].spec, 2, seed=1)
    now, round_no = games.reset(), games.games.round_no.copy()
    assert SCORE.rewards(games, now, round_no) is now.rewards
    assert SCORE.ended(games, now, round_no) is now.done


@each_game
def test_rounds_are_those_of_whole_games(game):
    options, tuned = tuned_of(game.spec, 3)
    rounds = play_rounds(game.spec, options, tuned, 5, 9)
    assert sorted(rounds.game[rounds.over]) == [0, 1, 2, 3, 4]
    for k in range(5):
        mine = np.flatnonzero(rounds.game == k)
        assert rounds.played[mine].tolist() == list(range(1, len(mine) + 1))
        assert rounds.over[mine].tolist() == [False] * (len(mine) - 1) + [True]


@pytest.mark.compiled
@each_game
@pytest.mark.parametrize("seats", [2, 4])
def test_odds_are_fitted_to_the_wins_of_other_games(game, seats, monkeypatch):
    """Judged on deals of their own: no worse than odds that are twice as bold, or half."""
    monkeypatch.setattr(aims, "GAMES", 500)
    options, tuned = tuned_of(game.spec, seats)
    aim = aim_to_win(game.spec, options, tuned, 1)
    rounds = play_rounds(game.spec, options, tuned, 500, 2)
    last = np.flatnonzero(rounds.over)
    final = last[np.argsort(rounds.game[last])][rounds.game]
    wins, on = win_shares(rounds.totals[final]), ~rounds.over

    def fit(factor):
        odds = Winning(aim.rounds_left, aim.spread * factor).odds(rounds.totals, rounds.played)
        return (wins * np.log(odds))[on].sum(axis=1).mean()

    assert fit(1) > max(fit(0.5), fit(2), -np.log(seats))


@pytest.mark.compiled
def test_rounds_left_are_counted_where_their_number_is_fixed(monkeypatch):
    monkeypatch.setattr(aims, "GAMES", 200)
    bungee = next(game.spec for game in GAMES if game.spec.name == "bungee")
    aim = aim_to_win(bungee, *tuned_of(bungee, 4), 1)
    assert aim.rounds_left == pytest.approx((6, -1, 0), abs=1e-6)


@each_game
def test_a_round_is_worth_about_one(game, monkeypatch):
    """The standard deviation of rewards is 1 over the very games that the scale comes from."""
    monkeypatch.setattr(aims, "GAMES", 20)
    options, tuned = tuned_of(game.spec, 2)
    options = game.spec.checked(2, game.short)
    aim = aim_to_win(game.spec, options, tuned, 4)
    rounds = play_rounds(game.spec, options, tuned, 20, 4)
    paid = []
    for k in range(20):
        mine = np.flatnonzero(rounds.game == k)
        odds = aim.odds(rounds.totals[mine], rounds.played[mine])
        odds[-1] = win_shares(rounds.totals[mine[-1]])
        paid += np.diff(np.concatenate([[[0.5, 0.5]], odds]), axis=0).tolist()
    assert np.std(paid) == pytest.approx(aim.scale)
