"""The table of many starts."""

from benchmarks.cold_start.memory import Memory
from benchmarks.cold_start.starts import SnakeStart
from benchmarks.cold_start.table import COLUMNS, rows

MEMORY = Memory(resident=90.0, private=60.0, proportional=70.0)


def start(answer: float, search: float) -> SnakeStart:
    """Return a start with its first answer at a time, and the search of its first searched move."""
    return SnakeStart(answer, answer + 0.1, answer + 0.3 + search, search, MEMORY, MEMORY)


def test_each_figure_has_its_median_and_its_range() -> None:
    """The search that a move took does not count for how fast a snake starts."""
    snakes = [start(0.5, 0.05), start(0.3, 0.01), start(0.4, 0.03)]
    found = {name: figures for name, *figures in rows([0.4, 0.9, 0.5], snakes)}
    assert found["searcher: SERVING, s"] == ["0.50", "0.40", "0.90"]
    assert found["snake: first answer of /, s"] == ["0.40", "0.30", "0.50"]
    assert found["snake: first move, s"] == ["0.50", "0.40", "0.60"]
    assert found["snake: first searched move, s"] == ["0.73", "0.61", "0.85"]
    assert found["snake: the same without its search, s"] == ["0.70", "0.60", "0.80"]
    assert found["gateway: resident, MB"] == ["90", "90", "90"]
    assert found["searcher: private, MB"] == ["60", "60", "60"]
    assert found["searcher: proportional, MB"] == ["70", "70", "70"]
    assert {len(row) for row in rows([0.4], snakes)} == {len(COLUMNS)}
