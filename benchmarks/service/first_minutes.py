"""The first minutes of a snake on a fresh machine: python -m benchmarks.service.first_minutes.

A snake starts without compiled code, as after a clone. Moves of a game are requested until the first one is
searched. Then the benchmark watches /proc until both services are at rest.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import click

from battlesnake_search.common.cli import CONTEXT
from benchmarks.cold_start import environment, lines_of, running, until
from benchmarks.output import markdown
from tests.gateway.scripted_searcher import body
from tests.support.http import answer_of
from tests.support.processes import processor_time
from tests.support.services import ROOT, free_port

PATIENCE = 1800.0
"""Seconds that a run may take."""

REST = 0.05
"""The cores that services at rest use at most."""

LOOKS_AT_REST = 5
"""Looks in a row that must find the services at rest."""

_TIMEOUT = 500
"""Milliseconds for a move."""

_PAUSE = 0.5
"""Seconds between two moves, and between two looks at the processor time."""


@click.command(context_settings=CONTEXT)
def main() -> None:
    """Start a snake with an empty cache, and show when it answers, searches and comes to rest."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            found = _first_minutes(Path(folder))
        except TimeoutError as error:
            raise click.ClickException(str(error)) from error
    click.echo(markdown(("", ""), _rows(found)))


def _first_minutes(folder: Path) -> Mapping[str, float]:
    """Return the figures by the name of the table's row. Times are in seconds from the start."""
    port, log = free_port(), folder / "gateway.log"
    command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(port)]
    settings = {
        **environment(folder / "outcomes.sqlite"),
        "SEARCHER_CACHE_DIR": str(folder / "compiled"),
    }
    with running(command, settings, log, ROOT) as (process, passed):
        until(passed, lambda: answer_of(port, "/")[0] == 200, PATIENCE)
        found = {"first answer, s": passed()}
        sources: list[str] = []
        for turn in range(1, int(PATIENCE)):
            answer_of(port, "/move", json.dumps(body(turn=turn, timeout=_TIMEOUT)).encode())
            time.sleep(_PAUSE)
            sources = [line["source"] for line in lines_of(log, "move")]
            if len(sources) > sources.count("reflex"):
                break
        found["first searched move, s"] = passed() - _PAUSE
        found["moves until then"] = len(sources)
        found["of them reflexes"] = sources.count("reflex")
        found["processor time until the first searched move, s"] = processor_time(process.pid)
        rest = _until_rest(process.pid, passed)
        found["last work after the first searched move, s"] = max(rest - found["first searched move, s"], 0.0)
        found["processor time until then, s"] = processor_time(process.pid)
        found["compiled functions"] = len(list((folder / "compiled").rglob("*.so")))
        return found


def _until_rest(gateway: int, passed: Callable[[], float]) -> float:
    """Wait until the services have been at rest for some looks. Return the time of their last work."""
    busy, quiet, before = passed(), 0, processor_time(gateway)
    while quiet < LOOKS_AT_REST:
        if passed() > PATIENCE:
            raise TimeoutError(f"not at rest within {PATIENCE:.0f} s")
        time.sleep(_PAUSE)
        now = processor_time(gateway)
        # The time of a process that has ended leaves the sum.
        if abs(now - before) / _PAUSE > REST:
            busy, quiet = passed(), 0
        else:
            quiet += 1
        before = now
    return busy


def _rows(found: Mapping[str, float]) -> Iterator[tuple[str, str]]:
    """Yield the cells of each row: seconds with a digit after the point, and numbers without."""
    for name, value in found.items():
        yield name, f"{value:.1f}" if name.endswith(", s") else f"{value:.0f}"


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.service.first_minutes")
