"""The tables that the benchmarks print, in Markdown, and the outcomes that they count."""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from pathlib import Path


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose columns are wide enough for their cells, for a terminal."""
    cells = [columns, *rows]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    lines = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def recorded_outcomes(database: Path) -> int:
    """Return the number of outcomes in an SQLite file; 0 before the file is ready."""
    with (
        suppress(sqlite3.OperationalError),
        closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection,
    ):
        [(number,)] = connection.execute("SELECT count(*) FROM outcomes").fetchall()
        return int(number)
    return 0
