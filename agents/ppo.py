"""MaskablePPO for games of turns: a shared trunk, and a teacher that plays the first rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.lookahead import outcomes
from agents.network import Network, NetworkPlayer
from agents.players import Chance, Player, View, new_generators
from agents.sb3 import AllSeats, SeatBuffer

TEACHER_BATCH = 1024
TEACHER_EPOCHS = 2
TEACHER_CLIP = 5.0  # of the gradient
FIRST_PART = 0.4  # of the teacher's part, in which preferences learn; the rest is for the odds
UNIT = 0.1  # reward that makes one unit of preference
SOFTNESS = 0.02  # reward that a unit of entropy is worth while it is taught
NEVER = torch.tensor(-1e8)  # a preference for what is not allowed


class Trunk(BaseFeaturesExtractor):
    """Two hidden layers that actor and critic share."""

    def __init__(self, observation_space: Box, hidden: tuple[int, int]) -> None:
        super().__init__(observation_space, hidden[1])
        n_in = observation_space.shape[0]
        self.layers = nn.Sequential(
            nn.Linear(n_in, hidden[0]), nn.ReLU(), nn.Linear(hidden[0], hidden[1]), nn.ReLU()
        )

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """What actor and critic go on from."""
        return self.layers(seen)


class SelfPlay(MaskablePPO):
    """MaskablePPO that is taught first: shown what every move of a position would have led to.

    In the teacher's part half of the lanes are played by the teacher and half by the network, so
    that it meets its own mistakes. At each decision every legal action is played out by the teacher
    (agents/lookahead.py), and the network's preferences are drawn towards the outcomes.
    """

    env: AllSeats
    rollout_buffer: SeatBuffer
    teacher: Player
    teacher_steps = 0  # decisions that are taught before the network goes on by itself
    outcomes: NDArray[np.float32]  # [step, lane, action] of the rollout that was taught
    taught = False  # whether the buffer holds such a rollout

    @property
    def teaching(self) -> bool:
        """Whether the teacher still plays."""
        return self.num_timesteps < self.teacher_steps

    def collect_rollouts(
        self, env: Any, callback: Any, rollout_buffer: Any, n_rollout_steps: int, *rest: Any
    ) -> bool:
        """Fill the buffer by self-play, or with a rollout to be taught."""
        self.taught = self.teaching
        if not self.taught:
            rollout_buffer.gae_lambda = self.gae_lambda
            return super().collect_rollouts(env, callback, rollout_buffer, n_rollout_steps, *rest)
        callback.on_rollout_start()
        self._be_taught(env, rollout_buffer)
        self.num_timesteps += n_rollout_steps * env.num_envs
        self._last_obs, self._last_episode_starts = env.now.observation, env.moved.done
        callback.on_rollout_end()
        return True

    def _be_taught(self, env: AllSeats, buffer: SeatBuffer) -> None:
        """A rollout with the outcomes of all actions beside it."""
        buffer.reset()
        buffer.gae_lambda = 1.0  # the critic learns what truly came of it
        self.outcomes = np.zeros(buffer.action_masks.shape, np.float32)
        nothing = torch.zeros(env.num_envs)
        chance = Chance(new_generators(env.num_envs))
        chance.generators["rng"] = np.arange(env.num_envs) + self.num_timesteps
        player = NetworkPlayer(env.games.spec, env.games.options, self.network(), greedy=False)
        own = np.arange(env.num_envs) % 2 == 0
        while not buffer.full:
            seen, mask = env.now.observation, env.now.mask
            self.outcomes[buffer.pos] = outcomes(env.games, env.now, env.aim, self.teacher)
            view = View(seen, mask, env.places(), chance)
            actions = np.where(own, player.act(view), self.teacher.act(view))
            env.step(actions)
            buffer.add(seen, actions, None, None, nothing, nothing, action_masks=mask)
        buffer.compute_returns_and_advantage(nothing, env.moved.done)

    def train(self) -> None:
        """Update the network, by PPO or towards the outcomes that it was shown."""
        if not self.taught:
            super().train()
            return
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        flat = self.outcomes.reshape(-1, self.outcomes.shape[2])
        losses = []
        for _ in range(TEACHER_EPOCHS):
            for part in self.rollout_buffer.parts(TEACHER_BATCH):
                losses.append(self._learn_outcomes(part, torch.from_numpy(flat[part])))
        self.logger.record("teacher/loss", float(np.mean(losses)))

    def _learn_outcomes(self, part: NDArray[np.int64], outcomes: torch.Tensor) -> float:
        """One step towards the outcomes of some decisions: preferences first, then odds."""
        data = self.rollout_buffer._get_samples(part)
        features = self.policy.extract_features(data.observations)
        likes, values = self.policy.action_net(features), self.policy.value_net(features)
        by_odds = self.num_timesteps > self.teacher_steps * FIRST_PART
        loss = (odds_loss if by_odds else likes_loss)(likes, data.action_masks > 0, outcomes)
        loss = loss + self.vf_coef * nn.functional.mse_loss(values.flatten(), data.returns)
        self.policy.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), TEACHER_CLIP)
        self.policy.optimizer.step()
        return loss.item()

    def network(self) -> Network:
        """The actor alone, for playing."""
        trunk: Any = self.policy.features_extractor
        actor: Any = self.policy.action_net
        arrays = []
        for linear in (trunk.layers[0], trunk.layers[2], actor):
            weight, bias = linear.weight.detach().numpy(), linear.bias.detach().numpy()
            arrays += [weight.T.copy(), bias.copy()]
        return Network(*arrays)


def likes_loss(likes: torch.Tensor, allowed: torch.Tensor, worth: torch.Tensor) -> torch.Tensor:
    """How far preferences are from outcomes, both counted from their mean over what is allowed."""
    n_allowed = allowed.sum(dim=1, keepdim=True)
    likes, worth = torch.where(allowed, likes, 0), torch.where(allowed, worth, 0)
    likes = likes - likes.sum(dim=1, keepdim=True) / n_allowed
    worth = worth - worth.sum(dim=1, keepdim=True) / n_allowed
    errors = torch.where(allowed, (UNIT * likes - worth) ** 2, 0) / n_allowed
    return errors.sum(dim=1).mean() / UNIT


def odds_loss(likes: torch.Tensor, allowed: torch.Tensor, worth: torch.Tensor) -> torch.Tensor:
    """Minus the mean outcome under the odds, which entropy keeps from hardening too soon."""
    odds = torch.log_softmax(torch.where(allowed, likes, NEVER), dim=1)
    worth = torch.where(allowed, worth - SOFTNESS * odds, 0)
    return -(odds.exp() * worth).sum(dim=1).mean()
