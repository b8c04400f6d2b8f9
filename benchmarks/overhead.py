"""The time that a gateway adds to a search: python -m benchmarks.overhead.

The snakes of a game call at the same moment, as the engine's calls do, again and again. The overhead is the
time of a call by an outside stopwatch less the time of its search. With --beside, another checkout's gateway
gets the same turns, in turn with this one.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

import aiohttp
import click
import msgspec
import numpy as np

from battlesnake_search.board import Turn
from battlesnake_search.common.cli import CONTEXT
from benchmarks.cold_start import BESIDE, environment, running, until
from benchmarks.games import request, turns_of
from benchmarks.output import markdown
from tests.support.http import answer_of
from tests.support.processes import own_processor_time
from tests.support.services import ROOT, compile_default, port_before_a_free_one

GAME = "overhead"

_KIND = "four"

_PAUSE = 0.02
"""Seconds between two turns, in which the gateways publish the events of the last one."""

_FIRST = 5
"""Turns at the start that don't count."""

_SETTLED = 1.0
"""Seconds until the last turns are recorded."""


@dataclass
class Measured:
    """A gateway, and the milliseconds of each of its calls by turn and snake."""

    port: int
    pid: int
    calls: dict[tuple[int, str], float] = field(default_factory=dict)
    processor: float = 0.0
    """Seconds of processor time of the gateway alone, in all turns that count."""

    def overheads(self) -> list[float]:
        """Return the milliseconds that the calls with a completed search took in addition to the search."""
        status, text = answer_of(self.port + 1, f"/api/games/{GAME}")
        assert status == 200, text
        game = json.loads(text)
        ids = [snake["id"] for snake in game["snakes"]]
        found = []
        for turn in game["turns"]:
            for snake, decision in zip(ids, turn["decisions"], strict=True):
                milliseconds = self.calls.get((turn["turn"], snake))
                if milliseconds and decision and decision["source"] == "search":
                    found.append(milliseconds - decision["time_ms"])
        return found

    def figures(self) -> dict[str, float]:
        """Return the figures by the name of the table's row."""
        overheads = self.overheads()
        p50, p90, p99 = np.percentile(overheads, (50, 90, 99))
        return {
            "moves": len(overheads),
            "overhead p50, ms": p50,
            "overhead p90, ms": p90,
            "overhead p99, ms": p99,
            "gateway's processor time, ms a move": self.processor * 1000 / len(self.calls),
        }


@click.command(context_settings=CONTEXT)
@click.option("--turns", type=click.IntRange(1), default=200, help="Turns that count.")
@click.option("--snakes", type=click.IntRange(1, 4), default=4, help="Snakes that call at once.")
@click.option("--timeout", type=click.IntRange(30), default=150, help="Milliseconds for a move.")
@click.option(
    "--beside",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Another checkout of the project, with its compiled code.",
)
def main(turns: int, snakes: int, timeout: int, beside: Path | None) -> None:
    """Measure the overhead of a gateway with an embedded searcher, in one game of several snakes."""
    compile_default()
    checkouts = (ROOT, beside) if beside else (ROOT,)
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        gateways = [
            _started(stack, checkout, Path(name) / str(number)) for number, checkout in enumerate(checkouts)
        ]
        asyncio.run(_play(gateways, turns, snakes, timeout))
        found = [gateway.figures() for gateway in gateways]
    click.echo(markdown(("", "this checkout", *(BESIDE if beside else ())), rows(found)))


def _started(stack: ExitStack, checkout: Path, folder: Path) -> Measured:
    folder.mkdir()
    port = port_before_a_free_one()
    command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--admin", f"127.0.0.1:{port + 1}"]
    settings = environment(folder / "outcomes.sqlite")
    process, passed = stack.enter_context(running(command, settings, folder / "log", checkout))
    until(passed, lambda: answer_of(port, "/readyz")[0] == 200)
    return Measured(port, process.pid)


async def _play(gateways: Sequence[Measured], turns: int, snakes: int, timeout: int) -> None:
    """Let the gateways play the same turns, each turn in turn."""
    positions = turns_of(_KIND, timeout)
    async with aiohttp.ClientSession() as client:
        for number in range(_FIRST + turns):
            for gateway in gateways:
                before = own_processor_time(gateway.pid)
                turn = positions[number % len(positions)]
                calls = await asyncio.gather(
                    *(_move(client, gateway, turn, number, snake) for snake in range(snakes))
                )
                await asyncio.sleep(_PAUSE)
                if number >= _FIRST:
                    gateway.calls.update(calls)
                    gateway.processor += own_processor_time(gateway.pid) - before
        await asyncio.sleep(_SETTLED)


async def _move(
    client: aiohttp.ClientSession, gateway: Measured, turn: Turn, number: int, snake: int
) -> tuple[tuple[int, str], float]:
    you = turn.board.snakes[snake]
    body = msgspec.json.encode(request(msgspec.structs.replace(turn, you=you), GAME, number, 0))
    began = monotonic()
    headers = {"Content-Type": "application/json"}
    async with client.post(f"http://127.0.0.1:{gateway.port}/move", data=body, headers=headers) as answer:
        await answer.read()
    return (number, you.id), (monotonic() - began) * 1000


def rows(found: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row: its name, the figure of each gateway, and the ratio of two of them."""
    for name in found[0]:
        figures = [each[name] for each in found]
        cells = [f"{figure:.0f}" if name == "moves" else f"{figure:.2f}" for figure in figures]
        ratio = [f"{figures[0] / figures[1]:.2f}"] if len(figures) > 1 else []
        yield name, *cells, *ratio


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.overhead")
