"""The tables that the benchmarks print, in Markdown, as the pages of the docs have them."""

from collections.abc import Iterable, Sequence


def markdown(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table whose columns are wide enough for their cells, for a terminal."""
    cells = [columns, *rows]
    widths = [max(3, *map(len, column)) for column in zip(*cells, strict=True)]
    cells.insert(1, ["-" * width for width in widths])
    lines = ([cell.ljust(width) for cell, width in zip(row, widths, strict=True)] for row in cells)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
