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
from agents.tournament import MOST_DEALS, MOST_THREADS, Lone, alone
from cardcore import GameSpec, find_game, game_names
from cardcore.options import whole_number

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
            for against in YARDSTICKS:
                published = published_share(path, against)
                found = one_against(spec, seats, path, against, deals, seed, threads)
                yield Line(name, seats, against, found, published)


def published_share(path: Path, against: str) -> float:
    """The share of wins that stands on the card of a shipped player."""
    try:
        return float(card_of(path)["against"][against]["share"]["value"])
    except (KeyError, TypeError):
        raise ValueError(f"the card of {path} has no share of wins against {against}") from None


def one_against(
    spec: GameSpec, seats: int, path: Path, against: str, deals: int, seed: int, threads: int = 1
) -> Lone:
    """One network from a file among players of a name."""
    whole_number("deals", deals, 2, MOST_DEALS)
    whole_number("threads", threads, 1, MOST_THREADS)
    of_deals = seed_for(PUBLISHED, seed)
    one = Entrant("ppo", partial(NetworkPlayer, network=load_network(path, spec)))
    rest = Entrant(against, find_player(against, spec))
    options = spec.checked(seats, {})
    return alone(spec, options, one, rest, deals, of_deals, threads)


def publish(folder: Path, deals: int = DEALS) -> Path:
    """Measure the best network of a run that is done, and ship it with its card."""
    from agents.checkpoint import write_whole
    from agents.training import BEST, evaluations_of, settings_of, strength

    settings, evaluations = settings_of(folder), evaluations_of(folder)
    done = evaluations[-1]["steps"] if evaluations else 0
    if done < settings.steps:
        raise ValueError(f"it is not done: its last evaluation is of {done:,} steps")
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
    write_whole(to, network.read_bytes())
    write_whole(to.with_suffix(".json"), json.dumps(card, indent=1).encode() + b"\n")
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
