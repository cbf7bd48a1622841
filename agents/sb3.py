"""The games as stable-baselines3 sees them: a `VecEnv` over the batch, and a rollout buffer for it.

Two forms. `AllSeats`: a lane is a game, whoever is to act acts, and every seat learns; the buffer
keeps the decisions of each seat apart (agents/returns.py). `LearnerSeat`: one seat of each game
learns, the others are played by any players inside `step`.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium.spaces import Box, Discrete, Space
from numpy.typing import NDArray
from sb3_contrib.common.maskable.buffers import (
    MaskableRolloutBuffer,
    MaskableRolloutBufferSamples,
)
from stable_baselines3.common.buffers import BaseBuffer
from stable_baselines3.common.vec_env import VecEnv

from agents.aims import SCORE, Aim
from agents.match import Entrant
from agents.players import Actions, Chance, View, blamed, decide, new_generators, new_player
from agents.returns import advantages
from cardcore import VectorGames
from cardcore.vector import Step

FEWEST = 2  # decisions in a batch: the advantage of a single one has no spread to be measured by

Observations = NDArray[np.int8]
StepReturn = tuple[Observations, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]


class Transition(NamedTuple):
    """What a step of all lanes did."""

    seat: NDArray[np.int64]  # [n] who acted
    rewards: NDArray[np.float32]  # [n, seat] what each seat got by it
    done: NDArray[np.bool_]  # [n] whether an episode ended by it


class _Batch(VecEnv):
    """What both forms share: spaces, masks, and the questions that SB3 asks of single games."""

    now: Step

    def __init__(self, games: VectorGames) -> None:
        self.games = games
        self.render_mode = None
        self._seed: int | None = None
        self._infos: list[dict[str, Any]] = [{} for _ in range(games.n)]
        self._chosen: Actions = np.zeros(games.n, np.int64)
        spec = games.spec
        seen = Box(0, 1, (spec.obs_size,), np.int8)
        super().__init__(games.n, seen, Discrete(spec.n_actions))

    def action_masks(self) -> NDArray[np.int8]:
        """What is allowed in each lane.  # [n, actions]"""
        return self.now.mask

    def places(self) -> NDArray[np.int64]:
        """The place of the seat to act in each lane, as players count places.  # [n]"""
        return np.arange(self.num_envs) * self.games.num_players + self.now.seat

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The next `reset` starts the games of this seed."""
        self._seed = seed
        return [seed] * self.num_envs

    def step_async(self, actions: NDArray[Any]) -> None:
        """Remember what was chosen."""
        self._chosen = np.asarray(actions).astype(np.int64, copy=False)

    def close(self) -> None:
        """Nothing is held open."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The same answer for every lane that is asked."""
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set it for every lane."""
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """One call and one answer, with a row a lane: so sb3-contrib asks for masks."""
        return [getattr(self, method_name)(*args, **kwargs)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No lane is wrapped: there are no single games."""
        return [False] * self.num_envs


class AllSeats(_Batch):
    """One game a lane; whoever is to act acts; all seats learn.

    The reward that `step` returns is that of the seat that acted; what everybody else got stands in
    `moved`, and `SeatBuffer` makes the returns of it.
    """

    def __init__(self, games: VectorGames, aim: Aim = SCORE) -> None:
        self.aim = aim
        self._lanes = np.arange(games.n)
        self.moved: Transition  # by the last step
        super().__init__(games)

    def reset(self) -> Observations:
        """New games in all lanes."""
        self.now = self.games.reset(self._seed)
        self._seed = None
        return self.now.observation

    def step_wait(self) -> StepReturn:
        """Carry out what was chosen."""
        acted, round_no = self.now.seat, self.games.games.round_no.copy()
        self.now = self.games.step(self._chosen)
        done = self.aim.ended(self.games, self.now, round_no)
        rewards = self.aim.rewards(self.games, self.now, round_no)
        self.moved = Transition(acted, rewards, done)
        return self.now.observation, self.moved.rewards[self._lanes, acted], done, self._infos


class LearnerSeat(_Batch):
    """One seat of each game learns; the others are played by players inside `step`.

    The reward of a step is all that reached the learner's seat until it is to act again, or until
    the episode ended. `results` has every game, those too in which the seat was never asked; it
    grows until whoever reads it clears it. Games of a seed bring the same draws of seats and the
    same chance of the players.
    """

    def __init__(
        self,
        games: VectorGames,
        others: Sequence[Entrant],
        seat: int | None = None,
        aim: Aim = SCORE,
    ) -> None:
        n_seats = games.num_players
        if not others:
            raise ValueError("others must have at least one player for the other seats")
        if seat is not None and not 0 <= seat < n_seats:
            raise ValueError(f"seat must be None or from 0 to {n_seats - 1}, not {seat}")
        self.aim, self.fixed_seat, self.others = aim, seat, others
        self.players = [new_player(one.make, one.name, games.spec, games.options) for one in others]
        self.seat = np.zeros(games.n, np.int64)  # [n] the learner's
        self.generators = new_generators(games.n * n_seats)
        self.results: list[tuple[int, NDArray[np.int32]]] = []  # learner's seat, final totals
        self._chance: np.random.Generator  # of the games on show
        self._lanes = np.arange(games.n)
        super().__init__(games)

    def reset(self) -> Observations:
        """New games in all lanes, each up to the learner's first decision."""
        self.now = self.games.reset(self._seed)
        self._seed = None
        self._chance = np.random.default_rng(self.now.game_seed)
        self._begin(self._lanes)
        self._play_on(np.zeros(self.num_envs, np.float32), np.zeros(self.num_envs, np.bool_))
        return self.now.observation

    def step_wait(self) -> StepReturn:
        """Carry out what the learner chose, and what the others answer."""
        rewards = np.zeros(self.num_envs, np.float32)
        done = np.zeros(self.num_envs, np.bool_)
        self._move(self._lanes, self._chosen, rewards, done)
        self._play_on(rewards, done)
        return self.now.observation, rewards, done, self._infos

    def _play_on(self, rewards: NDArray[np.float32], done: NDArray[np.bool_]) -> None:
        """The others act until the learner is to act in every lane."""
        while len(lanes := np.flatnonzero(self.now.seat != self.seat)):
            self._move(lanes, self._answers(lanes), rewards, done)

    def _move(
        self,
        lanes: NDArray[np.int64],
        actions: Actions,
        rewards: NDArray[np.float32],
        done: NDArray[np.bool_],
    ) -> None:
        """One action in some lanes; what it brings the learner counts until its episode ends."""
        mine = lanes is self._lanes  # the others answer in place: what was shown before stays
        some = self.games if mine else self.games.fork(lanes)
        round_no = some.games.round_no.copy()
        step = some.step(actions)
        if mine:
            self.now = step
        else:
            self.games.put(lanes, some)
        got = self.aim.rewards(some, step, round_no)[np.arange(len(lanes)), self.seat[lanes]]
        rewards[lanes] += np.where(done[lanes], 0, got)
        done[lanes] |= self.aim.ended(some, step, round_no)
        over = np.flatnonzero(step.done)
        self.results += [(int(self.seat[lanes[i]]), step.final_scores[i].copy()) for i in over]
        self._begin(lanes[over])

    def _answers(self, lanes: NDArray[np.int64]) -> Actions:
        """What the players of the other seats choose in these lanes."""
        n_seats = self.games.num_players
        seats = self.now.seat[lanes]
        place = lanes * n_seats + seats
        which = ((seats - self.seat[lanes]) % n_seats - 1) % len(self.players)
        actions = np.zeros(len(lanes), np.int64)
        for k, player in enumerate(self.players):
            rows = np.flatnonzero(which == k)
            if len(rows) == 0:
                continue
            seen, mask = self.now.observation[lanes[rows]], self.now.mask[lanes[rows]]
            chance = Chance(self.generators[place[rows]])
            view = View(seen, mask, place[rows], chance)
            actions[rows] = decide(player, self.others[k].name, view, self.games.spec)
            self.generators[place[rows]] = chance.generators
        return actions

    def _begin(self, lanes: NDArray[np.int64]) -> None:
        """New games start in these lanes: the learner takes a seat, the players are told."""
        n_seats = self.games.num_players
        drawn = self._chance.integers(n_seats, size=len(lanes))
        self.seat[lanes] = drawn if self.fixed_seat is None else self.fixed_seat
        place = (lanes[:, None] * n_seats + np.arange(n_seats)).ravel()
        keys = self._chance.integers(2**64, size=len(place), dtype=np.uint64)
        self.generators["rng"][place] = keys
        for player, entrant in zip(self.players, self.others, strict=True):
            with blamed(entrant.name, "failed as its games began"):
                player.begin(place)


class SeatBuffer(MaskableRolloutBuffer):
    """The rollout buffer of `AllSeats`: returns by seat, observations and masks as small as ours.

    A decision whose outcome the rollout does not show (see agents/returns.py) is never handed out.
    """

    def __init__(
        self,
        buffer_size: int,
        observation_space: Space[Any],
        action_space: Space[Any],
        device: torch.device | str = "auto",
        gae_lambda: float = 1,
        gamma: float = 0.99,
        n_envs: int = 1,
        *,
        source: AllSeats,
        seed: int = 0,
    ) -> None:
        self.source = source
        self.chance = np.random.default_rng(seed)
        shape = (buffer_size, n_envs)
        n_seats, spec = source.games.num_players, source.games.spec
        self.observations = np.zeros((*shape, spec.obs_size), np.int8)
        self.action_masks = np.zeros((*shape, spec.n_actions), np.int8)
        self.actions = np.zeros((*shape, 1), np.int64)
        self.log_probs = np.zeros(shape, np.float32)
        self.values = np.zeros(shape, np.float32)
        self.seat = np.zeros(shape, np.int64)
        self.done = np.zeros(shape, np.bool_)
        self.seat_rewards = np.zeros((*shape, n_seats), np.float32)
        self.advantages = np.zeros(shape, np.float32)
        self.returns = np.zeros(shape, np.float32)
        self.known = np.zeros(shape, np.bool_)
        super().__init__(
            buffer_size, observation_space, action_space, device, gae_lambda, gamma, n_envs
        )

    def reset(self) -> None:
        """Forget everything; the arrays are written again."""
        BaseBuffer.reset(self)

    def add(  # type: ignore[override]
        self,
        obs: Observations,
        action: NDArray[np.int64],
        reward: NDArray[np.float32] | None,
        episode_start: NDArray[np.bool_] | None,
        value: torch.Tensor,
        log_prob: torch.Tensor,
        action_masks: NDArray[np.int8] | None = None,
    ) -> None:
        """One step of all lanes: what was seen and done, and what the source says it brought."""
        assert action_masks is not None
        moved, t = self.source.moved, self.pos
        self.observations[t] = obs
        self.action_masks[t] = action_masks.reshape(self.n_envs, -1)
        self.actions[t] = action.reshape(self.n_envs, 1)
        self.values[t] = value.numpy().ravel()
        self.log_probs[t] = log_prob.numpy()
        self.seat[t], self.seat_rewards[t], self.done[t] = moved.seat, moved.rewards, moved.done
        self.pos += 1
        self.full = self.pos == self.buffer_size

    def compute_returns_and_advantage(
        self, last_values: torch.Tensor, dones: NDArray[np.bool_]
    ) -> None:
        """Advantages along the decisions of each seat."""
        self.advantages, self.known = advantages(
            self.seat_rewards,
            self.seat,
            self.done,
            self.values,
            self.source.now.seat,
            last_values.numpy().ravel(),
            self.gamma,
            self.gae_lambda,
        )
        self.returns = self.advantages + self.values

    @property
    def n_known(self) -> int:
        """Decisions of which the rollout shows what came."""
        return int(np.count_nonzero(self.known))

    def get(  # type: ignore[override]
        self, batch_size: int | None = None
    ) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """The known decisions in random order, in batches of about one size."""
        for part in self.parts(batch_size):
            yield self._get_samples(part)

    def parts(self, batch_size: int | None = None) -> list[NDArray[np.int64]]:
        """The places of the known decisions, shared out at random among batches of two or more."""
        if self.n_known < FEWEST:
            return []
        order = self.chance.permutation(np.flatnonzero(self.known))
        most = len(order) // FEWEST
        n_batches = 1 if batch_size is None else round(len(order) / batch_size)
        return np.array_split(order, max(1, min(n_batches, most)))

    def _get_samples(  # type: ignore[override]
        self, batch_inds: NDArray[np.int64], env: Any = None
    ) -> MaskableRolloutBufferSamples:
        """These decisions, counted step by step and lane by lane."""

        def rows(array: NDArray[Any]) -> torch.Tensor:
            flat = array.reshape(self.buffer_size * self.n_envs, *array.shape[2:])
            return torch.from_numpy(flat[batch_inds])

        return MaskableRolloutBufferSamples(
            observations=rows(self.observations),
            actions=rows(self.actions),
            old_values=rows(self.values),
            old_log_prob=rows(self.log_probs),
            advantages=rows(self.advantages),
            returns=rows(self.returns),
            action_masks=rows(self.action_masks),
        )
