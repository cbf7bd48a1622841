"""A trained network that plays: two hidden layers, one forward pass a decision, no torch.

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

from agents.players import Actions, Options, Player, View, random_of
from cardcore import GameSpec
from cardcore.jit import kernel

MOST_BYTES = 50_000_000  # a file beyond that is no player of ours
SHIPPED = "trained"  # the folder beside this page

F32 = np.float32
Floats = NDArray[np.float32]


class Network(NamedTuple):
    """The layers: an observation goes in, a number for each action comes out."""

    weight_1: Floats  # [obs, hidden 1]
    bias_1: Floats
    weight_2: Floats  # [hidden 1, hidden 2]
    bias_2: Floats
    weight_3: Floats  # [hidden 2, actions]
    bias_3: Floats

    def checked(self, spec: GameSpec) -> Network:
        """Itself, if its shapes are those of the game; kernels do not check bounds."""
        n_1, n_2 = len(self.bias_1), len(self.bias_2)
        shapes = [(spec.obs_size, n_1), (n_1,), (n_1, n_2), (n_2,), (n_2, spec.n_actions)]
        for name, array, shape in zip(
            self._fields, self, [*shapes, (spec.n_actions,)], strict=True
        ):
            if array.shape != shape:
                raise ValueError(
                    f"{name} must have shape {shape} for {spec.env_name}, not {array.shape}"
                )
            if not np.isfinite(array).all():
                raise ValueError(f"{name} has numbers that are not finite")
        return self


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
            wanted = 2 if name.startswith("weight") else 1
            if array.dtype.kind != "f" or array.ndim != wanted:
                raise ValueError(f"{name} must be floats with {wanted} axes")
        network = Network(**{name: array.astype(np.float32) for name, array in arrays.items()})
        return network.checked(spec)
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except (SafetensorError, ValueError) as error:
        raise ValueError(f"{path} is no network for {spec.env_name}: {error}") from None


class NetworkPlayer(Player):
    """A network at the table: it takes the action it likes best, or draws one by its odds."""

    def __init__(
        self, spec: GameSpec, options: Options, network: Network, greedy: bool = True
    ) -> None:
        super().__init__(spec, options)
        self.network = Network(*(np.ascontiguousarray(one, np.float32) for one in network))
        self.greedy = greedy
        widths = (len(network.bias_1), len(network.bias_2), len(network.bias_3))
        self.active = np.zeros(max(spec.obs_size, *widths), np.int64)
        self.scratch = tuple(np.zeros(width, np.float32) for width in widths)

    def act(self, view: View) -> Actions:
        """An action for each decision.  # [m]"""
        actions = np.empty(len(view.mask), np.int64)
        seen, mask = np.ascontiguousarray(view.observation), np.ascontiguousarray(view.mask)
        generators = view.chance.generators
        memory = self.active, self.scratch
        choose_all(seen, mask, self.network, *memory, self.greedy, generators, actions)
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
    return json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))


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
    """List the inputs that are above zero, and count them."""
    n = 0
    for i in range(inputs.shape[0]):
        active[n] = i
        n += inputs[i] > 0
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
def layer(inputs, weight, bias, active, out):
    """One layer; inputs that are not above zero say nothing."""
    out[:] = bias
    n = list_active(inputs, active)
    for j in range(0, n - 3, 4):
        a, b, c, d = active[j], active[j + 1], active[j + 2], active[j + 3]
        by_ab, by_cd = (F32(inputs[a]), F32(inputs[b])), (F32(inputs[c]), F32(inputs[d]))
        add_four(out, weight, a, b, c, d, *by_ab, *by_cd)
    for j in range(n - n % 4, n):
        add_one(out, weight, active[j], F32(inputs[active[j]]))


@kernel
def think(row, network, active, scratch):
    """One forward pass; the outcome stands in the last of the scratch arrays."""
    layer(row, network.weight_1, network.bias_1, active, scratch[0])
    layer(scratch[0], network.weight_2, network.bias_2, active, scratch[1])
    layer(scratch[1], network.weight_3, network.bias_3, active, scratch[2])


@kernel
def best_of(out, mask):
    """The allowed action with the highest number, the first of equal ones."""
    best = -1
    for action in range(mask.shape[0]):
        if mask[action] != 0 and (best < 0 or out[action] > out[best]):
            best = action
    return best


@kernel
def drawn_of(out, mask, number):
    """An allowed action drawn by its odds, with a number from 0 up to 1."""
    top, total = out[best_of(out, mask)], 0.0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            total += math.exp(out[action] - top)
    rest, last = number * total, -1
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            last = action
            rest -= math.exp(out[action] - top)
            if rest < 0:
                break
    return last


@kernel
def choose_all(observation, mask, network, active, scratch, greedy, generators, actions):
    """The decisions of a network."""
    for i in range(actions.shape[0]):
        allowed = mask[i]
        think(observation[i], network, active, scratch)
        if greedy:
            actions[i] = best_of(scratch[2], allowed)
        else:
            actions[i] = drawn_of(scratch[2], allowed, random_of(generators[i]))
