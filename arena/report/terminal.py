"""The tables of the arena's pages on a terminal."""

from collections.abc import Iterator, Sequence

from rich import box, table
from rich.console import RenderableType
from rich.text import Text

from arena.report.findings import Table
from arena.statistics.terms import glossary


def printed(shown: Table) -> table.Table:
    """Return a page's table for a terminal."""
    found = table.Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    found.add_column(shown.columns[0], overflow="fold")
    for heading in shown.columns[1:]:
        found.add_column(heading, justify="right" if len(shown.columns) > 2 else "left")
    for row in shown.rows:
        found.add_row(*map(Text, row))
    return found


def printed_tables(tables: Sequence[Table]) -> Iterator[RenderableType]:
    """Yield tables with their headings and notes."""
    for each in tables:
        yield Text(each.heading, "bold")
        yield printed(each)
        yield Text(f"{each.note}\n")


def terms_of(tables: Sequence[Table]) -> Text:
    """Return the meanings of the terms in tables."""
    terms = {name: meaning for each in tables for name, meaning in each.terms.items()}
    return Text(glossary(terms, terms), "dim")
