"""A game beside one stranger after another: python -m benchmarks.strangers [NAME]... [--short].

The exit status is 1 if a move is late because of a stranger, or if the logs or the database exceed their
bounds. It is also 1 if a service ends, grows, exceeds its memory, answers with a fault of its own or obeys
SIGTERM late. In the short form, late moves and growth are only shown.
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from time import monotonic

import aiohttp
import click
import msgspec

from battlesnake_search.common.cli import CONTEXT
from benchmarks.games import play_one
from benchmarks.output import markdown
from benchmarks.strangers.load import PATIENCE, STRANGERS
from benchmarks.strangers.plan import Plan, Report
from benchmarks.strangers.result import COLUMNS, Result
from benchmarks.strangers.services import Services, limits, services
from tests.support.services import ROOT, compile_default

NONE = "none"
"""The name of the row without a stranger."""

WARM_UP, SETTLING = 4.0, 12.0
"""Seconds of a game before a stranger comes, and seconds of peace after it, before memory is measured."""

SIGTERM_AFTER = 2.0
"""Seconds of a second visit of the stranger until the services get SIGTERM."""

LEAST = 3.0
"""Seconds of the game beside a stranger whose requests are used up."""

SHORT_SECONDS, SHORT_REQUESTS = 0.8, 400
"""The bounds of a stranger in the short form."""

GAME = "the-game-beside-strangers"
"""The prefix of the ids of games, by which their lines are told from lines about strangers."""

_UNANSWERED = 10.0
"""Seconds until a move counts as unanswered."""

_COURSES = count(1)

_ENDED_WITHIN = PATIENCE + 30.0
"""Seconds for the process of a stranger to end after its time, by itself or by the system."""


@click.command(context_settings=CONTEXT)
@click.argument("names", nargs=-1, type=click.Choice(tuple(STRANGERS)), metavar="[NAME]...")
@click.option("--seconds", type=click.FloatRange(0.5), default=60.0, help="Seconds of each stranger.")
@click.option("--requests", type=click.IntRange(1), default=20_000, help="Most requests of each stranger.")
@click.option("--short", is_flag=True, help="Less than a second of each stranger, with 400 requests.")
def main(names: tuple[str, ...], seconds: float, requests: int, short: bool) -> None:
    """Play a game beside strangers with these names, or beside all of them."""
    compile_default()
    if short:
        seconds, requests = SHORT_SECONDS, SHORT_REQUESTS
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ("", *(names or STRANGERS)):
            begun, course = monotonic(), next(_COURSES)
            is_at_searcher = bool(name) and STRANGERS[name].is_at_searcher
            with services(Path(folder) / str(course), is_at_searcher) as running:
                bounds = {"stranger": name, "seconds": seconds, "requests": requests, "course": course}
                plan = msgspec.structs.replace(running.plan, **bounds)
                results.append(_beside(running, plan, settling=0.0 if short else SETTLING))
            click.echo(f"{results[-1].stranger}: {monotonic() - begun:.0f} s", err=True)
    without, *beside_strangers = results
    click.echo(markdown(COLUMNS, (result.row(without) for result in results)))
    failures = [
        f"{result.stranger}: {failure}"
        for result in beside_strangers
        for failure in result.failures(without, limits(), is_strict=not short)
    ]
    for failure in failures:
        click.echo(f"FAIL: {failure}", err=True)
    sys.exit(bool(failures))


def _beside(running: Services, plan: Plan, settling: float) -> Result:
    """Play a game beside the stranger of a plan, or beside none, and measure what it leaves behind."""
    asyncio.run(_play_game(plan, _for(WARM_UP)))
    lines, before = running.log_lines(GAME), running.watch.now()
    running.watch.reset()
    moves, report = asyncio.run(_play(plan))
    time.sleep(settling)
    most, after, gone = dict(running.watch.most), running.watch.now(), running.gone()
    later_lines, database = running.log_lines(GAME), running.database_bytes()
    return Result(
        *(plan.stranger or NONE, moves, report, before, most, after),
        lines=later_lines - lines,
        database_bytes=database,
        gone=gone,
        ended_in=None if gone else _end(running, plan),
    )


async def _play(plan: Plan) -> tuple[list[float], Report]:
    """Play until the stranger has ended, or for the plan's time without a stranger."""
    least = _for(min(LEAST, plan.seconds) if plan.stranger else plan.seconds)
    with visiting(plan) as visit:
        moves = await _play_game(plan, lambda: least() or (visit is not None and visit.poll() is None))
        return moves, await asyncio.to_thread(report_of, visit)


def _end(running: Services, plan: Plan) -> float:
    """Let the stranger come again, and return the seconds from SIGTERM to the end of the services."""
    again = msgspec.structs.replace(plan, seconds=60.0, course=next(_COURSES))
    with visiting(again):
        time.sleep(SIGTERM_AFTER)
        return running.terminate()


async def _play_game(plan: Plan, goes_on: Callable[[], bool]) -> list[float]:
    """Play a game for as long as it goes on; return the milliseconds of its moves."""
    timeout = aiohttp.ClientTimeout(total=_UNANSWERED)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{plan.http}", timeout=timeout) as client:
        moves = await play_one(client, f"{GAME}-{next(_COURSES)}", 0, goes_on)
    return [move.milliseconds for move in moves]


def _for(seconds: float) -> Callable[[], bool]:
    """Return a function that returns whether these seconds from now have not passed."""
    end = monotonic() + seconds
    return lambda: monotonic() < end


@contextmanager
def visiting(plan: Plan) -> Iterator[subprocess.Popen[bytes] | None]:
    """Run the process of a stranger until the block ends; without a stranger, run none."""
    if not plan.stranger:
        yield None
        return
    command = [sys.executable, "-m", "benchmarks.strangers.load", msgspec.json.encode(plan).decode()]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        try:
            yield process
        finally:
            process.kill()


def report_of(visit: subprocess.Popen[bytes] | None) -> Report:
    """Return the report of a stranger's process that ends. Raises CalledProcessError if it fails."""
    if visit is None:
        return Report()
    output, _ = visit.communicate(timeout=_ENDED_WITHIN)
    if visit.returncode:
        raise subprocess.CalledProcessError(visit.returncode, visit.args)
    return msgspec.json.decode(output, type=Report)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.strangers")
