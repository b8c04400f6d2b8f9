"""The gain from more threads: the turns completed in the same time, compared with one thread.

    python -m benchmarks.threads

A search with a time limit does not complete the same depth each time. So the run with one thread is repeated,
to show how often a difference is due to chance.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from operator import gt, lt

import click
import msgspec
from rich.console import Console
from rich.table import Table

from battlesnake_search.common.cli import CONTEXT
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock
from searcher.interface import StrategyChoice
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import MoveBody, position_in
from searcher.precompile.code_units import codes_for
from searcher.precompile.prepare import prepare_code
from searcher.session import SearchSession
from searcher.strategies import parse_choice
from tests.support.services import ROOT

BOOK = ROOT / "arena" / "books" / "duels-11x11.jsonl"

STRATEGIES = ("paranoid/area", "paranoid-full/area", "brs/area", "simultaneous/area")

TRIES = {"1": 1, "2": 2, "1 again": 1}
"""The threads of each search of a position, by label."""

COLUMNS = ("strategy", "threads", "turns", "deeper in", "less deep in", "of", "nodes")


@click.command(context_settings=CONTEXT)
@click.option("--strategy", "names", multiple=True, default=STRATEGIES, help="A strategy; may be repeated.")
@click.option(
    "--time", "milliseconds", type=click.IntRange(1), default=300, help="Milliseconds for each search."
)
@click.option(
    "--positions", type=click.IntRange(1), help="Number of positions, from the first.  [default: all]"
)
def main(names: Sequence[str], milliseconds: int, positions: int | None) -> None:
    """Search the positions of the bench and the book of duels with one thread, two, and one again."""
    chosen = list(_positions())[:positions]
    table = Table(*COLUMNS)
    for choice in map(parse_choice, names):
        results_by_label = _search(choice, chosen, milliseconds / 1000)
        for label, results in results_by_label.items():
            table.add_row(str(choice), label, *_figures(results, results_by_label["1"]))
    Console(width=100).print(table)


def _positions() -> Iterator[Position]:
    """Yield positions on boards up to 11x11: on larger boards most searches complete only a few turns."""
    bench = [position_in(entry) for entry in bench_positions()]
    yield from (position for position in bench if max(position.width, position.height) <= 11)
    decoder = msgspec.json.Decoder(MoveBody)
    for line in BOOK.read_bytes().splitlines():
        yield position_in(decoder.decode(line))


def _search(choice: StrategyChoice, positions: Sequence[Position], seconds: float) -> dict[str, list[Result]]:
    """Return the search results of each position, by label of TRIES.

    Each position is searched in all ways before the next one, so that noise of the machine affects all
    of them alike.
    """
    prepare_code(codes_for(position, choice.for_position(position))[0] for position in positions)
    session = SearchSession()
    results: dict[str, list[Result]] = {label: [] for label in TRIES}
    for position in positions:
        strategy = choice.for_position(position)
        for label, threads in TRIES.items():
            clock = Clock(time.monotonic() + seconds)
            results[label].append(session.search(position, strategy, Limits(threads=threads), clock))
    return results


def _figures(results: Sequence[Result], ones: Sequence[Result]) -> tuple[str, ...]:
    """Return mean depth, positions deeper and less deep than in `ones`, their number, and the node ratio."""
    node_ratio = statistics.median(
        result.nodes / one.nodes for result, one in zip(results, ones, strict=True)
    )

    def count(compare: Callable[[int, int], bool]) -> str:
        return str(sum(compare(result.depth, one.depth) for result, one in zip(results, ones, strict=True)))

    turns = statistics.mean(result.depth for result in results)
    return f"{turns:.2f}", count(gt), count(lt), str(len(ones)), f"{node_ratio:.2f}x"


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.threads")
