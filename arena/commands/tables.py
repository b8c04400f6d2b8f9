"""Tables on a terminal, and those of the arena's pages."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from rich import box, table
from rich.console import RenderableType
from rich.text import Text

from arena.report.findings import Table
from arena.statistics.terms import glossary


def table_of(
    columns: Sequence[str], rows: Iterable[Sequence[str | Text]], right: Collection[str]
) -> table.Table:
    """Return a table. The columns with the headings `right` are aligned at the right."""
    found = table.Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in columns:
        found.add_column(Text(heading), justify="right" if heading in right else "left", overflow="fold")
    for row in rows:
        found.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
    return found


def printed(shown: Table) -> table.Table:
    """Return a page's table for a terminal."""
    return table_of(shown.columns, shown.rows, shown.columns[1:] if len(shown.columns) > 2 else ())


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
