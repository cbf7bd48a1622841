"""MaskablePPO for games of turns: a network that weighs actions, and a teacher at the beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import (
    MaskableCategoricalDistribution,
    MaskableDistribution,
)
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.type_aliases import Schedule
from torch import nn

from agents.aspects import Aspects, Choices
from agents.lookahead import outcomes
from agents.network import Network, NetworkPlayer, Singles
from agents.players import Actions, Chance, Player, View, new_generators
from agents.sb3 import FEWEST, AllSeats, SeatBuffer

COPY_BATCH, LESSON_BATCH = 512, 64  # small ones: these parts want many steps more than sure ones
TAUGHT_RATE = 1e-3  # of learning, before practice; falls to a tenth within each part
LAST_RATE = 0.1
CRITIC = 0.5  # how much the critic counts in the lessons
LATE = 5.0  # the mean of the weights is over about one in so many steps of a part, the last ones
COPYING, LESSONS, PRACTICE, SELF_PLAY = "copying", "lessons", "practice", "self-play"
EPOCHS = {COPYING: 2, LESSONS: 1, PRACTICE: 2}  # lessons are cheap: new ones teach more than old
LARGEST_STEP = 5.0  # of the gradient of a part that is taught
NEVER = -80.0  # log odds of what is not allowed: one in 10^34, and no lower, as exp is slow there


class Weighed(NamedTuple):
    """The allowed actions of m decisions, a row each, in order of decision and action."""

    decision: torch.Tensor  # [rows]
    action: torch.Tensor  # [rows]
    odds: torch.Tensor  # [rows] their logarithms
    values: torch.Tensor  # [m] what the critic expects

    def odds_of(self, actions: torch.Tensor) -> torch.Tensor:
        """The logarithms of the odds of one allowed action of each decision.  # [m]"""
        return self.odds[self.action == actions.index_select(0, self.decision)]

    def sums(self, numbers: torch.Tensor) -> torch.Tensor:
        """The sum over the actions of each decision.  # [m]"""
        return sums_by(self.decision, numbers, len(self.values))

    def among(self, rows: torch.Tensor) -> Weighed:
        """The odds among some of the actions.  # [rows] flags"""
        decision, action = self.decision[rows], self.action[rows]
        odds = log_odds(self.odds[rows], decision, len(self.values))
        return Weighed(decision, action, odds, self.values)

    def entropy(self) -> torch.Tensor:
        """How undecided it is.  # [m]"""
        return -self.sums(self.odds.exp() * self.odds)


class WeighingPolicy(MaskableActorCriticPolicy):
    """The network of agents/network.py as stable-baselines3 wants it, and a critic beside it.

    Actor and critic share the first layer. The aspects of the allowed actions are found anew
    from the observations, wherever these come from.
    """

    def __init__(self, *args: Any, aspects: Aspects, hidden: tuple[int, int], **more: Any) -> None:
        self.aspects, self.hidden = aspects, hidden
        super().__init__(*args, **more)

    def _build(self, lr_schedule: Schedule) -> None:
        (n_1, n_2), odds = self.hidden, self.action_dist
        assert isinstance(odds, MaskableCategoricalDistribution)
        self.first = nn.Linear(self.features_dim, n_1)
        self.second = nn.Linear(n_1, n_2, bias=False)
        self.of_action = nn.Parameter(torch.zeros(odds.action_dim, n_2))
        self.of_aspect = nn.Parameter(even(self.aspects.n, n_2))
        self.third = nn.Parameter(even(n_2, 1).flatten())
        self.critic = nn.Sequential(nn.Linear(n_1, n_2), nn.ReLU(), nn.Linear(n_2, 1))
        self.optimizer = self.optimizer_class(
            self.parameters(),
            lr=lr_schedule(1),  # type: ignore[call-arg]
            **self.optimizer_kwargs,
        )

    def weigh(self, seen: torch.Tensor, masks: NDArray[Any] | torch.Tensor) -> Weighed:
        """How the allowed actions of m decisions are liked, and what the critic expects."""
        allowed = np.asarray(masks, np.int8).reshape(len(seen), -1)
        found = self.aspects.choices(seen.numpy(), allowed)
        if not np.bincount(found.decision, minlength=len(seen)).all():
            raise ValueError("a decision without an allowed action cannot be weighed")
        decision, action = torch.from_numpy(found.decision), torch.from_numpy(found.action)
        first = self.first(seen.float()).relu_()
        second = self.second(first).index_select(0, decision)
        second = second + self.of_action.index_select(0, action)
        second = torch.addmm(second, torch.from_numpy(found.aspects), self.of_aspect)
        likes = second.relu_() @ self.third
        odds = log_odds(likes, decision, len(seen))
        return Weighed(decision, action, odds, self.critic(first).flatten())

    def get_distribution(
        self, obs: Any, action_masks: NDArray[Any] | None = None
    ) -> MaskableDistribution:
        """The odds of the actions; without masks there are none."""
        if action_masks is None:
            raise ValueError("this policy weighs allowed actions: it needs action_masks")
        return self._distribution(self.weigh(obs, action_masks))

    def _distribution(self, weighed: Weighed) -> MaskableDistribution:
        """The odds of all actions, with none for what is not allowed."""
        n_actions, n = len(self.of_action), len(weighed.values)
        where = (weighed.decision, weighed.action)
        odds = torch.full((n, n_actions), NEVER).index_put(where, weighed.odds)
        return self.action_dist.proba_distribution(odds)

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions, values, and the logarithms of the odds of these actions."""
        weighed = self.weigh(obs, action_masks)
        actions = self._distribution(weighed).get_actions(deterministic=deterministic)
        return actions, weighed.values[:, None], weighed.odds_of(actions)

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values, the logarithms of the odds of some actions, and the entropy."""
        weighed = self.weigh(obs, action_masks)
        return weighed.values[:, None], weighed.odds_of(actions), weighed.entropy()

    def predict_values(self, obs: Any) -> torch.Tensor:
        """What the critic expects."""
        return self.critic(torch.relu(self.first(obs.float())))

    def network(self) -> Network:
        """The actor alone, for playing."""
        arrays = (
            self.first.weight.T,
            self.first.bias,
            self.second.weight.T,
            self.of_action,
            self.of_aspect,
            self.third,
        )
        return Network(*(array.detach().numpy().copy() for array in arrays))


def even(n_in: int, n_out: int) -> torch.Tensor:
    """Weights to begin with, as those of torch's own linear layers."""
    return (2 * torch.rand(n_in, n_out) - 1) / np.sqrt(max(n_in, 1))


class Part(NamedTuple):
    """A stretch of a run in which the network is taught."""

    name: str
    start: int  # the decisions that come before it
    end: int


class SelfPlay(MaskablePPO):
    """MaskablePPO that is taught first, in three parts.

    At first it copies: half of the lanes are played by the teacher and half by the network, so that
    it meets its own mistakes, and it learns what the teacher would do. Then it has lessons: it sits
    alone among its teacher's like, at each of its decisions every legal action is played out by the
    teacher (agents/lookahead.py), and the odds of what did better rise. Practice is the same, but
    it plays its own seat on itself, and what it has all but ruled out is not played out. The rest
    is PPO, at all seats.

    From the lessons on, the player is the mean of the weights of late: single ones shake. Each part
    goes on from the mean of the one before.
    """

    env: AllSeats
    policy: WeighingPolicy
    rollout_buffer: SeatBuffer
    teacher: Player
    parts: Sequence[Part] = ()  # in which it is taught, one after the other
    practice_rate: float  # of learning
    ruled_out: float  # odds below which an action is not played out in practice
    softness: float  # reward that a unit of entropy is worth in lessons and practice
    worth: NDArray[np.float32]  # [step, lane, action] 1 for the teacher's choice; or the outcomes
    part: Part | None = None  # that the buffer was filled in
    mean: dict[str, torch.Tensor] | None = None  # of the weights, once there is one
    mean_of: str | None = None  # the part whose steps are in it
    n_steps_in_mean: int = 0

    @property
    def now_comes(self) -> Part | None:
        """The part that the next rollout belongs to; none in self-play."""
        done = self.num_timesteps
        return next((part for part in self.parts if part.start <= done < part.end), None)

    def network(self) -> Network:
        """The player that has come of it so far."""
        if self.mean is None:
            return self.policy.network()
        weights = {name: array.detach().clone() for name, array in self.policy.named_parameters()}
        self._set_weights(self.mean)
        network = self.policy.network()
        self._set_weights(weights)
        return network

    def _setup_model(self) -> None:
        super()._setup_model()
        self.policy.optimizer.register_step_post_hook(lambda *_: self._count_in())

    def _set_weights(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Put other weights in the place of the policy's."""
        for name, parameter in self.policy.named_parameters():
            parameter.data.copy_(weights[name])

    def _count_in(self) -> None:
        """The weights as they are now go into their mean."""
        if self.mean is not None:
            self.n_steps_in_mean += 1
            newest = LATE / (self.n_steps_in_mean + LATE)
            for name, parameter in self.policy.named_parameters():
                self.mean[name].lerp_(parameter.detach(), newest)

    def _begin_mean(self, part: str) -> None:
        """A part begins: it goes on from the mean of the one before, with a mean of its own."""
        if self.mean is not None:
            self._set_weights(self.mean)
        named = self.policy.named_parameters()
        self.mean = {name: array.detach().clone() for name, array in named}
        self.mean_of, self.n_steps_in_mean = part, 0

    def collect_rollouts(
        self, env: Any, callback: Any, rollout_buffer: Any, n_rollout_steps: int, *rest: Any
    ) -> bool:
        """Fill the buffer by self-play, or with a rollout to be taught."""
        self.part = self.now_comes
        part = SELF_PLAY if self.part is None else self.part.name
        if part not in (COPYING, self.mean_of):
            self._begin_mean(part)
        if self.part is None:
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
        self.worth = np.full(buffer.action_masks.shape, np.nan, np.float32)
        nothing, chance = torch.zeros(env.num_envs), Chance(new_generators(env.num_envs))
        chance.generators["rng"] = np.arange(env.num_envs) + self.num_timesteps
        made_for = env.games.spec, env.games.options
        player = NetworkPlayer(*made_for, self.policy.network(), greedy=False)
        own = NetworkPlayer(*made_for, self.network()) if self._is(PRACTICE) else self.teacher
        while not buffer.full:
            now, worth = env.now, self.worth[buffer.pos]
            view = View(now.observation, now.mask, env.places(), chance)
            shown = self.teacher.act(view)
            if self._is(COPYING):
                actions = self._copy(player, view, shown, worth)
            else:
                actions = self._try_out(env, player, own, view, shown, worth)
            env.step(actions)
            buffer.add(
                now.observation, actions, None, None, nothing, nothing, action_masks=now.mask
            )
        buffer.known[:] = np.isfinite(self.worth).any(axis=2)

    def _copy(
        self, player: NetworkPlayer, view: View, shown: Actions, worth: NDArray[np.float32]
    ) -> Actions:
        """Write down what the teacher would do; the network plays half of the lanes."""
        lanes, (choices, likes) = np.arange(len(shown)), player.weigh(view)
        worth[choices.decision, choices.action] = 0
        worth[lanes, shown] = 1
        return np.where(lanes % 2 == 0, player.choose(choices, likes, view.chance), shown)

    def _try_out(
        self,
        env: AllSeats,
        player: NetworkPlayer,
        own: Player,
        view: View,
        shown: Actions,
        worth: NDArray[np.float32],
    ) -> Actions:
        """Write down what actions lead to where the network's seat is to act; it acts there."""
        mine = np.flatnonzero(env.now.seat == np.arange(env.num_envs) % env.games.num_players)
        luck = Chance(view.chance.generators[mine])
        seen = View(view.observation[mine], view.mask[mine], view.place[mine], luck)
        choices, likes = player.weigh(seen)
        tried = worth_trying(choices, likes, self.ruled_out if self._is(PRACTICE) else 0)
        where, first = mine[choices.decision[tried]], choices.action[tried]
        worth[where, first] = outcomes(env.games, env.now, env.aim, where, first, own, self.teacher)
        actions = shown.copy()
        actions[mine] = player.choose(choices, likes, luck)
        view.chance.generators[mine] = luck.generators
        return actions

    def _is(self, name: str) -> bool:
        """Whether this is the part that the buffer was filled in."""
        return self.part is not None and self.part.name == name

    def train(self) -> None:
        """Update the network, by PPO or towards what it was shown, if there is anything."""
        if self.rollout_buffer.n_known < FEWEST:
            return
        if self.part is None:
            super().train()
            return
        self.policy.set_training_mode(True)
        _, start, end = self.part
        left = max((end - self.num_timesteps) / (end - start), LAST_RATE)
        for group in self.policy.optimizer.param_groups:
            group["lr"] = left * (self.practice_rate if self._is(PRACTICE) else TAUGHT_RATE)
        batch = COPY_BATCH if self._is(COPYING) else LESSON_BATCH
        flat, losses = self.worth.reshape(-1, self.worth.shape[2]), []
        for _ in range(EPOCHS[self.part.name]):
            for some in self.rollout_buffer.parts(batch):
                losses.append(self._learn(some, torch.from_numpy(flat[some])))
        self.logger.record(f"train/{self.part.name}_loss", float(np.mean(losses)))

    def _learn(self, some: NDArray[np.int64], worth: torch.Tensor) -> float:
        """One step towards what is worth most in some decisions."""
        data = self.rollout_buffer._get_samples(some)
        weighed = self.policy.weigh(data.observations, data.action_masks)
        worth = worth[weighed.decision, weighed.action]
        tried = worth.isfinite()
        weighed, worth = weighed.among(tried), worth[tried]
        if self._is(COPYING):
            loss = copy_loss(weighed, worth)
        else:
            loss = lesson_loss(weighed, worth, self.softness)
        self.policy.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), LARGEST_STEP)
        self.policy.optimizer.step()
        return loss.item()


def worth_trying(choices: Choices, likes: Singles, least: float) -> NDArray[np.int64]:
    """The rows of actions with higher odds than that, where a decision has two or more of them."""
    starts = np.flatnonzero(np.diff(choices.decision, prepend=-1))
    odds = np.exp(likes - np.maximum.reduceat(likes, starts)[choices.decision])
    odds /= np.add.reduceat(odds, starts)[choices.decision]
    tried = odds > least
    several = np.bincount(choices.decision[tried]) > 1
    return np.flatnonzero(tried & several[choices.decision])


def sums_by(decision: torch.Tensor, numbers: torch.Tensor, n: int) -> torch.Tensor:
    """The sums of the numbers of each of n decisions.  # [n]"""
    return torch.zeros(n).index_add(0, decision, numbers)


def log_odds(likes: torch.Tensor, decision: torch.Tensor, n: int) -> torch.Tensor:
    """The logarithms of the odds that likes give to the actions of n decisions.  # [rows]"""
    most = torch.full((n,), -torch.inf).scatter_reduce(0, decision, likes.detach(), "amax")
    likes = likes - most.index_select(0, decision)
    return likes - sums_by(decision, likes.exp(), n).log().index_select(0, decision)


def copy_loss(weighed: Weighed, chosen: torch.Tensor) -> torch.Tensor:
    """How far the odds are from the choices of the teacher, which are 1 among zeros.  # [rows]"""
    return -(chosen * weighed.odds).sum() / len(weighed.values)


def lesson_loss(weighed: Weighed, worth: torch.Tensor, softness: float) -> torch.Tensor:
    """Minus the mean of what actions are worth under the odds, and how far off the critic is.

    A little entropy keeps the odds from hardening.  # worth [rows]
    """
    gain = weighed.sums(weighed.odds.exp() * worth)
    missed = nn.functional.mse_loss(weighed.values, gain.detach())
    return CRITIC * missed - (gain + softness * weighed.entropy()).mean()
