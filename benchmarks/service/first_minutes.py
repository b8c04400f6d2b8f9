"""The first minutes of a snake on a fresh machine: python -m benchmarks.service.first_minutes.

A snake starts without compiled code, as after a clone. Moves of a game are requested until the first one is
searched. Then the game goes on for some moves, and the benchmark watches /proc until both services are at
rest.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click
from rich.table import Table

from battlesnake_search.common.cli import CONTEXT, table_console
from benchmarks.cold_start import environment, running, until
from tests.gateway.scripted_searcher import body
from tests.support.http import answer_of
from tests.support.processes import processor_time
from tests.support.services import ROOT, free_port

PATIENCE = 1800.0
"""Seconds that a run may take."""

REST = 0.05
"""The cores that services at rest use at most."""

_LOOKS = 1.0
"""Seconds between two looks at the processor time."""

LOOKS_AT_REST = 5
"""Looks in a row that must find the services at rest."""

_TIMEOUT = 500
"""Milliseconds for a move."""

_PAUSE = 0.5
"""Seconds between two moves."""

Row = tuple[str, str]


@click.command(context_settings=CONTEXT)
@click.option("--moves", type=click.IntRange(1), default=1, help="Searched moves before the game ends.")
@click.option("--strategy", default="", help="Strategy of the snake.  [default: the searcher's default]")
@click.option(
    "--checkout",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=ROOT,
    help="The checkout of the project to start.",
)
def main(moves: int, strategy: str, checkout: Path) -> None:
    """Start a snake with an empty cache, and show when it answers, searches and comes to rest."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = first_minutes(Path(folder), moves, strategy, checkout)
        except TimeoutError as error:
            raise click.ClickException(str(error)) from error
    table = Table("", f"{checkout.name}")
    for row in rows(found):
        table.add_row(*row)
    table_console(100).print(table)


def first_minutes(folder: Path, moves: int, strategy: str, checkout: Path) -> Mapping[str, float]:
    """Return the figures by the name of the table's row. Times are in seconds from the start."""
    port, log = free_port(), folder / "gateway.log"
    command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--strategy", strategy] if strategy else []
    settings = {
        **environment(folder / "outcomes.sqlite"),
        "SEARCHER_CACHE_DIR": str(folder / "compiled"),
    }
    with running(command, settings, log, checkout) as (process, passed):
        until(passed, lambda: answer_of(port, "/")[0] == 200, PATIENCE)
        found = {"first answer, s": passed()}
        sources = []
        for number in range(1, int(PATIENCE)):
            answer_of(port, "/move", json.dumps(body(turn=number, timeout=_TIMEOUT)).encode())
            time.sleep(_PAUSE)
            sources = list(_sources(log))
            searched = len(sources) - sources.count("reflex")
            if searched and "first searched move, s" not in found:
                found["first searched move, s"] = passed() - _PAUSE
            if searched >= moves:
                break
        found["moves until then"] = len(sources)
        found["of them reflexes"] = sources.count("reflex")
        found["processor time until the first searched move, s"] = processor_time(process.pid)
        rest = until_rest(process.pid, passed)
        found["last work after the first searched move, s"] = max(rest - found["first searched move, s"], 0.0)
        found["processor time until then, s"] = processor_time(process.pid)
        found["compiled functions"] = len(list((folder / "compiled").rglob("*.so")))
        return found


def until_rest(gateway: int, passed: Callable[[], float]) -> float:
    """Wait until the services have been at rest for some looks. Return the time of their last work."""
    busy, quiet, before = passed(), 0, processor_time(gateway)
    while quiet < LOOKS_AT_REST:
        if passed() > PATIENCE:
            raise TimeoutError(f"not at rest within {PATIENCE:.0f} s")
        time.sleep(_LOOKS)
        now = processor_time(gateway)
        # The time of a process that has ended leaves the sum.
        if abs(now - before) / _LOOKS > REST:
            busy, quiet = passed(), 0
        else:
            quiet += 1
        before = now
    return busy


def _sources(log: Path) -> Iterator[str]:
    """Yield the sources of the moves in a log."""
    for line in log.read_text().splitlines():
        if line.startswith("{") and (event := json.loads(line))["event"] == "move":
            yield str(event["source"])


def rows(found: Mapping[str, float]) -> Iterator[Row]:
    """Yield the cells of each row: seconds with a digit after the point, and numbers without."""
    for name, value in found.items():
        yield name, f"{value:.1f}" if name.endswith(", s") else f"{value:.0f}"


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.service.first_minutes")
