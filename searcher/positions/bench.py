"""The positions of the benchmark. For the signature they are searched to fixed depths."""

from collections.abc import Iterator
from pathlib import Path

from searcher.positions.move_body import MoveBody, decode_lines

POSITIONS = Path(__file__).with_name("bench.jsonl")


class BenchPosition(MoveBody):
    """A position of the benchmark, and the depth to which the signature searches it, in turns."""

    name: str
    depth: int


def bench_positions() -> Iterator[BenchPosition]:
    """Yield the fixed positions."""
    yield from decode_lines(POSITIONS.name, POSITIONS.read_bytes(), BenchPosition)
