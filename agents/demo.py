"""The demo: train a small player for about a minute, then see where it stands among the others.

python -m agents.demo cabanga --seats 4
"""

import argparse
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from agents.cli import hold_on_screen, need_training, screen, show, train_on_screen
from agents.network import NetworkPlayer, load_network
from agents.players import player_names
from agents.report import check_place, html_page
from agents.tournament import Named
from cardcore import find_game, game_names
from cardcore.options import whole_number
from cardcore.spec import check_seed

STEPS = 400_000
DEALS = 200
THREADS = 2
PAGE = Path("runs/demo.html")
SMALL: dict[str, Any] = {
    "hidden": (128, 128),
    "copy_steps": 150_000,
    "lesson_steps": 180_000,
    "practice_steps": 40_000,
    "evaluate_every": 100_000,
    "deals": 50,
}


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.demo",
        description="Train a small player and hold a tournament of it and all others.",
    )
    games = ", ".join(game_names())
    parser.add_argument("game", nargs="?", default="cabanga", help=f"one of {games}")
    parser.add_argument("--steps", type=int, default=STEPS, help="default: %(default)s")
    parser.add_argument("--deals", type=int, default=DEALS, help="default: %(default)s")
    parser.add_argument("--seats", type=int, help="at each table (default: the game's own)")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--out", type=Path, default=PAGE, help="default: %(default)s")
    args: Any = parser.parse_args(argv)
    try:
        need_training()
        from agents.training import BEST, Run, Settings

        whole_number("--deals", args.deals, 2, 1_000_000)
        check_seed(args.seed)
        spec = find_game(args.game)
        options = spec.checked(args.seats, {})
        settings = Settings(spec.name, options["num_players"], args.steps, seed=args.seed, **SMALL)
        args.out.parent.mkdir(parents=True, exist_ok=True)
        check_place(args.out)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    with tempfile.TemporaryDirectory() as folder:
        with screen.status(f"{spec.name}: compiling, once"):
            run = Run.begin(Path(folder) / "run", settings)
        train_on_screen(run)
        network = load_network(run.folder / BEST, spec)
    players: list[Named] = [("trained here", partial(NetworkPlayer, network=network))]
    players += player_names(spec)
    result = hold_on_screen(spec, players, options, args.deals, args.seed, THREADS)
    show(result)
    args.out.write_text(html_page([result]), encoding="utf-8")
    screen.print(f"the same as a page: {args.out}")


if __name__ == "__main__":
    main()
