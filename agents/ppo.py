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

COPY_BATCH, LESSON_BATCH = 512, 4096
COPY_RATE, LESSON_RATE = 1e-3, 3e-4  # of learning; both fall to a tenth within their part
LAST_RATE = 0.1
EPOCHS = 2
SOFTNESS = 0.01  # reward that a unit of entropy is worth in the lessons
LARGEST_STEP = 5.0  # of the gradient of a part that is taught
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
    """MaskablePPO that is taught first, in two parts.

    At first it copies: half of the lanes are played by the teacher and half by the network, so that
    it meets its own mistakes, and it learns what the teacher would do. Then it has lessons: it
    plays all seats, at each decision every legal action is played out by the teacher
    (agents/lookahead.py), and the odds of what did better rise. The rest is PPO.
    """

    env: AllSeats
    rollout_buffer: SeatBuffer
    teacher: Player
    copy_steps = 0  # decisions of the first part
    lesson_steps = 0  # and of the second
    worth: NDArray[np.float32]  # [step, lane, action] 1 for the teacher's choice; or the outcomes
    part = "self-play"  # that the buffer was filled in: copying, lessons or self-play

    @property
    def now_comes(self) -> str:
        """The part that the next rollout belongs to."""
        if self.num_timesteps < self.copy_steps:
            return "copying"
        taught = self.num_timesteps < self.copy_steps + self.lesson_steps
        return "lessons" if taught else "self-play"

    def collect_rollouts(
        self, env: Any, callback: Any, rollout_buffer: Any, n_rollout_steps: int, *rest: Any
    ) -> bool:
        """Fill the buffer by self-play, or with a rollout to be taught."""
        self.part = self.now_comes
        if self.part == "self-play":
            rollout_buffer.gae_lambda = self.gae_lambda
            return super().collect_rollouts(env, callback, rollout_buffer, n_rollout_steps, *rest)
        callback.on_rollout_start()
        self._be_taught(env, rollout_buffer)
        self.num_timesteps += n_rollout_steps * env.num_envs
        self._last_obs, self._last_episode_starts = env.now.observation, env.moved.done
        callback.on_rollout_end()
        return True

    def _be_taught(self, env: AllSeats, buffer: SeatBuffer) -> None:
        """A rollout with what the teacher would do, or what each action leads to, beside it."""
        buffer.reset()
        buffer.gae_lambda = 1.0  # the critic learns what truly came of it
        self.worth = np.zeros(buffer.action_masks.shape, np.float32)
        nothing, lanes = torch.zeros(env.num_envs), np.arange(env.num_envs)
        chance = Chance(new_generators(env.num_envs))
        chance.generators["rng"] = lanes + self.num_timesteps
        player = NetworkPlayer(env.games.spec, env.games.options, self.network(), greedy=False)
        while not buffer.full:
            seen, mask = env.now.observation, env.now.mask
            view = View(seen, mask, env.places(), chance)
            actions = player.act(view)
            if self.part == "copying":
                shown = self.teacher.act(view)
                self.worth[buffer.pos, lanes, shown] = 1
                actions = np.where(lanes % 2 == 0, actions, shown)
            else:
                self.worth[buffer.pos] = outcomes(env.games, env.now, env.aim, self.teacher)
            env.step(actions)
            buffer.add(seen, actions, None, None, nothing, nothing, action_masks=mask)
        buffer.compute_returns_and_advantage(nothing, env.moved.done)

    def train(self) -> None:
        """Update the network, by PPO or towards what it was shown."""
        if self.part == "self-play":
            super().train()
            return
        self.policy.set_training_mode(True)
        copying = self.part == "copying"
        done = self.num_timesteps - (0 if copying else self.copy_steps)
        left = max(1 - done / (self.copy_steps if copying else self.lesson_steps), LAST_RATE)
        for group in self.policy.optimizer.param_groups:
            group["lr"] = (COPY_RATE if copying else LESSON_RATE) * left
        flat, losses = self.worth.reshape(-1, self.worth.shape[2]), []
        for _ in range(EPOCHS):
            for some in self.rollout_buffer.parts(COPY_BATCH if copying else LESSON_BATCH):
                losses.append(self._learn(some, torch.from_numpy(flat[some])))
        self.logger.record(f"train/{self.part}_loss", float(np.mean(losses)))

    def _learn(self, some: NDArray[np.int64], worth: torch.Tensor) -> float:
        """One step towards what is worth most in some decisions."""
        data = self.rollout_buffer._get_samples(some)
        features = self.policy.extract_features(data.observations)
        likes, values = self.policy.action_net(features), self.policy.value_net(features)
        part_loss = copy_loss if self.part == "copying" else lesson_loss
        loss = part_loss(likes, data.action_masks > 0, worth)
        loss = loss + self.vf_coef * nn.functional.mse_loss(values.flatten(), data.returns)
        self.policy.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), LARGEST_STEP)
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


def log_odds(likes: torch.Tensor, allowed: torch.Tensor) -> torch.Tensor:
    """The logarithms of the odds that preferences give to what is allowed."""
    return torch.log_softmax(torch.where(allowed, likes, NEVER), dim=1)


def copy_loss(likes: torch.Tensor, allowed: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """How far the odds are from the choice of the teacher, which is 1 among zeros."""
    return -(chosen * log_odds(likes, allowed)).sum(dim=1).mean()


def lesson_loss(likes: torch.Tensor, allowed: torch.Tensor, worth: torch.Tensor) -> torch.Tensor:
    """Minus the mean outcome under the odds, which a little entropy keeps from hardening."""
    odds = log_odds(likes, allowed)
    gain = torch.where(allowed, worth - SOFTNESS * odds, 0)
    return -(odds.exp() * gain).sum(dim=1).mean()
