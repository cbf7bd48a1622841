"""A tournament's result as tables on the screen and as one page for the browser."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from statistics import fmean

from rich.table import Table
from rich.text import Text

from agents.statistics import Estimate
from agents.tournament import Result, Standing

HEADS = ("player", "rating", "share of wins", "score", "to the others", "places")
WIDTH, ROW, GAP, RIGHT = 540, 34, 12, 30  # of the interval plot, in pixels
WIDEST_NAME = 16  # that keeps to one line on the screen
LETTER = 9  # room for a letter of a name beside it
STYLE = """
body{font:16px/1.5 system-ui,sans-serif;margin:2.5rem auto;max-width:60rem;padding:0 1rem}
body{color:#1c2430}
h1{margin-bottom:.2rem} p.what{color:#5b6675;margin-top:0}
table{border-collapse:collapse;margin:1rem 0 2rem} th,td{padding:.35rem .8rem;text-align:right}
th{border-bottom:2px solid #c9d1db;font-weight:600} td{border-bottom:1px solid #e6eaf0}
th:first-child,td:first-child{text-align:left} small{color:#5b6675}
.heat td{text-align:center;min-width:6.5rem;border:2px solid #fff}
.heat td:first-child{text-align:left}
svg text{font:14px system-ui,sans-serif;fill:#1c2430} svg .faint{fill:#5b6675}
"""


def standings_table(result: Result) -> Table:
    """Who stands where."""
    table = Table(
        title=f"{result.game.capitalize()}, {result.seats} seats", caption=_caption(result)
    )
    table.add_column("player", overflow="fold", min_width=_name_width(result))
    for head in HEADS[1:]:
        table.add_column(head, justify="right", overflow="fold")
    for one in result.standings:
        figures = (_cell(figure, form) for figure, form in _figures(one))
        table.add_row(Text(one.name), *figures, _places(one))
    return table


def cross_table(result: Result) -> Table:
    """The share of wins of one among the rest of another kind."""
    caption = f"even: {1 / result.seats:.1%}"
    table = Table(title="Share of wins of one (row) against the rest (column)", caption=caption)
    table.add_column("one against", overflow="fold", min_width=_name_width(result))
    for name in result.names:
        table.add_column(Text(name), justify="right", overflow="fold")
    for name, row in zip(result.names, result.cross, strict=True):
        cells = ("" if cell is None else _cell(cell, ".1%", ".0%") for cell in row)
        table.add_row(Text(name), *cells)
    return table


def by_duplicates(narrowing: float | None) -> str:
    """What playing each deal at all tables does to an interval, in words, if it has a width."""
    if narrowing is None:
        return ""
    words = f"{narrowing:.2f} × narrower" if narrowing >= 1 else f"{1 / narrowing:.2f} × wider"
    return f", {words} by duplicate deals"


def html_page(results: list[Result]) -> str:
    """One page that needs nothing else: standings, interval plot and heat map of each game."""
    parts = "\n".join(_section(result) for result in results)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>Malus tournament</title><style>{STYLE}</style></head>\n<body>\n{parts}\n"
        "<p><small>Intervals are 95 %, by bootstrap over deals. Less is better for scores. "
        "A rating 400 points higher means ten times the odds of being ahead.</small></p>\n"
        "</body></html>\n"
    )


def check_place(path: Path) -> None:
    """Refuse a place that no page can be written to."""
    if not path.parent.is_dir():
        raise ValueError(f"there is no folder {path.parent} to write {path.name} to")
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name a file in it")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"{path} may not be written")


def _caption(result: Result) -> str:
    known = [one.narrowing for one in result.standings if one.narrowing is not None]
    return (
        f"{result.deals:,} deals, {result.games:,} games, {result.decisions:,} decisions, seed "
        f"{result.seed}; 95 % intervals{by_duplicates(fmean(known) if known else None)}"
    )


def _figures(one: Standing) -> tuple[tuple[Estimate, str], ...]:
    """The figures that have intervals, and how they are written."""
    return (one.rating, ".0f"), (one.share, ".1%"), (one.score, ".2f"), (one.difference, "+.2f")


def _places(one: Standing) -> str:
    return " ".join(f"{place:.0%}" for place in one.places)


def _name_width(result: Result) -> int:
    """Room for the names at the edge of a table, unless they are very long."""
    return min(max(map(len, result.names)), WIDEST_NAME)


def _cell(figure: Estimate, form: str, of_ends: str | None = None) -> Text:
    """A figure with its interval below, both ends of it: they need not be equally far."""
    of_ends = of_ends or form
    ends = f"{figure.low:{of_ends}}..{figure.high:{of_ends}}"  # 80 columns must do
    return Text.assemble(f"{figure.value:{form}}", "\n", (ends, "dim"))


def _range(figure: Estimate, form: str) -> str:
    return f"{figure.low:{form}} to {figure.high:{form}}"


def _marked(figure: Estimate, form: str, between: str = " ") -> str:
    """A figure with its interval for the browser."""
    return f"{figure.value:{form}}{between}<small>({_range(figure, form)})</small>"


def _section(result: Result) -> str:
    options = ", ".join(f"{name} {value}" for name, value in result.options.items())
    return (
        f"<h1>{escape(result.game.capitalize())}, {result.seats} seats</h1>\n"
        f'<p class="what">{escape(_caption(result))}<br>{escape(options)}</p>\n'
        f"{_standings(result)}\n<h2>Share of wins at mixed tables</h2>\n{_interval_plot(result)}\n"
        f"<h2>One against the rest</h2>\n{_heat_map(result)}"
    )


def _standings(result: Result) -> str:
    head = "".join(f"<th>{name}</th>" for name in HEADS)
    rows = "\n".join(_row(one) for one in result.standings)
    return f"<table><tr>{head}</tr>\n{rows}\n</table>"


def _row(one: Standing) -> str:
    figures = (_marked(figure, form) for figure, form in _figures(one))
    cells = "".join(f"<td>{cell}</td>" for cell in (*figures, _places(one)))
    return f"<tr><td>{escape(one.name)}</td>{cells}</tr>"


def _interval_plot(result: Result) -> str:
    """A line for each player from the low to the high end, with a mark at the even share."""
    even = 1 / result.seats
    most = max([even, *(one.share.high for one in result.standings)]) * 1.1
    height = ROW * (len(result.standings) + 1)
    left = GAP + LETTER * max(len(one.name) for one in result.standings)
    width = left + WIDTH + RIGHT

    def x(share: float) -> float:
        return left + WIDTH * share / most

    lines = [
        f'<line x1="{x(even):.1f}" x2="{x(even):.1f}" y1="8" y2="{height - ROW + 8}" '
        'stroke="#9aa5b4" stroke-dasharray="4 4"/>',
        f'<text class="faint" x="{x(even):.1f}" y="{height - 6}" text-anchor="middle">'
        f"even {even:.1%}</text>",
    ]
    for k, one in enumerate(result.standings):
        y = ROW * k + ROW / 2
        lines.append(
            f'<text x="{left - GAP}" y="{y + 5}" text-anchor="end">{escape(one.name)}</text>'
            f'<line x1="{x(one.share.low):.1f}" x2="{x(one.share.high):.1f}" y1="{y}" y2="{y}" '
            'stroke="#2f6fb3" stroke-width="3"/>'
            f'<circle cx="{x(one.share.value):.1f}" cy="{y}" r="5" fill="#2f6fb3"/>'
        )
    body = "\n".join(lines)
    return f'<svg viewBox="0 0 {width} {height}" width="{width}" role="img">\n{body}\n</svg>'


def _heat_map(result: Result) -> str:
    """Blue above the even share, red below it."""
    head = "".join(f"<th>{escape(name)}</th>" for name in result.names)
    rows = []
    for name, row in zip(result.names, result.cross, strict=True):
        cells = "".join(_heat_cell(cell, 1 / result.seats) for cell in row)
        rows.append(f"<tr><td>{escape(name)}</td>{cells}</tr>")
    body = "\n".join(rows)
    return f'<table class="heat"><tr><th>one against</th>{head}</tr>\n{body}\n</table>'


def _heat_cell(cell: Estimate | None, even: float) -> str:
    if cell is None:
        return '<td style="background:#eef1f5"></td>'
    above = (cell.value - even) / (1 - even) if cell.value > even else (cell.value - even) / even
    hue, strength = (212 if above > 0 else 8), min(1.0, abs(above))
    return (
        f'<td style="background:hsl({hue} 70% {97 - 35 * strength:.0f}%)">{cell.value:.1%}'
        f"<br><small>{_range(cell, '.1%')}</small></td>"
    )
