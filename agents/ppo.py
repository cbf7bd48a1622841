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

TEACHER_BATCH = 512
TEACHER_EPOCHS = 2
COPYING = 0.15  # of the teacher's part, in which it is only copied
TEACHER_RATE = 1e-3  # of learning at the start; it falls to a tenth in the teacher's part
LAST_RATE = 0.1
TEACHER_CLIP = 5.0  # of the gradient
HARDNESS = 4.0  # what the network plays by is so much harder than what it is taught
UNIT = 0.1  # reward that makes one unit of preference
FOCUS = 0.3  # how much more what is liked weighs in the lessons
EVEN = 0.2  # share of the weight that all actions have alike
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

    @property
    def copying(self) -> bool:
        """Whether the teacher is only copied yet."""
        return self.num_timesteps < self.teacher_steps * COPYING

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
        network = self.network()
        network = network._replace(
            weight_3=network.weight_3 * HARDNESS, bias_3=network.bias_3 * HARDNESS
        )
        player = NetworkPlayer(env.games.spec, env.games.options, network, greedy=False)
        own = np.arange(env.num_envs) % 2 == 0
        while not buffer.full:
            seen, mask = env.now.observation, env.now.mask
            view = View(seen, mask, env.places(), chance)
            shown = self.teacher.act(view)
            if self.copying:
                self.outcomes[buffer.pos, np.arange(env.num_envs), shown] = 1
            else:
                self.outcomes[buffer.pos] = outcomes(env.games, env.now, env.aim, self.teacher)
            actions = np.where(own, player.act(view), shown)
            env.step(actions)
            buffer.add(seen, actions, None, None, nothing, nothing, action_masks=mask)
        buffer.compute_returns_and_advantage(nothing, env.moved.done)

    def _harden(self) -> None:
        """From preferences in units of outcomes to odds that are worth playing by."""
        with torch.no_grad():
            for parameter in self.policy.action_net.parameters():
                parameter.mul_(HARDNESS)

    def train(self) -> None:
        """Update the network, by PPO or towards the outcomes that it was shown."""
        if not self.taught:
            super().train()
            return
        self.policy.set_training_mode(True)
        left = max(1 - self.num_timesteps / self.teacher_steps, LAST_RATE)
        for group in self.policy.optimizer.param_groups:
            group["lr"] = TEACHER_RATE * left
        flat = self.outcomes.reshape(-1, self.outcomes.shape[2])
        losses = []
        for _ in range(TEACHER_EPOCHS):
            for part in self.rollout_buffer.parts(TEACHER_BATCH):
                losses.append(self._learn_outcomes(part, torch.from_numpy(flat[part])))
        self.logger.record("teacher/loss", float(np.mean(losses)))
        if not self.teaching:
            self._harden()

    def _learn_outcomes(self, part: NDArray[np.int64], outcomes: torch.Tensor) -> float:
        """One step towards the outcomes of some decisions."""
        data = self.rollout_buffer._get_samples(part)
        features = self.policy.extract_features(data.observations)
        likes, values = self.policy.action_net(features), self.policy.value_net(features)
        if self.num_timesteps <= self.teacher_steps * COPYING:
            odds = torch.log_softmax(torch.where(data.action_masks > 0, likes, NEVER), dim=1)
            loss = -(outcomes * odds).sum(dim=1).mean()
        else:
            loss = likes_loss(likes, data.action_masks > 0, outcomes)
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
    """How far preferences are from outcomes, both counted from their mean over what is allowed.

    Actions that the network likes already weigh more: what matters is which of the good is best.
    """
    n_allowed = allowed.sum(dim=1, keepdim=True)
    liked = torch.softmax(torch.where(allowed, FOCUS * likes.detach(), NEVER), dim=1)
    weight = torch.where(allowed, (1 - EVEN) * liked + EVEN / n_allowed, 0)
    worth = torch.where(allowed, worth, 0)
    likes = likes - (weight * likes).sum(dim=1, keepdim=True)
    worth = worth - (weight * worth).sum(dim=1, keepdim=True)
    return (weight * (UNIT * likes - worth) ** 2).sum(dim=1).mean() / UNIT
