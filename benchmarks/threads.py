"""What a second thread brings: turns completed in the same time, beside one thread that tries again.

    python -m benchmarks.threads

A search that is cut off by time does not complete the same each time. One thread that tries again shows how
often several may complete less by chance.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import gt, lt

import click
import msgspec
from rich.console import Console
from rich.table import Table

from searcher.bench_positions import bench_positions
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock
from searcher.interface import Strategy
from searcher.move_body import MoveBody, position_in
from searcher.parts import parts_for
from searcher.session import SearchSession
from searcher.strategies import parse_strategy
from tests.support.services import ROOT

BOOK = ROOT / "arena" / "books" / "duels-11x11.jsonl"

STRATEGIES = ("paranoid/area", "paranoid-full/area", "brs/area", "simultaneous/area")

COLUMNS = ("strategy", "threads", "turns", "deeper in", "less deep in", "of", "nodes")


@click.command(context_settings={"show_default": True})
@click.option("--strategy", "names", multiple=True, default=STRATEGIES, help="May be given several times.")
@click.option("--threads", type=click.IntRange(2), default=2, help="Of the searches beside those of one.")
@click.option("--time", "milliseconds", type=click.IntRange(1), default=300, help="Milliseconds a search.")
@click.option("--positions", type=click.IntRange(1), help="How many, from the first on.  [default: all]")
def main(names: Sequence[str], threads: int, milliseconds: int, positions: int | None) -> None:
    """Search positions of the benchmark and the book of duels with one thread, with several, and with one."""
    chosen = list(_positions())[:positions]
    tries = {"1": 1, str(threads): threads, "1 again": 1}
    table = Table(*COLUMNS)
    for strategy in map(parse_strategy, names):
        found = _search(strategy, chosen, tries, milliseconds / 1000)
        for label, results in found.items():
            table.add_row(str(strategy), label, *_figures(results, found["1"]))
    Console(width=100).print(table)


def _positions() -> Iterator[Position]:
    """Of boards up to 11x11: on larger ones time ends most searches within the first few turns."""
    bench = [position_in(entry) for entry in bench_positions()]
    yield from (position for position in bench if max(position.width, position.height) <= 11)
    decoder = msgspec.json.Decoder(MoveBody)
    for line in BOOK.read_bytes().splitlines():
        yield position_in(decoder.decode(line))


def _search(
    strategy: Strategy, positions: Sequence[Position], tries: Mapping[str, int], seconds: float
) -> dict[str, list[Result]]:
    """By label, what so many threads find in each position.

    A position is searched in all ways before the next one, so that the machine's moods hit them alike.
    """
    searcher = SearchSession()
    found: dict[str, list[Result]] = {label: [] for label in tries}
    for position in positions:
        parts_for(position, strategy)[0].load()
        for label, threads in tries.items():
            clock = Clock(time.monotonic() + seconds)
            found[label].append(searcher.search(position, strategy, Limits(threads=threads), clock))
    return found


def _figures(results: Sequence[Result], ones: Sequence[Result]) -> tuple[str, ...]:
    """Mean depth, positions with more and less of it than in `ones`, their number, nodes beside theirs."""
    nodes = statistics.median(result.nodes / one.nodes for result, one in zip(results, ones, strict=True))

    def count(compares: Callable[[int, int], bool]) -> str:
        return str(sum(compares(result.depth, one.depth) for result, one in zip(results, ones, strict=True)))

    turns = statistics.mean(result.depth for result in results)
    return f"{turns:.2f}", count(gt), count(lt), str(len(ones)), f"{nodes:.2f}x"


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.threads")
