"""`malus`: the command line."""

from __future__ import annotations

import importlib.resources
import importlib.util
import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib.metadata import version
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text
from typer.core import TyperCommand

from agents import bench as bench_module
from agents import tournament as tournaments
from agents.match import Entrant
from agents.players import PlayerError, find_player, player_names
from agents.report import check_place, cross_table, html_page, standings_table
from agents.watching import watch as watch_game
from cardcore import GameSpec, find_game, game_names

if TYPE_CHECKING:
    from agents.training import Run

BAD_INPUT = 2  # the exit code
LISTS = ("--players",)
STEPS = "5M"  # of a training
SLOWEST = 600  # seconds that a rollout may take, for its speed to tell the time that is left
OF_BENCH = ("rlcard", "torch", "sb3_contrib")

app = typer.Typer(
    name="malus",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
screen = Console(markup=False, emoji=False)  # names are shown as they are


class WithLists(TyperCommand):
    """A command whose lists are written as people write them: `--players tuned basic random`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Repeat the option before each of its words, between which there may be commas."""
        spread: list[str] = []
        words = list(args)
        while words:
            word = words.pop(0)
            option, _, first = word.partition("=")
            if option not in LISTS:
                spread.append(word)
                continue
            more = list(takewhile(lambda word: not word.startswith("-"), words))
            del words[: len(more)]
            names = ",".join([first, *more]).replace(",", " ").split()
            if not names:
                _stop(f"{option} wants names, such as {option} tuned basic")
            spread += [part for name in names for part in (option, name)]
        return super().parse_args(ctx, spread)


Game = Annotated[str | None, typer.Argument(help="a game, such as cabanga")]
Players = Annotated[
    list[str] | None,
    typer.Option(
        "--players",
        help="names, or your own as package.module:Name",
        show_default="tuned basic random",
    ),
]
Seats = Annotated[int | None, typer.Option("--seats", help="players at a table")]
Seed = Annotated[int, typer.Option("--seed", help="another seed gives other deals")]
Options = Annotated[
    list[str] | None, typer.Option("--option", "-o", help="an option of the game, as name=value")
]
AsJson = Annotated[bool, typer.Option("--json", help="plain data on standard output instead")]
DEFAULT_PLAYERS = ["tuned", "basic", "random"]


def _show_version(wanted: bool) -> None:
    """Print the version and leave, if that is wanted."""
    if wanted:
        print(f"malus {version('malus')}")
        raise typer.Exit


@app.callback()
def malus(
    show_version: Annotated[
        bool,
        typer.Option(
            "--version", is_eager=True, callback=_show_version, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Penalty-point card games: look at them, watch them, hold tournaments."""


@app.command()
def games(as_json: AsJson = False) -> None:
    """The games, their options and sizes.

    Example: `malus games`
    """
    specs = [find_game(name) for name in game_names()]
    if as_json:
        _print_json([_facts(spec) for spec in specs])
        return
    options = Column("options", overflow="fold")
    table = Table("game", "seats", options, "actions", "observation", "players")
    for spec in specs:
        facts = _facts(spec)
        table.add_row(
            spec.name,
            f"{spec.seats.low}–{spec.seats.high}",
            "\n".join(f"{name}={value}" for name, value in facts["options"].items()),
            str(spec.n_actions),
            str(spec.obs_size),
            "\n".join(facts["players"]),
        )
    screen.print(table)


@app.command()
def rules(game: Game = None) -> None:
    """The rulebook of a game, every rule with its number.

    Example: `malus rules bungee`
    """
    spec = _game(game)
    page = importlib.resources.files(spec.package) / "rulebook.md"
    if not page.is_file():
        _stop(f"{spec.name} brings no rulebook page (rulebook.md in {spec.package})")
    screen.print(Markdown(page.read_text(encoding="utf-8")))


@app.command(cls=WithLists)
def watch(
    game: Game = None,
    players: Players = None,
    seats: Seats = None,
    seed: Seed = 1,
    option: Options = None,
) -> None:
    """One game, move by move; the players take the seats in turn.

    Example: `malus watch cabanga --players tuned basic --seats 4`
    """
    spec = _game(game)
    with _refusing(ValueError, TypeError):
        options = _options(spec, seats, option)
        names = players or DEFAULT_PLAYERS[: options["num_players"]]
        entrants = [Entrant(name, find_player(name, spec)) for name in names]
        lines = watch_game(spec, entrants, options, seed)
    with _refusing(PlayerError):
        for line in lines:
            print(line)


@app.command(cls=WithLists)
def tournament(
    game: Game = None,
    players: Players = None,
    seats: Seats = None,
    deals: Annotated[int, typer.Option(help="games dealt; each is played at every table")] = 500,
    seed: Seed = 1,
    threads: Annotated[int, typer.Option(help="changes the time, never the result")] = 1,
    option: Options = None,
    html: Annotated[Path | None, typer.Option(help="write a page for the browser there")] = None,
    out: Annotated[Path | None, typer.Option(help="write the result as JSON there")] = None,
    as_json: AsJson = False,
) -> None:
    """Who is better, by how much, and how sure that is.

    Example: `malus tournament cabanga --players tuned basic random --seats 4 --deals 2000`
    """
    spec = _game(game)
    with _refusing(ValueError, TypeError):
        for path in filter(None, (html, out)):
            check_place(path)
        plan = tournaments.Plan.of(
            spec,
            players or DEFAULT_PLAYERS,
            options=_options(spec, seats, option),
            deals=deals,
            seed=seed,
            threads=threads,
        )
    with _refusing(PlayerError):
        result = play_on_screen(plan, quiet=as_json)
    if as_json:
        _print_json(result.as_json())
    else:
        show(result)
    if html is not None:
        _write(html, html_page([result]), quiet=as_json)
    if out is not None:
        _write(out, _as_text(result.as_json()) + "\n", quiet=as_json)


@app.command()
def train(
    game: Annotated[str | None, typer.Argument(help="a game, such as cabanga")] = None,
    seats: Seats = None,
    steps: Annotated[
        str | None,
        typer.Option(help="decisions to learn from, such as 500k or 5M", show_default=STEPS),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="the folder of a new run")] = None,
    resume: Annotated[Path | None, typer.Option(help="the folder of a run to go on with")] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="another seed gives another run", show_default="0"),
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("--set", help="a setting of the run, as name=value")
    ] = None,
) -> None:
    """Train a player by self-play (extra `train`); it can be cut short and resumed.

    Examples: `malus train cabanga --seats 4 --steps 5M --out runs/cabanga`,
    `malus train --resume runs/cabanga`
    """
    if (resume is None) == (out is None):
        _stop("say where: --out DIR for a new run, or --resume DIR to go on with one")
    with _refusing(ValueError, TypeError, OSError):
        need_training()
        from agents import training

        if resume is not None:
            if any(word is not None for word in (game, seats, steps, seed, setting or None)):
                raise ValueError("a run goes on with its own game and settings: --resume DIR alone")
            run = training.Run.resume(resume)
        elif game is None:
            raise ValueError(f"say which game: {', '.join(game_names())}")
        else:
            chosen = find_game(game).checked(seats, {})["num_players"]
            given = _words(setting, "--set", "entropy=0.01")
            n_steps = whole_steps(STEPS if steps is None else steps)
            run = training.Run.begin(
                out,  # type: ignore[arg-type]
                training.Settings.of(game, chosen, n_steps, seed or 0, given),
            )
    train_on_screen(run)
    best = max(run.evaluations, key=training.strength)
    screen.print(f"best after {best['steps']:,} steps, against {training.YARDSTICK}:")
    for way in ("greedy", "sampled"):
        share = best[way]["share"]
        interval = f"{share['low']:.1%} to {share['high']:.1%}"
        screen.print(f"  {way}: {share['value']:.1%} of the wins ({interval})")
    screen.print(f"its network: {run.folder / training.BEST}")


@app.command()
def league(
    deals: Annotated[int, typer.Option(help="games dealt; each is played at every seat")] = 2000,
    seed: Seed = 1,
    threads: Annotated[int, typer.Option(help="changes the time, never the result")] = 1,
    as_json: AsJson = False,
) -> None:
    """How strong the trained players are that come with the package, played anew.

    Example: `malus league --deals 500`
    """
    from agents import league as leagues

    table = Table("game", "seats", "one ppo against", "share of wins", "on its card", "even")
    lines = []
    with _refusing(ValueError), screen.status("playing"):
        for line in leagues.measure(deals, seed, threads):
            lines.append(asdict(line))
            share = line.found.share
            table.add_row(
                line.game,
                str(line.seats),
                line.against,
                f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})",
                f"{line.published:.1%}",
                f"{1 / line.seats:.1%}",
            )
    if as_json:
        _print_json(lines)
    else:
        screen.print(table)


@app.command()
def bench(
    slices: Annotated[int, typer.Option(help="turns of each contestant")] = 9,
    seconds: Annotated[float, typer.Option(help="length of a turn")] = 0.4,
    out: Annotated[Path, typer.Option(help="JSON report")] = Path("runs/bench.json"),
) -> None:
    """How fast the games run, as ratios to RLCard's Uno (extras `bench` and `train`).

    Example: `malus bench --slices 3`
    """
    for name in OF_BENCH:
        if importlib.util.find_spec(name) is None:
            _stop(
                f'the bench needs {name}, which is not installed: pip install "malus[bench,train]"'
            )
    words = [f"--slices={slices}", f"--seconds={seconds}", f"--out={out}"]
    bench_module.main(words)


def hold_on_screen(
    spec: GameSpec,
    players: Sequence[tournaments.Named],
    options: dict[str, Any],
    deals: int,
    seed: int,
    threads: int,
) -> tournaments.Result:
    """Plan a tournament and hold it with a progress bar."""
    plan = tournaments.Plan.of(
        spec, players, options=options, deals=deals, seed=seed, threads=threads
    )
    return play_on_screen(plan)


def play_on_screen(plan: tournaments.Plan, quiet: bool = False) -> tournaments.Result:
    """A tournament with a progress bar."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("games"),
        TimeRemainingColumn(),
        console=Console(stderr=True, quiet=quiet),
        transient=True,
    )
    with bar:
        task = bar.add_task(plan.spec.name, total=None)
        return plan.hold(
            begin=lambda n_games: bar.update(task, total=n_games),
            report=lambda n: bar.advance(task, n),
        )


def train_on_screen(run: Run) -> None:
    """A training with a progress bar: how far, how fast, how strong."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("steps, {task.fields[speed]}/s,"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[strength]}"),
        console=Console(stderr=True),
        speed_estimate_period=SLOWEST,
    )
    with bar:
        task = bar.add_task(run.settings.game, total=run.settings.steps, speed="–", strength="")
        first = run.model.num_timesteps

        def tell(now: Any) -> None:
            seconds = bar.tasks[task].elapsed
            speed = f"{(now.steps - first) / seconds:,.0f}" if seconds else "–"
            what = f"{run.settings.game}, {now.part}"
            strength = ""
            if now.evaluations:
                share = now.evaluations[-1]["greedy"]["share"]["value"]
                strength = f"{share:.1%} against tuned"
            bar.update(task, completed=now.steps, description=what, speed=speed, strength=strength)

        run.train(tell)


def need_training() -> None:
    """Training is an extra, and may not be installed."""
    try:
        importlib.import_module("agents.training")
    except ModuleNotFoundError as error:
        raise ValueError(
            f'training needs {error.name}, which is not installed: pip install "malus[train]"'
        ) from None


def whole_steps(text: str) -> int:
    """A number of steps as people write it: 500k, 5M."""
    units = {"k": 1_000, "m": 1_000_000}
    unit = units.get(text[-1:].lower(), 1)
    try:
        return round(float(text[:-1] if unit > 1 else text) * unit)
    except (ValueError, OverflowError):
        raise ValueError(f"--steps wants a number such as 500k or 5M, not {text!r}") from None


def show(result: tournaments.Result) -> None:
    """A result on the screen."""
    screen.print(standings_table(result))
    screen.print(cross_table(result))


def _game(name: str | None) -> GameSpec:
    if name is None:
        _stop(f"say which game, before all options: {', '.join(game_names())}")
    with _refusing(ValueError):
        return find_game(name)


def _options(spec: GameSpec, seats: int | None, words: list[str] | None) -> dict[str, Any]:
    """Options of the game from name=value."""
    return spec.checked(seats, _words(words, "--option", "rounds=3"))


def _words(words: list[str] | None, option: str, example: str) -> dict[str, Any]:
    """What name=value says, the values as JSON or as they stand."""
    given: dict[str, Any] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"{option} wants name=value, such as {example}, not {word!r}")
        try:
            given[name] = json.loads(value)
        except json.JSONDecodeError:
            given[name] = value
    return given


def _facts(spec: GameSpec) -> dict[str, Any]:
    """A game as plain data."""
    return {
        "game": spec.name,
        "title": spec.title,
        "seats": [spec.seats.low, spec.seats.high],
        "options": {option.name: option.default for option in (spec.seats, *spec.options)},
        "actions": spec.n_actions,
        "observation": spec.obs_size,
        "state": spec.state_size,
        "players": player_names(spec),
    }


def _as_text(data: Any) -> str:
    """Plain data as JSON, which knows no infinity."""
    return json.dumps(data, indent=1, allow_nan=False)


def _print_json(data: Any) -> None:
    print(_as_text(data))


def _write(path: Path, text: str, quiet: bool) -> None:
    """Write a file and say so."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        _stop(f"{path} cannot be written: {error.strerror}")
    if not quiet:
        screen.print(f"written to {path}")


@contextmanager
def _refusing(*kinds: type[Exception]) -> Iterator[None]:
    """Errors of these kinds are what was typed or who plays; all others are ours, and show."""
    try:
        yield
    except kinds as error:
        _stop(str(error))


def _stop(message: str) -> NoReturn:
    """Say what was wrong and leave."""
    words = Text.assemble(("error:", "red"), f" {message}")
    Console(stderr=True).print(words, highlight=False)
    raise typer.Exit(BAD_INPUT)


def main() -> None:
    """The command itself."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal need not know every sign
    sys.path.insert(0, "")  # a player of one's own may stand in the folder one is in
    app()


if __name__ == "__main__":
    main()
