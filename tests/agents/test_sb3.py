"""The batch as SB3 sees it: what is stored is what was acted on, and nobody's points are lost."""

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported

from agents.aims import SCORE, Aim, Winning
from agents.match import Entrant
from agents.players import PlayerError, RandomPlayer, find_player, maker_of
from agents.sb3 import AllSeats, LearnerSeat, SeatBuffer
from cardcore import VectorGames
from cardcore.scoring import win_shares
from tests.agents.own import cheat
from tests.agents.test_returns import obvious
from tests.games import GAMES, each_game

RANDOM = Entrant("random", RandomPlayer)

BY_ROUND = Winning(rounds_left=(4.0, -0.5, 0.0), spread=30.0, scale=0.5)


class Recorded(AllSeats):
    """Keeps copies of all that it showed and did."""

    def reset(self):
        seen = super().reset()
        self.seen, self.masks, self.steps = [seen.copy()], [self.now.mask.copy()], []
        return seen

    def step_wait(self):
        out = super().step_wait()
        self.seen.append(out[0].copy())
        self.masks.append(self.now.mask.copy())
        moved = self.moved
        self.steps.append((moved.seat.copy(), moved.rewards.copy(), moved.done.copy()))
        return out


def learner(env, n_steps, **more):
    return MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=n_steps,
        batch_size=64,
        n_epochs=1,
        rollout_buffer_class=SeatBuffer,
        rollout_buffer_kwargs={"source": env},
        policy_kwargs={"net_arch": [8]},
        seed=1,
        device="cpu",
        **more,
    )


@each_game
@pytest.mark.parametrize("seats", [2, 5])
def test_the_buffer_holds_what_was_acted_on_and_what_came_of_it(game, seats):
    n_steps, gamma, lam = 60, 0.98, 0.9
    env = Recorded(VectorGames(game.spec, 3, num_players=seats, seed=4), BY_ROUND)
    model = learner(env, n_steps, gamma=gamma, gae_lambda=lam)
    model.learn(n_steps * 3)
    buffer = model.rollout_buffer
    assert (buffer.observations == np.array(env.seen[:n_steps])).all()
    assert (buffer.action_masks == np.array(env.masks[:n_steps])).all()
    assert (np.take_along_axis(buffer.action_masks, buffer.actions, axis=2) == 1).all()
    seat, rewards, done = (np.array(column) for column in zip(*env.steps, strict=True))
    last = buffer.source.now.seat
    known = {place for place in zip(*np.nonzero(buffer.known), strict=True)}
    truth = obvious(rewards, seat, done, buffer.values, last, np.zeros(3), gamma, lam)
    assert known == set(truth)
    settled = obvious(rewards, seat, done, buffer.values, last, np.ones(3), gamma, lam)
    for place, advantage in truth.items():
        if advantage == settled[place]:  # does not rest on the value after the last step
            assert buffer.advantages[place] == pytest.approx(advantage, rel=1e-6, abs=1e-6)


@each_game
def test_only_known_decisions_are_handed_out_each_once(game):
    env = AllSeats(VectorGames(game.spec, 4, num_players=3, seed=1))
    model = learner(env, 30)
    model.learn(120)
    buffer = model.rollout_buffer
    batches = list(buffer.get(16))
    n_known = int(buffer.known.sum())
    assert 0 < n_known < buffer.known.size
    assert sum(len(batch.actions) for batch in batches) == n_known
    assert max(len(b.actions) for b in batches) - min(len(b.actions) for b in batches) <= 1
    handed = np.sort(np.concatenate([batch.returns.numpy() for batch in batches]))
    assert (handed == np.sort(buffer.returns[buffer.known])).all()


@pytest.mark.parametrize("n_known", [0, 1, 2, 3, 7, 64])
@pytest.mark.parametrize("size", [None, 2, 3, 4, 100])
def test_no_batch_has_a_single_decision(n_known, size):
    """Its advantage could not be told from the mean of the batch."""
    model = learner(AllSeats(VectorGames(GAMES[0].spec, 8, num_players=2, seed=1)), 8)
    buffer = model.rollout_buffer
    buffer.known.flat[:n_known] = True
    parts = buffer.parts(size)
    assert all(len(part) >= 2 for part in parts)
    handed = sorted(int(place) for part in parts for place in part)
    assert handed == (list(range(n_known)) if n_known > 1 else [])


@each_game
def test_masks_reach_the_learner(game):
    env = AllSeats(VectorGames(game.spec, 4, seed=2))
    env.seed(5)
    env.reset()
    assert is_masking_supported(env)
    assert (get_action_masks(env)[0] == env.now.mask).all()
    assert not env.has_attr("no_such_thing")
    assert env.get_attr("num_envs") == [4] * 4
    assert env.get_attr("num_envs", [0, 2]) == [4] * 2
    with pytest.raises(ValueError, match="illegal in 4 of 4 lanes"):
        env.step(env.now.mask.argmin(axis=1))


@each_game
def test_rewards_are_minus_the_score_or_the_odds_of_winning(game):
    env = AllSeats(VectorGames(game.spec, 1, num_players=3, seed=2))
    rounds = AllSeats(VectorGames(game.spec, 1, num_players=3), BY_ROUND)
    for one in (env, rounds):
        one.seed(7)
        one.reset()
    sums, odds, n_rounds = np.zeros(3), np.zeros(3), 0
    while not env.now.done[0]:
        action = env.games.sample()
        env.step(action)
        rounds.step(action)
        sums += env.moved.rewards[0]
        odds += rounds.moved.rewards[0] * 0.5
        n_rounds += int(rounds.moved.done[0])
        assert rounds.moved.done[0] or not rounds.moved.rewards.any()
    totals = env.now.final_scores[0]
    assert (sums == -totals).all()
    assert odds == pytest.approx(win_shares(totals) - 1 / 3, abs=1e-5)
    assert n_rounds >= 1
    assert rounds.moved.done[0]


def play_learner(env, n_steps, seed=3):
    """Random play of the learner; gives what its episodes brought, and all steps."""
    env.seed(seed)
    env.reset()
    chance = np.random.default_rng(0)
    paid, episodes, trace = np.zeros(env.num_envs), [], []
    for _ in range(n_steps):
        assert (env.now.seat == env.seat).all()
        actions = [chance.choice(np.flatnonzero(row)) for row in env.action_masks()]
        seen, rewards, done, _ = env.step(np.array(actions))
        paid += rewards
        episodes += paid[done].tolist()
        paid[done] = 0
        trace.append((seen.copy(), rewards, done))
    return episodes, trace


@each_game
def test_a_learners_episodes_bring_what_its_games_cost(game):
    """Every game is in the results; one that never asked the learner has no episode."""
    env = LearnerSeat(VectorGames(game.spec, 16, num_players=3, seed=1, rounds=1), [RANDOM])
    episodes, _ = play_learner(env, 500)
    costs = [-float(totals[seat]) for seat, totals in env.results]
    assert 0 < len(episodes) <= len(costs)
    for reward in set(episodes):
        assert episodes.count(reward) <= costs.count(reward)
    assert {seat for seat, _ in env.results} == {0, 1, 2}
    shares = [win_shares(totals)[seat] for seat, totals in env.results]
    assert 0 < np.mean(shares) < 1


def test_a_game_that_never_asks_the_learner_is_in_the_results():
    """The last seat of Bungee's first round: two of these games end before its turn."""
    bungee = next(game.spec for game in GAMES if game.spec.name == "bungee")
    basic = Entrant("basic", find_player("basic", bungee))
    games = VectorGames(bungee, 600, num_players=5, seed=1, rounds=1)
    env = LearnerSeat(games, [basic], seat=4)
    env.seed(1)
    env.reset()
    assert [seat for seat, _ in env.results] == [4, 4]
    assert all(totals.any() for _, totals in env.results)


class Toll(Aim):
    """Everybody gets one for every step; it remembers which steps ended an episode."""

    def __init__(self):
        self.ends = []

    def rewards(self, games, step, round_no):
        return np.ones_like(step.rewards)

    def ended(self, games, step, round_no):
        self.ends.append(bool(step.done[0]))
        return step.done


@each_game
def test_what_comes_after_an_episode_is_no_part_of_it(game):
    """The others may open the next game before the learner is asked again."""
    aim, n_late = Toll(), 0
    games = VectorGames(game.spec, 1, num_players=4, seed=1, rounds=1)
    env = LearnerSeat(games, [RANDOM], seat=3, aim=aim)
    env.reset()
    for _ in range(200):
        aim.ends.clear()
        _, rewards, done, _ = env.step(env.action_masks().argmax(axis=1))
        assert done[0] == any(aim.ends)
        until = aim.ends.index(True) + 1 if done[0] else len(aim.ends)
        assert rewards[0] == until
        n_late += len(aim.ends) - until
    assert n_late > 0


@each_game
def test_a_learners_games_can_be_played_again(game):
    """Seats and players' chance come from the games, also where nobody gives a seed."""
    seen = []
    for _ in range(2):
        env = LearnerSeat(VectorGames(game.spec, 8, num_players=4, seed=5), [RANDOM])
        seen.append([(env.reset().copy(), env.seat.copy()) for _ in range(2)])
    for one, other in zip(*seen, strict=True):
        assert all((a == b).all() for a, b in zip(one, other, strict=True))
    (first, _), (second, _) = seen[0]
    assert (first != second).any()


@each_game
def test_a_learner_can_keep_its_seat_and_meets_the_players_in_turn(game):
    others = [RANDOM, Entrant("tuned", find_player("tuned", game.spec))]
    env = LearnerSeat(VectorGames(game.spec, 2, num_players=4, seed=1), others, seat=2)
    _, first = play_learner(env, 40)
    assert (env.seat == 2).all()
    again = LearnerSeat(VectorGames(game.spec, 2, num_players=4), others, seat=2)
    _, second = play_learner(again, 40)
    for one, other in zip(first, second, strict=True):
        assert all((a == b).all() for a, b in zip(one, other, strict=True))


@each_game
def test_what_a_learner_was_shown_stays_as_it_was(game):
    env = LearnerSeat(VectorGames(game.spec, 4, num_players=2, seed=1), [RANDOM])
    env.seed(1)
    shown = env.reset()
    kept = shown.copy()
    env.step(env.action_masks().argmax(axis=1))
    assert (shown == kept).all()


@each_game
def test_a_learner_by_rounds_has_more_episodes(game):
    n = []
    for aim in (SCORE, BY_ROUND):
        games = VectorGames(game.spec, 4, num_players=4, seed=1)
        n.append(len(play_learner(LearnerSeat(games, [RANDOM], aim=aim), 500)[0]))
    assert n[0] < n[1]


def test_what_cannot_be_is_refused():
    games = VectorGames(GAMES[0].spec, 2, num_players=2, seed=1)
    with pytest.raises(ValueError, match="at least one player"):
        LearnerSeat(games, [])
    with pytest.raises(ValueError, match="seat must be None or from 0 to 1, not 2"):
        LearnerSeat(games, [RANDOM], seat=2)


def test_a_player_that_fails_is_named():
    """Whether it cannot be made, fails, or answers wrongly."""

    def fails(observation, mask):
        raise RuntimeError("out of cards")

    games = VectorGames(GAMES[0].spec, 2, num_players=2, seed=1)
    for play, words in ((cheat, "player 'mine' chose"), (fails, "player 'mine' failed: Runtime")):
        with pytest.raises(PlayerError, match=words):
            LearnerSeat(games, [Entrant("mine", maker_of(play, "mine"))], seat=0).reset()
    with pytest.raises(PlayerError, match="player 'mine' cannot be made"):
        LearnerSeat(games, [Entrant("mine", lambda spec, options: 1 / 0)])
