"""The whole PettingZoo face of a game, made from its GameSpec.

It checks order, bounds and legality itself, so that no wrapper is needed around it: an error leaves
the game as it was.
"""

from __future__ import annotations

import copy
import operator
import warnings
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, register
from pettingzoo.env_registry.registration import aec_registry

from cardcore import blocks, saves
from cardcore.rng import substream
from cardcore.spec import ILLEGAL, OVER, SCORED, GameSpec, check_seed, fresh_seed
from cardcore.tables import known_keys

Observation = dict[str, NDArray[np.int8]]
NAMESPACE = "malus"
SET_BY_RESET = frozenset(
    "agents agent_selection rewards terminations truncations infos _cumulative_rewards".split()
)
PROPERTIES_OF_THEM = frozenset({"num_agents"})
LARGEST_REWARD = 2**31


class GameEnv(AECEnv[str, Observation, int | None]):
    """One game among named players: `reset`, then `last` and `step` in turn, as in PettingZoo."""

    def __init__(
        self,
        spec: GameSpec,
        num_players: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode must be 'ansi' or None, not {render_mode!r}")
        self.spec = spec
        self.options = spec.checked(num_players, options)
        self.render_mode = render_mode
        self.metadata = {
            "name": spec.env_name,
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self.options["num_players"])]
        self.agent_name_mapping = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces: dict[str, tuple[spaces.Dict, spaces.Discrete]] = {}
        self._state_space: spaces.Box | None = None
        self._games = spec.new_games(1, self.options)
        self._games["stream"] = substream(fresh_seed(), 0)  # until reset(seed=...) names another
        self._obs_size, self._n_actions = spec.obs_size, spec.n_actions
        self._started = False

    def __getattr__(self, name: str) -> Any:
        if name in SET_BY_RESET or name in PROPERTIES_OF_THEM:
            raise AttributeError(f"{name} is not known before reset(): call reset() first")
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    # spaces

    def observation_space(self, agent: str) -> spaces.Dict:
        """A 0/1 vector laid out by the game's blocks, and a mask of what is legal."""
        return self._spaces_of(agent)[0]

    def action_space(self, agent: str) -> spaces.Discrete:
        """All actions of the game; the mask says which are legal now."""
        return self._spaces_of(agent)[1]

    @property
    def observation_spaces(self) -> dict[str, Any]:
        """The observation space of each agent."""
        return {agent: self.observation_space(agent) for agent in self.possible_agents}

    @property
    def action_spaces(self) -> dict[str, Any]:
        """The action space of each agent."""
        return {agent: self.action_space(agent) for agent in self.possible_agents}

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state()`."""
        if self._state_space is None:
            self._state_space = spaces.Box(0, 1, (self.spec.state_size,), np.int8)
        return self._state_space

    def _spaces_of(self, agent: str) -> tuple[spaces.Dict, spaces.Discrete]:
        self._seat(agent)
        if agent not in self._spaces:
            seen = spaces.Box(0, 1, (self.spec.obs_size,), np.int8)
            mask = spaces.Box(0, 1, (self.spec.n_actions,), np.int8)
            both = spaces.Dict({"observation": seen, "action_mask": mask})
            self._spaces[agent] = both, spaces.Discrete(self.spec.n_actions)
        return self._spaces[agent]

    # the course of a game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the game of this seed, or the next of the stream; `options` lay its first round."""
        table = known_keys(options, self.spec.table_keys)
        games = self._games.copy()
        game = games.view(np.recarray)[0]
        if seed is not None:
            game.game_seed = check_seed(seed)
            game.stream, game.episode = substream(game.game_seed, 0), 0
        self.spec.kernels.begin_all(games, seed is not None)
        if table:
            self.spec.lay_table(game, table)
            self.spec.kernels.begin_play_all(games)
        self._games = games
        self._seat_everybody()

    def _seat_everybody(self) -> None:
        """All agents are in the game and have been paid nothing."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[int(self._game().to_act)]
        self._rewarded = False
        self._started = True

    def step(self, action: int | None) -> None:
        """Let the selected agent act; a finished game takes `None` from each agent in turn."""
        agent = self._selected("step")
        if self.terminations[agent]:
            self._leave(agent, action)
            return
        number = action if type(action) is int else self._number(action)
        outcome = ILLEGAL
        if 0 <= number < self._n_actions:
            outcome, to_act = self.spec.kernels.step_one(self._games, number)
        if outcome == ILLEGAL:
            raise ValueError(self.spec.why_not(self._game(), number))
        if self._rewarded:
            self.rewards = dict.fromkeys(self.agents, 0.0)
            self._rewarded = False
        self._cumulative_rewards[agent] = 0.0
        self.agent_selection = self.possible_agents[to_act]
        if outcome == SCORED:
            self._pay()

    def _selected(self, call: str) -> str:
        """The agent whose turn it is, if the game has begun and somebody is still there."""
        if not self._started:
            raise RuntimeError(f"call reset() before {call}()")
        if not self.agents:
            raise RuntimeError("the game is over and every agent has left: call reset()")
        return self.agent_selection

    def _number(self, action: Any) -> int:
        """An action that is some kind of whole number."""
        if action is None and self._started:
            raise ValueError(f"{self.agent_selection} is in the game: None is no action for it")
        if not isinstance(action, bool):
            try:
                return operator.index(action)
            except TypeError:
                pass
        raise TypeError(
            f"an action is a whole number from 0 to {self.spec.n_actions - 1}, not {action!r}"
        )

    def _pay(self) -> None:
        """A round was scored: the reward of each seat is minus what it cost."""
        game = self._game()
        for seat, agent in enumerate(self.agents):
            self.rewards[agent] = float(-game.round_score[seat])
            self._cumulative_rewards[agent] += self.rewards[agent]
        self._rewarded = True
        if game.phase == OVER:
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]

    def _leave(self, agent: str, action: int | None) -> None:
        """An agent takes its leave of a finished game."""
        if action is not None:
            raise ValueError(f"the game is over for {agent}: the only action left is None")
        for book in self._books():
            del book[agent]
        self.agents.remove(agent)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.agents:
            self.agent_selection = self.agents[0]

    def _books(self) -> tuple[dict[str, Any], ...]:
        """Everything that is kept by agent."""
        return (
            self.rewards,
            self._cumulative_rewards,
            self.terminations,
            self.truncations,
            self.infos,
        )

    # what can be seen

    def last(
        self, observe: bool = True
    ) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last step, terminated, truncated, info of who acts next."""
        agent = self._selected("last")
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """What any seat sees at any time; its mask is all zero unless it is being asked."""
        self._need_start("observe")
        seat = self._seat(agent)
        seen = np.empty(self._obs_size, np.int8)
        mask = np.empty(self._n_actions, np.int8)
        self.spec.kernels.observe_one(self._games, seat, seen, mask)
        return {"observation": seen, "action_mask": mask}

    def describe(self, agent: str) -> dict[str, Any]:
        """An agent's observation in words, block by block."""
        return blocks.describe(self.spec.blocks, self.observe(agent)["observation"])

    def state(self) -> NDArray[np.int8]:
        """The full truth as a vector, hidden cards and all."""
        self._need_start("state")
        out = np.empty((1, self.spec.state_size), np.int8)
        self.spec.kernels.state_all(self._games, out)
        return out[0]

    def snapshot(self) -> dict[str, Any]:
        """The full truth as plain Python that JSON can keep."""
        self._need_start("snapshot")
        return self.spec.snapshot(self._game())

    def render(self) -> str | None:
        """The table as text, with all hands open."""
        if self.render_mode is None:
            warnings.warn("render() shows nothing without render_mode='ansi'", stacklevel=2)
            return None
        self._need_start("render")
        return self.spec.render(self.snapshot())

    def close(self) -> None:
        """There is nothing to release."""

    def action_name(self, action: int) -> str:
        """An action in words."""
        return self.spec.action_name(self._number(action))

    def action_id(self, name: str) -> int:
        """The number of an action in words."""
        return self.spec.action_id(name)

    @property
    def game_seed(self) -> int:
        """The seed that `reset(seed=...)` needs to deal this game again."""
        self._need_start("game_seed")
        return int(self._game().game_seed)

    def _need_start(self, call: str) -> None:
        if not self._started:
            raise RuntimeError(f"call reset() before {call}()")

    def _seat(self, agent: str) -> int:
        try:
            return self.agent_name_mapping[agent]
        except (KeyError, TypeError):
            names = ", ".join(self.possible_agents)
            raise ValueError(f"there is no agent {agent!r}; there are {names}") from None

    def _game(self) -> Any:
        return self._games.view(np.recarray)[0]

    # saving

    def save(self) -> bytes:
        """This game as bytes that `load` continues."""
        self._need_start("save")
        face = {"rewards": self.rewards, "since_last_step": self._cumulative_rewards}
        return saves.pack(self.spec, self.options, self._games, face)

    def load(self, data: bytes) -> None:
        """Go on with a saved game of the same options; a bad save changes nothing."""
        games, face = saves.unpack(self.spec, self.options, data)
        over = bool(games["phase"][0] == OVER)
        rewards, since = (
            self._read_rewards(face.get(name), over) for name in ("rewards", "since_last_step")
        )
        if list(rewards) != list(since):
            raise ValueError("this save is damaged: its rewards are of different agents")
        scored = -games.view(np.recarray)[0].round_score[: len(self.possible_agents)]
        if any(rewards.values()) and list(rewards.values()) != scored.tolist():
            raise ValueError("this save is damaged: its rewards are not what the round cost")
        self._games = games
        self._seat_everybody()
        self.agents = list(rewards)
        self.rewards, self._cumulative_rewards = rewards, since
        self._rewarded = any(rewards.values())
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        if over:
            self.agent_selection = (self.agents or self.possible_agents[-1:])[0]

    def _read_rewards(self, rewards: Any, over: bool) -> dict[str, float]:
        """Rewards by agent: all agents in order, or the last of them once the game is over."""
        names = list(rewards) if isinstance(rewards, dict) else None
        start = len(self.possible_agents) - len(names or ())
        if names is None or names != self.possible_agents[start:] or (start and not over):
            raise ValueError("this save is damaged: its agents are not those of this table")
        whole = all(type(value) is float and value.is_integer() for value in rewards.values())
        if not whole or any(abs(value) > LARGEST_REWARD for value in rewards.values()):
            raise ValueError("this save is damaged: a reward is no possible number of points")
        return dict(rewards)

    def clone(self) -> GameEnv:
        """A second environment that goes on from here on its own."""
        twin = copy.copy(self)
        twin._games = self._games.copy()
        twin._spaces = {}
        if self._started:
            twin.agents = self.agents[:]
            twin.rewards = dict(self.rewards)
            twin._cumulative_rewards = dict(self._cumulative_rewards)
            twin.terminations = dict(self.terminations)
            twin.truncations = dict(self.truncations)
            twin.infos = copy.deepcopy(self.infos)
        return twin


def register_env(spec: GameSpec, place: str) -> None:
    """Make a game known to PettingZoo's `make("aec", ...)`, once."""
    name = f"{NAMESPACE}/{spec.env_name}"
    if name not in aec_registry:
        register("aec", name, place)
