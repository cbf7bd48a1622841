"""A trained network that plays: one forward pass a decision, no torch.

The arithmetic of a decision is the same alone and in any batch, so that a tournament gives the same
result whatever its lanes and threads.
"""

from __future__ import annotations

import json
import math
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from agents.aspects import Choices, aspects_of
from agents.players import Actions, Chance, Options, Player, View, random_of
from cardcore import GameSpec
from cardcore.jit import kernel

MOST_BYTES = 50_000_000  # a file beyond that is no player of ours
SHIPPED = "trained"  # the folder beside this page

F32 = np.float32
Singles = NDArray[np.float32]


class Network(NamedTuple):
    """The layers: an observation and the aspects of an action go in, how it is liked comes out.

    The first layer sees the observation, once for each decision. The second sees what the first
    says, which action it is and what its aspects are, once for each allowed action.
    """

    weight_1: Singles  # [obs, hidden 1]
    bias_1: Singles
    weight_2: Singles  # [hidden 1, hidden 2]
    of_action: Singles  # [actions, hidden 2]
    of_aspect: Singles  # [aspects, hidden 2]
    weight_3: Singles  # [hidden 2]

    def checked(self, spec: GameSpec) -> Network:
        """Itself, if its shapes are those of the game; kernels do not check bounds."""
        n_1, n_2, n_aspects = len(self.bias_1), len(self.weight_3), aspects_of(spec).n
        if n_1 == 0 or n_2 == 0:
            raise ValueError(f"a layer of no width has nothing to say: {n_1} and {n_2}")
        shapes = [(spec.obs_size, n_1), (n_1,), (n_1, n_2)]
        shapes += [(spec.n_actions, n_2), (n_aspects, n_2), (n_2,)]
        for name, array, shape in zip(self._fields, self, shapes, strict=True):
            if array.shape != shape:
                raise ValueError(
                    f"{name} must have shape {shape} for {spec.env_name}, not {array.shape}"
                )
            if not np.isfinite(array).all():
                raise ValueError(f"{name} has numbers that are not finite")
        return self


AXES = Network(2, 1, 2, 2, 2, 1)  # type: ignore[arg-type]  # that each array has


def network_bytes(network: Network) -> bytes:
    """A network as a file, in half precision: it plays as well and is half as large."""
    return save({name: array.astype(np.float16) for name, array in network._asdict().items()})


def load_network(path: Path, spec: GameSpec) -> Network:
    """Read a network for a game; a file that is not one is refused, and none can run code."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"it has more than {MOST_BYTES:,} bytes")
        arrays = load(path.read_bytes())
        if set(arrays) != set(Network._fields):
            raise ValueError(f"it must hold {', '.join(Network._fields)}, not {sorted(arrays)}")
        for name, array in arrays.items():
            wanted = getattr(AXES, name)
            if array.dtype.kind != "f" or array.ndim != wanted:
                raise ValueError(f"{name} must be floats with {wanted} axes")
        network = Network(**{name: array.astype(np.float32) for name, array in arrays.items()})
        return network.checked(spec)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except KeyError as error:  # that is how safetensors puts it
        raise ValueError(f"{path} has numbers that numpy does not know: {error}") from None
    except (SafetensorError, ValueError) as error:
        raise ValueError(f"{path} is no network for {spec.env_name}: {error}") from None


class NetworkPlayer(Player):
    """A network at the table: it takes the action it likes best, or draws one by its odds."""

    only_reads = True

    def __init__(
        self, spec: GameSpec, options: Options, network: Network, greedy: bool = True
    ) -> None:
        super().__init__(spec, options)
        arrays = (np.ascontiguousarray(one, np.float32) for one in network)
        self.network = Network(*arrays).checked(spec)
        self.aspects = aspects_of(spec)
        self.greedy = greedy
        n_1, n_2 = len(network.bias_1), len(network.weight_3)
        self.active = np.zeros(max(spec.obs_size, n_1, self.aspects.n), np.int64)
        self.scratch = np.zeros(n_1, np.float32), *np.zeros((2, n_2), np.float32)

    def act(self, view: View) -> Actions:
        """An action for each decision.  # [m]"""
        return self.choose(*self.weigh(view), view.chance)

    def weigh(self, view: View) -> tuple[Choices, Singles]:
        """The allowed actions of each decision, and how much each is liked."""
        seen = np.ascontiguousarray(view.observation)
        choices = self.aspects.choices(seen, view.mask)
        likes = np.empty(len(choices.action), np.float32)
        think_all(seen, choices, self.network, self.active, self.scratch, likes)
        return choices, likes

    def choose(self, choices: Choices, likes: Singles, chance: Chance) -> Actions:
        """An action for each decision, by how much each is liked.  # [m]"""
        actions = np.empty(len(chance.generators), np.int64)
        choose_all(choices, likes, self.greedy, chance.generators, actions)
        return actions


def shipped_path(spec: GameSpec, seats: int) -> Path:
    """Where the trained player for so many seats lies in the package."""
    return Path(str(files("agents"))) / SHIPPED / f"{spec.env_name}-{seats}.safetensors"


def shipped(spec: GameSpec) -> dict[int, Path]:
    """The trained players that come with the package, by the seats they were trained for."""
    places = {n: shipped_path(spec, n) for n in range(spec.seats.low, spec.seats.high + 1)}
    return {seats: path for seats, path in places.items() if path.is_file()}


def card_of(path: Path) -> dict[str, Any]:
    """What stands on the card beside a trained player: how it was made, how strong it is."""
    card = path.with_suffix(".json")
    try:
        return json.loads(card.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"{card} cannot be read: {error}") from None


class Ppo(NetworkPlayer):
    """The trained player that comes with the package: that of the nearest number of seats."""

    def __init__(self, spec: GameSpec, options: Options) -> None:
        found = shipped(spec)
        if not found:
            raise ValueError(f"no trained player of {spec.name} comes with this version")
        seats = min(found, key=lambda n: (abs(n - options["num_players"]), n))
        super().__init__(spec, options, load_network(found[seats], spec))


@kernel
def list_active(inputs, active):
    """List the inputs that are not zero, and count them."""
    n = 0
    for i in range(inputs.shape[0]):
        active[n] = i
        n += inputs[i] != 0
    return n


@kernel
def add_four(to, weight, a, b, c, d, by_a, by_b, by_c, by_d):
    """Add four rows of weights, each times its input: four at a time spare the memory."""
    for k in range(to.shape[0]):
        sum_ab = by_a * weight[a, k] + by_b * weight[b, k]
        to[k] += sum_ab + (by_c * weight[c, k] + by_d * weight[d, k])


@kernel
def add_one(to, weight, a, by_a):
    """Add one row of weights times its input."""
    for k in range(to.shape[0]):
        to[k] += by_a * weight[a, k]


@kernel
def add_rows(inputs, weight, active, out):
    """Add what the inputs say to a layer; those that are zero say nothing."""
    n = list_active(inputs, active)
    for j in range(0, n - 3, 4):
        a, b, c, d = active[j], active[j + 1], active[j + 2], active[j + 3]
        by_ab, by_cd = (F32(inputs[a]), F32(inputs[b])), (F32(inputs[c]), F32(inputs[d]))
        add_four(out, weight, a, b, c, d, *by_ab, *by_cd)
    for j in range(n - n % 4, n):
        add_one(out, weight, active[j], F32(inputs[active[j]]))


@kernel
def size_up(row, network, active, first, situation):
    """What the network makes of an observation, before it looks at the actions."""
    first[:] = network.bias_1
    add_rows(row, network.weight_1, active, first)
    for k in range(first.shape[0]):
        first[k] = max(first[k], F32(0))
    situation[:] = 0
    add_rows(first, network.weight_2, active, situation)


@kernel
def like_of(action, aspects, network, active, situation, second):
    """How much an action is liked."""
    for k in range(second.shape[0]):
        second[k] = situation[k] + network.of_action[action, k]
    add_rows(aspects, network.of_aspect, active, second)
    like = F32(0)
    for k in range(second.shape[0]):
        like += max(second[k], F32(0)) * network.weight_3[k]
    return like


@kernel
def think_all(observation, choices, network, active, scratch, likes):
    """How much every allowed action of every decision is liked."""
    first, situation, second = scratch
    seen = -1
    for row in range(likes.shape[0]):
        decision, action = choices.decision[row], choices.action[row]
        if decision != seen:
            seen = decision
            size_up(observation[decision], network, active, first, situation)
        likes[row] = like_of(action, choices.aspects[row], network, active, situation, second)


@kernel
def best_of(likes, start, end):
    """The row that is liked best, the first of equal ones."""
    best = start
    for row in range(start + 1, end):
        if likes[row] > likes[best]:
            best = row
    return best


@kernel
def drawn_of(likes, start, end, number):
    """A row drawn by its odds, with a number from 0 up to 1."""
    top, total = likes[best_of(likes, start, end)], 0.0
    for row in range(start, end):
        total += math.exp(likes[row] - top)
    rest = number * total
    for row in range(start, end):
        rest -= math.exp(likes[row] - top)
        if rest < 0:
            return row
    return end - 1


@kernel
def choose_all(choices, likes, greedy, generators, actions):
    """The decisions: the rows of each stand together."""
    start, n_rows = 0, likes.shape[0]
    for i in range(actions.shape[0]):
        end = start
        while end < n_rows and choices.decision[end] == i:
            end += 1
        if greedy:
            row = best_of(likes, start, end)
        else:
            row = drawn_of(likes, start, end, random_of(generators[i]))
        actions[i] = choices.action[row]
        start = end
