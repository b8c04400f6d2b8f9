"""The page: tables and sentences between its marks."""

import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

NEVER = "–"  # noqa: RUF001
"""Stands in a table for a time at which nothing happened."""

HERE = Path(__file__).parent
PAGE, IMAGES = HERE.parent / "capacity.md", HERE.parent / "images"


def filled(page: str, parts: Mapping[str, str]) -> str:
    """Return the page with these parts between their marks."""
    for name, part in parts.items():
        places = list(re.finditer(rf"^<!-- {name} -->\n(.*?)^<!-- end -->$", page, re.DOTALL | re.MULTILINE))
        if len(places) != 1:
            raise ValueError(f"the page has {len(places)} places for {name} instead of one")
        page = f"{page[: places[0].start(1)]}{part}\n{page[places[0].end(1) :]}"
    return page


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    lines = [list(head), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def figure(value: float) -> str:
    """Format a value with two significant digits, or with all digits before the point."""
    digits = 0 if value == 0 else max(0, 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}"


def percent(part: float) -> str:
    """Format a part of one as percents."""
    return f"{part * 100:.0f} %"


def span(values: Iterable[float], digits: int = 1) -> str:
    """Format the least and the largest of some values."""
    texts = [f"{value:.{digits}f}" for value in sorted(values)]
    return texts[0] if texts[0] == texts[-1] else f"{texts[0]} to {texts[-1]}"
