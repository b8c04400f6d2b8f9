"""The time from the start of a snake's process to its first searched move, and its moves until then.

    python -m benchmarks.cold_start --starts 5

All code is compiled beforehand. Requests begin at once and continue, always with the same position.
"""

import json
import subprocess
import sys
import time
from statistics import median

import click
from prometheus_client.parser import text_string_to_metric_families

from tests.gateway.scripted_searcher import body
from tests.support.http import answer_of
from tests.support.services import ROOT, clean_environment, compile_default, free_port

PATIENCE = 30.0
"""Seconds to wait for a searched move."""

RETRY_AFTER = 0.005
"""Seconds between two requests while the snake does not respond."""


@click.command()
@click.option("--starts", default=5, show_default=True, help="Number of starts.")
@click.option("--timeout", default=500, show_default=True, help="Milliseconds for a move.")
def main(starts: int, timeout: int) -> None:
    """Start the snake several times and show the seconds from its start to each move."""
    compile_default()
    position = json.dumps(body(timeout=timeout)).encode()
    searched = []
    for _ in range(starts):
        moves = _moves_of_a_start(position)
        click.echo("; ".join(f"{source} after {seconds:.2f} s" for source, seconds in moves))
        searched.append(moves[-1][1])
    click.echo(f"a searched move after {median(searched):.2f} s (median), {max(searched):.2f} s (maximum)")


def _moves_of_a_start(position: bytes) -> list[tuple[str, float]]:
    """Start the snake once; return the source and time of each move up to the first searched one."""
    port = free_port()
    command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(port)]
    started = time.monotonic()
    snake = subprocess.Popen(command, cwd=ROOT, env=clean_environment(), stderr=subprocess.DEVNULL)
    try:
        moves: list[tuple[str, float]] = []
        while not moves or moves[-1][0] == "reflex":
            if time.monotonic() - started > PATIENCE:
                raise click.ClickException(f"no searched move within {PATIENCE:.0f} s")
            if answer_of(port, "/move", position)[0] == 200:
                seconds = time.monotonic() - started
                moves.append((_source(port, len(moves)), seconds))
            else:
                time.sleep(RETRY_AFTER)
        return moves
    finally:
        snake.terminate()
        snake.wait()


def _source(port: int, reflexes: int) -> str:
    """Return the source of the last move, given the number of reflexes before it."""
    families = text_string_to_metric_families(answer_of(port, "/metrics")[1].decode())
    moves = next(family for family in families if family.name == "gateway_moves")
    counted = {each.labels["source"]: each.value for each in moves.samples if each.name.endswith("_total")}
    if counted.pop("reflex", 0) > reflexes:
        return "reflex"
    return next(source for source, count in counted.items() if count)


if __name__ == "__main__":
    main()
