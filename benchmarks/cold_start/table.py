"""The table of many starts: a row for each figure, with its median and its range."""

from collections.abc import Iterator, Sequence
from statistics import median

from benchmarks.cold_start.memory import Memory
from benchmarks.cold_start.starts import SnakeStart

COLUMNS = ("", "median", "lowest", "highest")


def rows(searchers: Sequence[float], snakes: Sequence[SnakeStart]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row. `searchers` are seconds until a searcher was SERVING."""
    yield _row("searcher: SERVING, s", searchers, 2)
    yield _row("snake: first answer of /, s", [start.answer for start in snakes], 2)
    yield _row("snake: first move, s", [start.move for start in snakes], 2)
    yield _row("snake: first searched move, s", [start.searched for start in snakes], 2)
    without = [start.searched - start.search for start in snakes]
    yield _row("snake: the same without its search, s", without, 2)
    yield from _memory_rows("gateway", [start.gateway for start in snakes])
    yield from _memory_rows("searcher", [start.searcher for start in snakes])


def _memory_rows(process: str, found: Sequence[Memory]) -> Iterator[tuple[str, ...]]:
    yield _row(f"{process}: resident, MB", [each.resident for each in found], 0)
    yield _row(f"{process}: private, MB", [each.private for each in found], 0)
    yield _row(f"{process}: proportional, MB", [each.proportional for each in found], 0)


def _row(name: str, values: Sequence[float], digits: int) -> tuple[str, ...]:
    figures = (median(values), min(values), max(values))
    return (name, *(f"{figure:.{digits}f}" for figure in figures))
