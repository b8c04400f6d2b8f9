"""The benchmark: fixed positions, searched to a fixed depth or for a fixed time, and a yardstick.

The signature is the total number of nodes of all positions at their fixed depths with one thread. A change
without functional effect keeps the signature. The yardstick is a loop in this process. For each position of
random play, the loop plays one turn and makes one area evaluation. Ratios to it are comparable between
machines and days.
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
from searcher.tools.yardstick import Loops, Yardstick, loop_codes

DUEL, FOUR = "duel-a", "four-a"
"""The positions on which the yardstick is measured."""


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
    duel_nodes_per_yardstick: float
    yardstick: Yardstick
    positions: list[Line]


def prepare(choice: StrategyChoice) -> None:
    """Compile the code of `run`, with progress. Raises FaultyEvaluatorError if the evaluator can't play."""
    positions = _positions()
    parts = [codes_for(position, choice.for_position(position))[0] for position in positions.values()]
    prepare_code([*parts, *loop_codes(positions[DUEL], positions[FOUR])])


def run(choice: StrategyChoice, milliseconds: int | None, depth: int | None, threads: int) -> Bench:
    """Search every position: for a number of milliseconds, to the given depth, or to the position's depth."""
    session, lines = SearchSession(), []
    positions = _positions()
    yardstick = Loops(positions[DUEL], positions[FOUR])
    for entry in bench_positions():
        position = positions[entry.name]
        yardstick.run()
        limits = Limits(depth=None if milliseconds else depth or entry.depth, threads=threads)
        seconds = math.inf if milliseconds is None else milliseconds / 1000
        strategy = choice.for_position(position)
        result = session.search(position, strategy, limits, Clock(time.monotonic() + seconds))
        lines.append(_line(entry.name, position, result))
    signature = sum(line.nodes for line in lines)
    fixed = milliseconds is None and depth is None and threads == 1
    return _summary(choice, signature if fixed else None, lines, yardstick.medians())


def _positions() -> dict[str, Position]:
    return {entry.name: position_in(entry) for entry in bench_positions()}


def _line(name: str, position: Position, result: Result) -> Line:
    snakes = len(position.snakes)
    return Line(name, snakes, result.depth, result.nodes, result.elapsed, result.evaluations)


def _summary(choice: StrategyChoice, signature: int | None, lines: list[Line], yardstick: Yardstick) -> Bench:
    seconds, nodes = sum(line.seconds for line in lines), sum(line.nodes for line in lines)
    duels = [line for line in lines if _is_duel_on_11x11(line)]
    duel = statistics.median(map(_speed, duels))
    return Bench(
        strategy=str(choice),
        signature=signature,
        nodes=nodes,
        seconds=seconds,
        nodes_per_second=nodes / seconds,
        evaluations_per_second=sum(line.evaluations for line in lines) / seconds,
        duel_nodes_per_second=duel,
        duel_nodes_per_yardstick=duel / yardstick.positions_per_second,
        yardstick=yardstick,
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
    stick = bench.yardstick
    signature = "none: not at the fixed depths" if bench.signature is None else str(bench.signature)
    yield f"strategy          {bench.strategy}"
    yield f"all positions     {bench.nodes_per_second:,.0f} nodes/s"
    yield f"evaluations       {bench.evaluations_per_second:,.0f} /s"
    yield f"duel on 11x11     {bench.duel_nodes_per_second:,.0f} nodes/s, median"
    yield f"yardstick         {stick.positions_per_second:,.0f} positions/s, each a turn and an evaluation"
    yield f"duel / yardstick  {bench.duel_nodes_per_yardstick:.2f}"
    yield f"one turn          {_relative(stick, stick.turn_nanoseconds)} in a duel"
    duel, four = stick.duel_evaluation_nanoseconds, stick.four_evaluation_nanoseconds
    yield f"one evaluation    {_relative(stick, duel)} in a duel, {_relative(stick, four)} with four snakes"
    yield f"signature         {signature}"


def _relative(stick: Yardstick, nanoseconds: float) -> str:
    share = nanoseconds * stick.positions_per_second / 1e9
    return f"{nanoseconds:.0f} ns ({share:.2f} of a yardstick position)"
