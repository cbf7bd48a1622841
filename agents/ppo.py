"""MaskablePPO for games of turns: a shared trunk, and a teacher that plays the first rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from agents.network import Network
from agents.players import Chance, Player, View, new_generators
from agents.sb3 import AllSeats, SeatBuffer

TEACHER_BATCH = 1024


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
    """MaskablePPO whose first rollouts are played, and taught, by a teacher."""

    env: AllSeats
    rollout_buffer: SeatBuffer
    teacher: Player
    teacher_steps = 0  # decisions that the teacher takes before the network does
    taught = False  # whether the buffer holds what the teacher did

    @property
    def teaching(self) -> bool:
        """Whether the teacher still plays."""
        return self.num_timesteps < self.teacher_steps

    def collect_rollouts(
        self, env: Any, callback: Any, rollout_buffer: Any, n_rollout_steps: int, *rest: Any
    ) -> bool:
        """Fill the buffer, by the network's own play or by the teacher's."""
        self.taught = self.teaching
        if not self.taught:
            rollout_buffer.gae_lambda = self.gae_lambda
            return super().collect_rollouts(env, callback, rollout_buffer, n_rollout_steps, *rest)
        callback.on_rollout_start()
        rollout_buffer.reset()
        rollout_buffer.gae_lambda = 1.0  # the critic learns what truly came of it
        nothing = torch.zeros(env.num_envs)
        chance = Chance(new_generators(env.num_envs))
        chance.generators["rng"] = np.arange(env.num_envs) + self.num_timesteps
        while not rollout_buffer.full:
            seen, mask = env.now.observation, env.now.mask
            actions = self.teacher.act(View(seen, mask, env.places(), chance))
            env.step(actions)
            self.num_timesteps += env.num_envs
            callback.on_step()
            rollout_buffer.add(seen, actions, None, None, nothing, nothing, action_masks=mask)
        rollout_buffer.compute_returns_and_advantage(nothing, env.moved.done)
        self._last_obs, self._last_episode_starts = env.now.observation, env.moved.done
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Update the network, by PPO or towards what the teacher did."""
        if not self.taught:
            super().train()
            return
        self.policy.set_training_mode(True)
        for group in self.policy.optimizer.param_groups:
            group["lr"] = self.lr_schedule(1.0)
        for data in self.rollout_buffer.get(TEACHER_BATCH):
            values, log_prob, _ = self.policy.evaluate_actions(
                data.observations, data.actions.flatten(), action_masks=data.action_masks
            )
            worth = nn.functional.mse_loss(values.flatten(), data.returns)
            loss = self.vf_coef * worth - log_prob.mean()
            self.policy.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_grad_norm)
            self.policy.optimizer.step()
        self.logger.record("teacher/log_prob", log_prob.mean().item())

    def network(self) -> Network:
        """The actor alone, for playing."""
        trunk: Any = self.policy.features_extractor
        actor: Any = self.policy.action_net
        arrays = []
        for linear in (trunk.layers[0], trunk.layers[2], actor):
            weight, bias = linear.weight.detach().numpy(), linear.bias.detach().numpy()
            arrays += [weight.T.copy(), bias.copy()]
        return Network(*arrays)
