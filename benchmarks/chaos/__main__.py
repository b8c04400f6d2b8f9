"""Whole official games with one fault at a time: python -m benchmarks.chaos [--fault NAME]... [--short].

The exit status is 1 if an outcome is lost, or if the gateway ends, logs an error or grows. It is also 1 if an
answer is late without a stall of the machine. In the short form late answers are only shown.
"""

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

import click

from battlesnake_search.common.cli import CONTEXT
from benchmarks.chaos.faults import FAULTS
from benchmarks.chaos.relay import relay
from benchmarks.chaos.result import COLUMNS, Played, Result
from benchmarks.chaos.stage import Fault, Searcher, Stage, two_searchers
from benchmarks.output import markdown, recorded_outcomes
from tests.support.compiled import compile_needed
from tests.support.games import GameSetup, run_game
from tests.support.official_engine import build_official_engine
from tests.support.processes import resident_megabytes
from tests.support.services import Gateway, errors_in, gateway_process, moves_by_source
from tests.support.stalls import StallWatch

SNAKES = 2

WHOLE = GameSetup("standard", "royale", shrink_every=2)
SHORT = GameSetup("standard", "royale", width=7, height=7, timeout=300, shrink_every=2)

STARTING = 1.0
"""Seconds in which a ready gateway makes its tables, before the first fault."""

PATIENCE = 15.0
"""Seconds after a fault in which the gateway may catch up on its writes."""


@click.command(context_settings=CONTEXT)
@click.option(
    "--fault",
    "names",
    multiple=True,
    type=click.Choice(tuple(FAULTS)),
    metavar="NAME",
    help="Only this fault, by its name in the table. Repeat for further ones.",
)
@click.option("--games", type=click.IntRange(1), default=4, help="Games with each fault.")
@click.option(
    "--short",
    is_flag=True,
    help="One small game with each fault of the short form, in which late answers don't count.",
)
def main(names: tuple[str, ...], games: int, short: bool) -> None:
    """Play games during faults, and count the effects."""
    chosen = names or [name for name, fault in FAULTS.items() if fault.is_short or not short]
    if short:
        # Reviews of lost games would fill the time that the tests beside this leave.
        os.environ["REVIEWS"] = "none"
    engine = build_official_engine()
    compile_needed()
    setup, games = (SHORT, 1) if short else (WHOLE, games)
    setups = [replace(setup, seed=seed) for seed in range(1, games + 1)]
    results = asyncio.run(_play_all(engine, [FAULTS[name] for name in chosen], setups))
    click.echo(markdown(COLUMNS, (result.row() for result in results)))
    failures = [failure for result in results for failure in result.failures(is_strict=not short)]
    for failure in failures:
        click.echo(f"FAIL: {failure}", err=True)
    sys.exit(bool(failures))


async def _play_all(engine: Path, faults: Sequence[Fault], setups: Sequence[GameSetup]) -> list[Result]:
    results, watch = [], StallWatch()
    async with two_searchers() as searchers:
        for fault in faults:
            start = monotonic()
            results.append(await _play_with(engine, fault, setups, searchers, watch))
            click.echo(f"{fault.name}: {monotonic() - start:.0f} s", err=True)
    return results


async def _play_with(
    engine: Path,
    fault: Fault,
    setups: Sequence[GameSetup],
    searchers: tuple[Searcher, Searcher],
    watch: StallWatch,
) -> Result:
    with tempfile.TemporaryDirectory() as folder:
        log, outcomes = Path(folder) / "gateway.jsonl", Path(folder) / "outcomes.sqlite"
        async with relay(searchers[0].port) as (line, port):
            targets = [each.target for each in searchers[: fault.direct]] or [f"127.0.0.1:{port}"]
            options = ["--searcher", f"ipv4:{','.join(targets)}"]
            async with _in_thread(gateway_process(log, *options, OUTCOMES_URL=str(outcomes))) as gateway:
                await asyncio.sleep(STARTING)
                before = resident_megabytes(gateway.process.pid)
                async with fault.on(Stage(line, searchers)):
                    games = [await _play(engine, gateway.url, setup, watch) for setup in setups]
                lost = await _lost(outcomes, SNAKES * len(games))
                if (exit_code := gateway.process.poll()) is not None:
                    return Result(fault.name, games, lost=lost, exit_code=exit_code)
                after, sources = resident_megabytes(gateway.process.pid), moves_by_source(gateway.url)
        return Result(fault.name, games, sources, lost, (before, after), list(errors_in(log)))


@asynccontextmanager
async def _in_thread(running: AbstractContextManager[Gateway]) -> AsyncIterator[Gateway]:
    """Start and end a gateway without blocking the relays in this event loop."""
    gateway = await asyncio.to_thread(running.__enter__)
    try:
        yield gateway
    finally:
        await asyncio.to_thread(running.__exit__, None, None, None)


async def _play(engine: Path, url: str, setup: GameSetup, watch: StallWatch) -> Played:
    watch.longest()
    report = await asyncio.to_thread(run_game, engine, [url] * SNAKES, setup)
    return Played(report, watch.longest())


async def _lost(outcomes: Path, expected: int) -> int:
    """Return how many outcomes are not in the database soon after the fault."""
    deadline = monotonic() + PATIENCE
    while (missing := expected - recorded_outcomes(outcomes)) and monotonic() < deadline:
        await asyncio.sleep(0.2)
    return missing


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.chaos")
