"""The benchmark: fixed positions, searched to a fixed depth or for a fixed time, beside a yardstick.

The signature is the number of nodes of all positions at their fixed depths, one thread: a change that claims
to keep behaviour keeps it. The yardstick is a loop of one turn and one area evaluation for each position
along random play, in this process: as a ratio to it, speeds of different machines and days compare.
"""

import statistics
import time
from collections.abc import Iterator

import msgspec
from rich.console import Console
from rich.table import Table

from searcher.bench_positions import bench_positions
from searcher.engine.position import Position
from searcher.engine.result import Limits
from searcher.engine.search.clock import Clock
from searcher.interface import Strategy
from searcher.move_body import position_in
from searcher.parts import parts_for
from searcher.session import SearchSession
from searcher.tools.startup import seconds_to_serving
from searcher.tools.yardstick import Loops, Yardstick

DUEL, FOUR = "duel-a", "four-a"
"""The positions that the yardstick is measured on."""
FOREVER = float("inf")


class Line(msgspec.Struct):
    """What one position took. `seconds` is the time of the search alone."""

    name: str
    snakes: int
    depth: int
    nodes: int
    seconds: float
    evaluations: int


class Bench(msgspec.Struct):
    """The whole benchmark. `signature` is None unless the depths were the positions' own, with one thread.

    `pointer_share` is the part of the time in duels that the search would save if it called its evaluator
    directly, not by an address: what evaluators cost for being values.
    """

    strategy: str
    signature: int | None
    nodes: int
    seconds: float
    nodes_per_second: float
    evaluations_per_second: float
    duel_nodes_per_second: float
    duel_nodes_per_yardstick: float
    pointer_share: float
    start_to_serving_seconds: float
    yardstick: Yardstick
    positions: list[Line]


def run(strategy: Strategy, milliseconds: int | None, depth: int | None, threads: int) -> Bench:
    """Searches every position: for so many milliseconds, or to that depth, or to its own."""
    session, lines = SearchSession(), []
    positions = {entry.name: position_in(entry) for entry in bench_positions()}
    yardstick = Loops(positions[DUEL], positions[FOUR])
    for entry in bench_positions():
        position = positions[entry.name]
        yardstick.run()
        parts_for(position, strategy)[0].load()
        limit = None if milliseconds else depth or entry.depth
        lines.append(_search(session, entry.name, position, strategy, limit, milliseconds, threads))
    signature = sum(line.nodes for line in lines)
    fixed = milliseconds is None and depth is None and threads == 1
    return _summary(strategy, signature if fixed else None, lines, yardstick.medians())


def _search(
    session: SearchSession,
    name: str,
    position: Position,
    strategy: Strategy,
    depth: int | None,
    milliseconds: int | None,
    threads: int,
) -> Line:
    deadline = FOREVER if milliseconds is None else time.monotonic() + milliseconds / 1000
    limits = Limits(depth=depth, threads=threads)
    result = session.search(position, strategy, limits, Clock(deadline))
    snakes = len(position.snakes)
    return Line(name, snakes, result.depth, result.nodes, result.elapsed, result.evaluations)


def _summary(strategy: Strategy, signature: int | None, lines: list[Line], yardstick: Yardstick) -> Bench:
    seconds, nodes = sum(line.seconds for line in lines), sum(line.nodes for line in lines)
    duels = [line for line in lines if _is_duel_on_11x11(line)]
    duel = statistics.median(map(_speed, duels))
    evaluations = sum(line.evaluations for line in duels) / sum(line.seconds for line in duels)
    return Bench(
        strategy=str(strategy),
        signature=signature,
        nodes=nodes,
        seconds=seconds,
        nodes_per_second=nodes / seconds,
        evaluations_per_second=sum(line.evaluations for line in lines) / seconds,
        duel_nodes_per_second=duel,
        duel_nodes_per_yardstick=duel / yardstick.positions_per_second,
        pointer_share=evaluations * yardstick.pointer_nanoseconds / 1e9,
        start_to_serving_seconds=seconds_to_serving(),
        yardstick=yardstick,
        positions=lines,
    )


def _is_duel_on_11x11(line: Line) -> bool:
    return line.name.startswith("duel-") and len(line.name) == len("duel-a")


def _speed(line: Line) -> float:
    return line.nodes / line.seconds


def report(bench: Bench, as_json: bool) -> None:
    """Prints the benchmark as JSON or as a table."""
    if as_json:
        print(msgspec.json.encode(bench).decode())
        return
    table = Table("position", "snakes", "depth", "nodes", "seconds", "nodes/s", "evaluations/s", box=None)
    for column in table.columns[1:]:
        column.justify = "right"
    for line in bench.positions:
        speeds = f"{_speed(line):,.0f}", f"{line.evaluations / line.seconds:,.0f}"
        counts = str(line.snakes), str(line.depth), f"{line.nodes:,}", f"{line.seconds:.3f}"
        table.add_row(line.name, *counts, *speeds)
    console = Console(highlight=False)
    console.print(table)
    for text in _closing_lines(bench):
        console.print(text)


def _closing_lines(bench: Bench) -> Iterator[str]:
    stick = bench.yardstick
    signature = "none: not at the fixed depths" if bench.signature is None else str(bench.signature)
    yield f"strategy          {bench.strategy}"
    yield f"all positions     {bench.nodes_per_second:,.0f} nodes/s"
    yield f"evaluations       {bench.evaluations_per_second:,.0f} /s"
    yield f"duel on 11x11     {bench.duel_nodes_per_second:,.0f} nodes/s, median"
    yield f"yardstick         {stick.positions_per_second:,.0f} positions/s, each a turn and an evaluation"
    yield f"duel / yardstick  {bench.duel_nodes_per_yardstick:.2f}"
    yield f"one turn          {_beside(stick, stick.turn_nanoseconds)} in a duel"
    duel, four = stick.duel_evaluation_nanoseconds, stick.four_evaluation_nanoseconds
    yield f"one evaluation    {_beside(stick, duel)} in a duel, {_beside(stick, four)} with four snakes"
    pointer = f"{stick.pointer_nanoseconds:.1f} ns, {bench.pointer_share:.1%} of the time; the goal is 5 %"
    yield f"pointer call      {pointer}"
    yield f"start to SERVING  {bench.start_to_serving_seconds:.2f} s"
    yield f"signature         {signature}"


def _beside(stick: Yardstick, nanoseconds: float) -> str:
    share = nanoseconds * stick.positions_per_second / 1e9
    return f"{nanoseconds:.0f} ns ({share:.2f} of a yardstick position)"
