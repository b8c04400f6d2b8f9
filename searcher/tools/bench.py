"""The benchmark: fixed positions, searched to a fixed depth or for a fixed time, and a yardstick.

The signature is the total number of nodes of all positions at their fixed depths with one thread. A change
without functional effect keeps the signature. The yardstick is a loop in this process. For each position of
random play, the loop plays one turn and makes one area evaluation. Ratios to it are comparable between
machines and days.
"""

import math
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

import grpc
import msgspec
from grpc_health.v1 import health_pb2, health_pb2_grpc
from rich.table import Table

from battlesnake_search.common.console import Console
from battlesnake_search.common.sockets import SocketFolder, address_of
from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.search.clock import Clock
from searcher.interface import StrategyChoice
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.precompile.code_units import codes_for, first_codes
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
    """The whole benchmark. `signature` is None unless one thread searched to the positions' depths.

    `pointer_share` is the share of the time in duels that the search would save if it called its evaluator
    directly instead of by its address. It is the cost of choosing evaluators at run time.
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


def prepare(choice: StrategyChoice) -> None:
    """Compile the code of `run`, with progress. Raises FaultyEvaluatorError if the evaluator can't play."""
    positions = _positions()
    parts = [codes_for(position, choice.for_position(position))[0] for position in positions.values()]
    # The start of a searcher is measured with all its code in the cache.
    prepare_code([*parts, *loop_codes(positions[DUEL], positions[FOUR]), *first_codes()])


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
    evaluations = sum(line.evaluations for line in duels) / sum(line.seconds for line in duels)
    return Bench(
        strategy=str(choice),
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
    pointer = f"{stick.pointer_nanoseconds:.1f} ns, {bench.pointer_share:.1%} of the time; the goal is 5 %"
    yield f"pointer call      {pointer}"
    yield f"start to SERVING  {bench.start_to_serving_seconds:.2f} s"
    yield f"signature         {signature}"


def _relative(stick: Yardstick, nanoseconds: float) -> str:
    share = nanoseconds * stick.positions_per_second / 1e9
    return f"{nanoseconds:.0f} ns ({share:.2f} of a yardstick position)"


PATIENCE = 120.0
"""Seconds to wait for a searcher to become SERVING."""

_RETRY_AFTER = 0.002
"""Seconds between two tests whether the searcher is SERVING."""


def seconds_to_serving(environment: Mapping[str, str] | None = None) -> float:
    """Start a searcher on a Unix socket, end it once it is SERVING, and return the seconds until then.

    `environment` has the variables of the process, by default the variables of this process. Raises
    TimeoutError if the searcher ends first or PATIENCE runs out.
    """
    with SocketFolder() as folder:
        path = folder.path / "searcher.sock"
        address = address_of(path)
        command = [sys.executable, "-m", "searcher", "serve", "--listen", address]
        start = time.perf_counter()
        searcher = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
        try:
            _wait(lambda: _is_listening(path), searcher)
            with grpc.insecure_channel(address) as channel:
                check = health_pb2_grpc.HealthStub(channel).Check
                _wait(lambda: _is_serving(check), searcher)
            return time.perf_counter() - start
        finally:
            searcher.terminate()
            searcher.wait()


def _wait(condition: Callable[[], bool], searcher: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline or searcher.poll() is not None:
            raise TimeoutError("the searcher did not become SERVING")
        time.sleep(_RETRY_AFTER)


def _is_listening(path: Path) -> bool:
    # A channel without a server would wait for a tenth of a second before it tries again.
    with socket.socket(socket.AF_UNIX) as connection:
        return not connection.connect_ex(str(path))


def _is_serving(check: Callable[..., health_pb2.HealthCheckResponse]) -> bool:
    with suppress(grpc.RpcError):
        answer = check(health_pb2.HealthCheckRequest(), timeout=1.0)
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
    return False
