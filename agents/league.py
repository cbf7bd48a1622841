"""The trained players that come with the package: how strong they are, and how one is added.

`measure` plays the published table anew from the shipped files. `python -m agents.league DIR` takes
the best network of a run, measures it and puts it, with a card that says how it was made, among the
shipped ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from agents.match import Entrant
from agents.network import NetworkPlayer, card_of, load_network, shipped, shipped_path
from agents.players import find_player
from agents.seeds import PUBLISHED, seed_for
from agents.tournament import Lone, alone
from cardcore import GameSpec, find_game, game_names

DEALS = 2000
SEED = 1
YARDSTICKS = ("tuned", "basic")


@dataclass(frozen=True)
class Line:
    """One line of the table: a shipped player among others of one kind."""

    game: str
    seats: int
    against: str
    found: Lone
    published: float  # the share of wins on the player's card


def measure(deals: int = DEALS, seed: int = SEED, threads: int = 1) -> Iterator[Line]:
    """The table, line by line, from the shipped files."""
    for name in game_names():
        spec = find_game(name)
        for seats, path in sorted(shipped(spec).items()):
            published = card_of(path)["against"]
            for against in YARDSTICKS:
                found = one_against(spec, seats, path, against, deals, seed, threads)
                share = published[against]["share"]["value"]
                yield Line(name, seats, against, found, share)


def one_against(
    spec: GameSpec, seats: int, path: Path, against: str, deals: int, seed: int, threads: int = 1
) -> Lone:
    """One network from a file among players of a name."""
    one = Entrant("ppo", partial(NetworkPlayer, network=load_network(path, spec)))
    rest = Entrant(against, find_player(against, spec))
    options = spec.checked(seats, {})
    return alone(spec, options, one, rest, deals, seed_for(PUBLISHED, seed), threads)


def publish(folder: Path, deals: int = DEALS) -> Path:
    """Measure the best network of a run, and ship it with its card."""
    from agents.training import BEST, PROGRESS, SETTINGS, Settings, strength

    settings = Settings.read((folder / SETTINGS).read_text(encoding="utf-8"))
    evaluations = json.loads((folder / PROGRESS).read_text(encoding="utf-8"))
    spec, seats, network = find_game(settings.game), settings.seats, folder / BEST
    to = shipped_path(spec, seats)
    card = {
        "game": spec.env_name,
        "seats": seats,
        "command": settings.command(),
        "best_after": max(evaluations, key=strength)["steps"],
        "settings": asdict(settings),
        "deals": deals,
        "seed": SEED,
        "against": {
            name: asdict(one_against(spec, seats, network, name, deals, SEED))
            for name in YARDSTICKS
        },
    }
    to.parent.mkdir(exist_ok=True)
    to.write_bytes(network.read_bytes())
    to.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return to


def main(words: Sequence[str] | None = None) -> None:
    """Ship the best network of a run."""
    parser = argparse.ArgumentParser(description="Ship the best network of a training run.")
    parser.add_argument("run", type=Path, help="the folder of the run")
    parser.add_argument("--deals", type=int, default=DEALS)
    args = parser.parse_args(words)
    try:
        to = publish(args.run, args.deals)
    except (OSError, ValueError) as error:
        parser.error(f"{args.run} is no run that could be shipped: {error}")
    for name, found in card_of(to)["against"].items():
        print(f"against {name}: {found['share']['value']:.3f}")
    print(f"written to {to}")


if __name__ == "__main__":
    main()
