"""How long a snake takes from the start of its process to a searched move, and what it answers until then.

    python -m benchmarks.cold_start --starts 5

All code is compiled before. A game asks at once and goes on asking, each time about the same position.
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
from tests.support.services import ROOT, compile_default, free_port, without_settings

PATIENCE = 30.0
"""Seconds for a searched move."""


@click.command()
@click.option("--starts", default=5, show_default=True)
@click.option("--timeout", default=500, show_default=True, help="Milliseconds that the game has for a move.")
def main(starts: int, timeout: int) -> None:
    """Starts the snake some times, and shows the seconds from its start to each answer."""
    compile_default()
    position = json.dumps(body(timeout=timeout)).encode()
    searched = []
    for _ in range(starts):
        moves = _moves_of_a_start(position)
        click.echo("; ".join(f"{source} after {seconds:.2f} s" for source, seconds in moves))
        searched.append(moves[-1][1])
    click.echo(
        f"a searched move after {median(searched):.2f} s in the median, {max(searched):.2f} s at worst"
    )


def _moves_of_a_start(position: bytes) -> list[tuple[str, float]]:
    """Where the first moves came from and when they were there, up to the first that was searched."""
    port = free_port()
    command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(port)]
    started = time.monotonic()
    snake = subprocess.Popen(command, cwd=ROOT, env=without_settings(), stderr=subprocess.DEVNULL)
    try:
        moves: list[tuple[str, float]] = []
        while not moves or moves[-1][0] == "reflex":
            if time.monotonic() - started > PATIENCE:
                raise click.ClickException(f"no searched move within {PATIENCE:.0f} s")
            if answer_of(port, "/move", position)[0] == 200:
                seconds = time.monotonic() - started
                moves.append((_source(port, len(moves)), seconds))
            else:
                time.sleep(0.005)
        return moves
    finally:
        snake.terminate()
        snake.wait()


def _source(port: int, reflexes: int) -> str:
    """Where the last move came from, after that many reflexes."""
    families = text_string_to_metric_families(answer_of(port, "/metrics")[1].decode())
    moves = next(family for family in families if family.name == "gateway_moves")
    counted = {each.labels["source"]: each.value for each in moves.samples if each.name.endswith("_total")}
    if counted.pop("reflex", 0) > reflexes:
        return "reflex"
    return next(source for source, count in counted.items() if count)


if __name__ == "__main__":
    main()
