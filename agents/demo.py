"""The demo: a tournament in every installed game, ending with tables and a page for the browser.

python -m agents.demo --deals 200 --seats 4
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents.cli import hold_on_screen, screen, show
from agents.players import player_names
from agents.report import html_page
from cardcore import find_game, game_names
from cardcore.options import whole_number
from cardcore.spec import check_seed

DEALS = 200
THREADS = 2
PAGE = Path("runs/demo.html")


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m agents.demo",
        description="Hold a tournament in every installed game and show who is better.",
    )
    games = ", ".join(game_names())
    parser.add_argument("game", nargs="*", help=f"games to play, of {games} (default: all)")
    parser.add_argument("--deals", type=int, default=DEALS, help="default: %(default)s")
    parser.add_argument("--seats", type=int, help="at each table (default: the game's own)")
    parser.add_argument("--seed", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--out", type=Path, default=PAGE, help="default: %(default)s")
    args: Any = parser.parse_args(argv)
    try:
        whole_number("--deals", args.deals, 2, 1_000_000)
        check_seed(args.seed)
        specs = [find_game(name) for name in args.game or game_names()]
        options = [spec.checked(args.seats, {}) for spec in specs]
    except ValueError as error:
        parser.error(str(error))
    if not specs:
        parser.error("no games are installed: install this project first (pip install -e .)")
    results = []
    for spec, chosen in zip(specs, options, strict=True):
        with screen.status(f"{spec.name}: compiling, once"):
            hold_on_screen(spec, player_names(spec), chosen, 2, args.seed, 1, quiet=True)
        results.append(
            hold_on_screen(spec, player_names(spec), chosen, args.deals, args.seed, THREADS)
        )
        show(results[-1])
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(html_page(results), encoding="utf-8")
    screen.print(f"the same as a page: {args.out}")


if __name__ == "__main__":
    main()
