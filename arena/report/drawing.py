"""What the page's charts have in common: matplotlib's figures as inline SVG, in the page's colours."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from typing import Any

from markupsafe import Markup, escape
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

INK, MUTED, GRID, ALARM = "#010101", "#020202", "#030303", "#040404"
"""Stand-ins for colours; the page's style sheet says what they are, in light and in dark."""

_SIDES = 8
"""Colours of entrants; a ninth has the first one's again."""

DASHES = ("-", "--", ":", "-.")
"""Line styles of entrants, so that nobody has to tell colours apart."""

_WIDTH, _HEIGHT = 4.6, 2.7
_STYLE: dict[Any, Any] = {
    # Names may hold anything, but not be taken for formulas.
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
class Key:
    """An entry of a chart's legend: a colour of the style sheet and a line style."""

    name: str
    colour: str
    dash: str = "-"


@dataclass(frozen=True)
class Chart:
    """A chart for the page. `words` say what it shows; the page gives them the id `{id}-words`."""

    id: str
    title: str
    words: str
    keys: tuple[Key, ...]
    svg: Markup


def side_colour(entrant: int) -> str:
    """The stand-in for an entrant's colour."""
    return f"#0500{entrant % _SIDES:02x}"


def side_dash(entrant: int) -> str:
    """An entrant's line style."""
    return DASHES[entrant % len(DASHES)]


def side_colour_name(entrant: int) -> str:
    """An entrant's colour as the style sheet names it."""
    return f"var(--side-{entrant % _SIDES})"


def side_key(name: str, entrant: int) -> Key:
    """An entrant's entry in a legend."""
    return Key(name, side_colour_name(entrant), side_dash(entrant))


@contextmanager
def axes(height: float = _HEIGHT) -> Iterator[Axes]:
    """Axes to draw on, in the page's style; nothing of it stays behind in matplotlib's settings."""
    with rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        yield figure.add_subplot()


def finished(drawn: Axes, id_: str, title: str, words: str, keys: tuple[Key, ...] = ()) -> Chart:
    """The chart that was drawn; to be called while `axes` is open."""
    buffer = StringIO()
    with rc_context({"svg.hashsalt": id_}):
        figure = drawn.get_figure(root=True)
        assert figure is not None
        figure.savefig(buffer, format="svg", transparent=True, metadata=_NO_METADATA)
    return Chart(id_, title, words, keys, _inlined(buffer.getvalue(), id_, title))


_NO_METADATA = {"Creator": None, "Date": None, "Format": None, "Type": None}


def _inlined(document: str, id_: str, title: str) -> Markup:
    """The SVG element alone: sized by the page, ids its own, colours by name, with what it is read out as."""
    svg = document[document.index("<svg") :]
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg)
    svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\1{id_}-", svg)
    for stand_in, name in _COLOURS.items():
        svg = svg.replace(stand_in, f"var(--{name})")
    spoken = f'role="img" aria-label="{escape(title)}" aria-describedby="{id_}-words"'
    return Markup(svg.replace("<svg", f"<svg {spoken}", 1))


_COLOURS = {INK: "ink", MUTED: "muted", GRID: "grid", ALARM: "alarm"} | {
    side_colour(entrant): f"side-{entrant}" for entrant in range(_SIDES)
}
