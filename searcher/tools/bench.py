"""The benchmark: fixed positions, searched to a fixed depth or for a fixed time.

The signature is the total number of nodes of all positions at their fixed depths with one thread. A change
without functional effect keeps the signature.
"""

import math
import statistics
import time
from collections.abc import Iterator

import msgspec
from rich.table import Table

from battlesnake_search.common.console import Console
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock
from searcher.interface import StrategyChoice
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.precompile.code_units import codes_for
from searcher.precompile.prepare import prepare_code
from searcher.session import SearchSession


class Line(msgspec.Struct):
    """The search of one position. `seconds` is the time of the search alone."""

    name: str
    snakes: int
    depth: int
    nodes: int
    seconds: float
    evaluations: int


class Bench(msgspec.Struct):
    """The whole benchmark. `signature` is None unless one thread searched to the positions' depths."""

    strategy: str
    signature: int | None
    nodes: int
    seconds: float
    nodes_per_second: float
    evaluations_per_second: float
    duel_nodes_per_second: float
    positions: list[Line]


def prepare(choice: StrategyChoice) -> None:
    """Compile the code of `run`, with progress. Raises FaultyEvaluatorError if the evaluator can't play."""
    positions = map(position_in, bench_positions())
    prepare_code(codes_for(position, choice.for_position(position))[0] for position in positions)


def run(choice: StrategyChoice, milliseconds: int | None, depth: int | None, threads: int) -> Bench:
    """Search every position: for a number of milliseconds, to the given depth, or to the position's depth."""
    session, lines = SearchSession(), []
    for entry in bench_positions():
        position = position_in(entry)
        limits = Limits(depth=None if milliseconds else depth or entry.depth, threads=threads)
        seconds = math.inf if milliseconds is None else milliseconds / 1000
        strategy = choice.for_position(position)
        result = session.search(position, strategy, limits, Clock(time.monotonic() + seconds))
        lines.append(_line(entry.name, position, result))
    signature = sum(line.nodes for line in lines)
    fixed = milliseconds is None and depth is None and threads == 1
    return _summary(choice, signature if fixed else None, lines)


def _line(name: str, position: Position, result: Result) -> Line:
    snakes = len(position.snakes)
    return Line(name, snakes, result.depth, result.nodes, result.elapsed, result.evaluations)


def _summary(choice: StrategyChoice, signature: int | None, lines: list[Line]) -> Bench:
    seconds, nodes = sum(line.seconds for line in lines), sum(line.nodes for line in lines)
    duels = [line for line in lines if _is_duel_on_11x11(line)]
    return Bench(
        strategy=str(choice),
        signature=signature,
        nodes=nodes,
        seconds=seconds,
        nodes_per_second=nodes / seconds,
        evaluations_per_second=sum(line.evaluations for line in lines) / seconds,
        duel_nodes_per_second=statistics.median(map(_speed, duels)),
        positions=lines,
    )


def _is_duel_on_11x11(line: Line) -> bool:
    return line.name.startswith("duel-") and len(line.name) == len("duel-a")


def _speed(line: Line) -> float:
    return line.nodes / line.seconds


def report(bench: Bench, as_json: bool) -> None:
    """Print the benchmark as JSON or as a table."""
    if as_json:
        print(msgspec.json.encode(bench).decode())
        return
    console = Console(highlight=False)
    console.print(_table(bench.positions))
    for text in _summary_lines(bench):
        console.print(text)


def _table(lines: list[Line]) -> Table:
    table = Table("position", "snakes", "depth", "nodes", "seconds", "nodes/s", "evaluations/s", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for line in lines:
        speeds = f"{_speed(line):,.0f}", f"{line.evaluations / line.seconds:,.0f}"
        counts = str(line.snakes), str(line.depth), f"{line.nodes:,}", f"{line.seconds:.3f}"
        table.add_row(line.name, *counts, *speeds)
    return table


def _summary_lines(bench: Bench) -> Iterator[str]:
    signature = "none: not at the fixed depths" if bench.signature is None else str(bench.signature)
    yield f"strategy          {bench.strategy}"
    yield f"all positions     {bench.nodes_per_second:,.0f} nodes/s"
    yield f"evaluations       {bench.evaluations_per_second:,.0f} /s"
    yield f"duel on 11x11     {bench.duel_nodes_per_second:,.0f} nodes/s, median"
    yield f"signature         {signature}"
