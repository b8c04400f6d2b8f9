"""What a second thread brings: turns completed in the same time, beside one thread that tries again.

    python -m tests.support.threads

A search that is cut off by time does not complete the same each time. How often several threads may complete
less by chance shows one that tries again.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import gt, lt

import click
import msgspec
from rich.console import Console
from rich.table import Table

from searcher.bench import bench_positions
from searcher.engine.clock import Clock
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.recorded import MoveBody, position_in
from searcher.strategies import Searcher, Strategy, parse_strategy, parts_for
from tests.support.services import ROOT

BOOK = ROOT / "arena" / "books" / "duels-11x11.jsonl"

STRATEGIES = ("paranoid/area", "paranoid-full/area", "brs/area", "simultaneous/area")

COLUMNS = ("strategy", "threads", "turns", "deeper in", "less deep in", "of", "nodes")


@dataclass(frozen=True)
class Trial:
    """Of one strategy: what one thread found in each position, what several did, and one thread again."""

    one: list[Result]
    several: list[Result]
    again: list[Result]


@click.command(context_settings={"show_default": True})
@click.option("--strategy", "names", multiple=True, default=STRATEGIES, help="May be given several times.")
@click.option("--threads", type=click.IntRange(2), default=2, help="Of the searches beside those of one.")
@click.option("--time", "milliseconds", type=click.IntRange(1), default=300, help="Milliseconds a search.")
@click.option("--positions", type=click.IntRange(1), help="How many, from the first on.  [default: all]")
def main(names: Sequence[str], threads: int, milliseconds: int, positions: int | None) -> None:
    """Search positions of the benchmark and the book of duels with one thread, with several, and with one."""
    chosen = list(_positions())[:positions]
    table = Table(*COLUMNS)
    for strategy in map(parse_strategy, names):
        trial = _try(strategy, chosen, threads, milliseconds / 1000)
        for label, results in (("1", trial.one), (str(threads), trial.several), ("1 again", trial.again)):
            table.add_row(str(strategy), label, *_figures(results, trial.one))
    Console(width=100).print(table)


def _positions() -> Iterator[Position]:
    """Of boards up to 11x11: on larger ones time ends most searches within the first few turns."""
    bench = [position_in(entry) for entry in bench_positions()]
    yield from (position for position in bench if max(position.width, position.height) <= 11)
    decoder = msgspec.json.Decoder(MoveBody)
    for line in BOOK.read_bytes().splitlines():
        yield position_in(decoder.decode(line))


def _try(strategy: Strategy, positions: Sequence[Position], threads: int, seconds: float) -> Trial:
    """All three searches of one position before those of the next: the machine's moods hit them alike."""
    searcher, trial = Searcher(), Trial([], [], [])
    for position in positions:
        parts_for(position, strategy)[0].load()
        for results, number in ((trial.one, 1), (trial.several, threads), (trial.again, 1)):
            clock = Clock(time.monotonic() + seconds)
            results.append(searcher.search(position, strategy, Limits(threads=number), clock))
    return trial


def _figures(results: Sequence[Result], ones: Sequence[Result]) -> tuple[str, ...]:
    """Mean depth, positions with more and less of it than in `ones`, their number, nodes beside theirs."""
    nodes = statistics.median(result.nodes / one.nodes for result, one in zip(results, ones, strict=True))

    def count(compares: Callable[[int, int], bool]) -> str:
        return str(sum(compares(result.depth, one.depth) for result, one in zip(results, ones, strict=True)))

    turns = statistics.mean(result.depth for result in results)
    return f"{turns:.2f}", count(gt), count(lt), str(len(ones)), f"{nodes:.2f}x"


if __name__ == "__main__":
    main(prog_name="python -m tests.support.threads")
