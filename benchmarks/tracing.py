"""The cost of tracing for a move in both services: python -m benchmarks.tracing.

It makes the spans that the services make for each move, without playing it, and sends them to a collector in
another process. A move has to wait for the time of this thread. The time of the process also includes the
sending.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import click

from battlesnake_search.common import tracing
from battlesnake_search.common.tracing import Value, new_trace

_CALL = "battlesnake.search.v1.SearchService/StreamSearch"


def _gateway(game: str) -> None:
    """Trace a move as the gateway does."""
    webhook: dict[str, Value] = {"battlesnake.game": game, "battlesnake.turn": 7}
    with tracing.request({}), tracing.playing(game), tracing.span("POST /move", "server", webhook):
        with tracing.span("choose the arm") as routing:
            routing.set_attributes({"battlesnake.snake": "/", "battlesnake.arm": "default"})
        call = {"rpc.system": "grpc", "rpc.method": _CALL, "server.address": "unix:/searcher"}
        with tracing.span(_CALL, "client", call) as span:
            if trace := tracing.current():
                tuple(trace.headers.items())
            span.set_attributes({"rpc.response.status_code": "OK"})
        tracing.set_attributes(
            {
                "battlesnake.move": "up",
                "battlesnake.source": "search",
                "battlesnake.depth": 12,
                "battlesnake.nodes": 9,
            }
        )
        tracing.exemplar()


def _searcher(game: str) -> None:
    """Trace a search as the searcher does."""
    headers = new_trace(game == "sampled").headers
    attributes = {"rpc.system": "grpc", "rpc.method": _CALL, "battlesnake.game": game}
    with (
        tracing.request(headers),
        tracing.playing(game),
        tracing.span(_CALL, "server", attributes),
    ):
        now = time.monotonic()
        tracing.record("wait for a worker", now, now)
        found: dict[str, Value] = {
            "battlesnake.strategy": "paranoid/hungry",
            "battlesnake.depth": 12,
            "battlesnake.nodes": 9,
        }
        tracing.record(
            "search", now, now, {**found, "battlesnake.threads": 1, "battlesnake.stop_reason": "deadline"}
        )
        tracing.exemplar()


def _cost(trace: Callable[[str], None], game: str, moves: int) -> tuple[float, float]:
    """Return the microseconds of a move in this thread, the median of ten parts, and in the whole process."""
    before, parts = time.process_time(), []
    for _ in range(10):
        began = time.thread_time()
        for _ in range(moves // 10):
            trace(game)
        parts.append((time.thread_time() - began) / (moves // 10))
        time.sleep(0.2)
    return median(parts) * 1e6, (time.process_time() - before) / moves * 1e6


@click.command()
@click.option("--moves", type=click.IntRange(10), default=2000, show_default=True)
def main(moves: int) -> None:
    """Print the cost of tracing for a move."""
    collector = subprocess.Popen(
        [sys.executable, "-m", "tests.battlesnake_search.common.receiver"], stdout=subprocess.PIPE, text=True
    )
    assert collector.stdout is not None
    print("| service | tracing | thread, µs a move | process, µs a move |\n| --- | --- | ---: | ---: |")
    try:
        _print("off", "unsampled", moves)
        os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = collector.stdout.readline().strip()
        for state, sampler in (("on, not sampled", "always_off"), ("sampled", "always_on")):
            os.environ["OTEL_TRACES_SAMPLER"] = sampler
            tracing.configure("benchmark")
            _print(state, "sampled", moves)
            tracing.close()
    finally:
        collector.terminate()
        collector.wait()


def _print(state: str, game: str, moves: int) -> None:
    for name, trace in (("gateway", _gateway), ("searcher", _searcher)):
        thread, process = _cost(trace, game, moves)
        print(f"| {name} | {state} | {thread:.0f} | {process:.0f} |")


if __name__ == "__main__":
    main()
