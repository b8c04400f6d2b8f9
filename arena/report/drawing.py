"""The common parts of the arena's pages: templates, style, and matplotlib's figures as inline SVG."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from arena.report.wording import SIDES, side_colour_name
from battlesnake_search import viewer

INK, MUTED, GRID, ALARM = "#010101", "#020202", "#030303", "#040404"
"""Placeholders for colours. The page's style sheet defines them for light and dark mode."""

_DASHES = ("-", "--", ":", "-.")
"""Line styles of entrants, so that colour is not the only difference."""

_SIZE = (4.6, 2.7)
"""The inches of a chart, which decide how large its text is."""
_STYLE: dict[Any, Any] = {
    # Text is never a formula.
    "text.parse_math": False,
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.7,
    "text.color": INK,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "lines.linewidth": 1.8,
}


@dataclass(frozen=True)
class LegendEntry:
    """An entry of a chart's legend: a colour of the style sheet and a line style."""

    name: str
    colour: str
    dash: str = "-"


@dataclass(frozen=True)
class Chart:
    """A chart for the page. The page gives the text of `description` the id `{id}-words`."""

    id: str
    title: str
    description: str
    keys: tuple[LegendEntry, ...]
    svg: Markup


def side_colour(entrant: int) -> str:
    """Return the placeholder for an entrant's colour."""
    return f"#0500{entrant % SIDES:02x}"


def side_dash(entrant: int) -> str:
    """Return an entrant's line style."""
    return _DASHES[entrant % len(_DASHES)]


def legend_entry(name: str, entrant: int) -> LegendEntry:
    """Return an entrant's entry in a legend."""
    return LegendEntry(name, side_colour_name(entrant), side_dash(entrant))


@contextmanager
def axes() -> Iterator[Axes]:
    """Open axes in the page's style, and leave matplotlib's settings as they were."""
    with rc_context(_STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        yield figure.add_subplot()


def chart_of(
    drawn: Axes, id_: str, title: str, description: str, keys: tuple[LegendEntry, ...] = ()
) -> Chart:
    """Return the chart drawn on the axes. The axes must still be open."""
    buffer = StringIO()
    with rc_context({"svg.hashsalt": id_}):
        figure = drawn.get_figure(root=True)
        assert figure is not None
        figure.savefig(buffer, format="svg", transparent=True, metadata=_NO_METADATA)
    return Chart(id_, title, description, keys, _inlined(buffer.getvalue(), id_, title))


_NO_METADATA = {"Creator": None, "Date": None, "Format": None, "Type": None}


def _inlined(document: str, id_: str, title: str) -> Markup:
    """Return the SVG element alone: sized by the page, with unique ids, named colours and a spoken label."""
    svg = document[document.index("<svg") :]
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg)
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\1{id_}-", svg)
    for placeholder, name in _COLOURS.items():
        svg = svg.replace(placeholder, f"var(--{name})")
    label = f'role="img" aria-label="{escape(title)}" aria-describedby="{id_}-words"'
    return Markup(svg.replace("<svg", f"<svg {label}", 1))


_COLOURS = {INK: "ink", MUTED: "muted", GRID: "grid", ALARM: "alarm"} | {
    side_colour(entrant): f"side-{entrant}" for entrant in range(SIDES)
}

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """Return the templates of all pages."""
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def source(name: str) -> str:
    """Return the text of a file of the templates."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def style() -> Markup:
    """Return the style sheet of a page."""
    return Markup(viewer.style() + source("style.css"))
