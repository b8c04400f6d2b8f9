"""The start times and the memory of a searcher and a snake: python -m benchmarks.cold_start.

Both are started as users start them, again and again. All code is compiled beforehand, and Python has its
bytecode. Moves are requested one after another, beginning as soon as the snake answers.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import click
from rich.table import Table

from battlesnake_search.common.cli import CONTEXT, table_console
from searcher.tools.bench import seconds_to_serving
from tests.gateway.scripted_searcher import body
from tests.support.http import answer_of
from tests.support.processes import family, module
from tests.support.services import ROOT, clean_environment, compile_default, end, port_before_a_free_one

COLUMNS = ("", "median", "lowest", "highest")

MEMORY = {
    "resident": ("Rss",),
    "private": ("Private_Clean", "Private_Dirty"),
    "proportional": ("Pss",),
}
"""The fields of the kernel's file smaps_rollup for each kind of a process's memory.

Private memory is shared with no other process. Proportional memory also has each process's part of shared
memory.
"""

PATIENCE = 60.0
"""Seconds that a start may take."""

_RETRY_AFTER = 0.002
"""Seconds between two requests before the first answer."""

_SETTLED = 3.0
"""Seconds to wait after the first searched move, until the snake has opened its database and is at rest."""

_GAME = "cold-start"

_CACHES = Path("/proc/sys/vm/drop_caches")
_ALL_CACHES = "3"

_BYTECODE = ROOT / ".cache" / "bytecode"

_CHANGED = ("ADMIN", "ADMIN_TOKENS", "PUBLIC_METRICS", "PYTHONDONTWRITEBYTECODE")
"""The variables that make services under test differ from the services of a user."""


def environment(outcomes: Path) -> Mapping[str, str]:
    """Return the environment of services as a user starts them, except for the place of their outcomes.

    Python keeps its bytecode. Where a variable forbids that, it keeps the bytecode in a folder of the
    project.
    """
    kept = {name: value for name, value in clean_environment().items() if name not in _CHANGED}
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        kept["PYTHONPYCACHEPREFIX"] = str(_BYTECODE)
    return kept | {"OUTCOMES_URL": str(outcomes), "LOG_FORMAT": "json"}


def drop_page_cache() -> None:
    """Make the kernel forget the contents of files, as after a boot. Raises click.UsageError without root."""
    os.sync()
    try:
        _CACHES.write_text(_ALL_CACHES)
    except OSError as error:
        raise click.UsageError(f"--cold needs root on Linux: {_CACHES}: {error.strerror}") from error


@click.command(context_settings=CONTEXT)
@click.option("--starts", type=click.IntRange(1), default=20, help="Starts of each.")
@click.option("--timeout", type=click.IntRange(1), default=100, help="Milliseconds for a move.")
@click.option("--cold", is_flag=True, help="Read all files from the disk in each start; needs root.")
def main(starts: int, timeout: int, cold: bool) -> None:
    """Start a searcher and a snake in turn, and show medians with ranges."""
    compile_default()
    before: Callable[[], None] = drop_page_cache if cold else lambda: None
    before()
    found = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = environment(folder / "outcomes.sqlite")
        try:
            # The first start writes bytecode and creates the database.
            start_snake(folder, settings, timeout)
            for _ in range(starts):
                before()
                serving = seconds_to_serving(settings)
                before()
                found.append({"searcher: SERVING, s": serving} | start_snake(folder, settings, timeout))
        except TimeoutError as error:
            raise click.ClickException(str(error)) from error
    table = Table(*COLUMNS)
    for row in rows(found):
        table.add_row(*row)
    table_console(80).print(table)


def start_snake(folder: Path, environment: Mapping[str, str], timeout: int) -> dict[str, float]:
    """Start a snake with its log in a folder, and request moves of `timeout` milliseconds at once.

    Return the seconds since the start of its process, and the megabytes of its processes at rest, by the name
    of the table's row.
    """
    port, log = port_before_a_free_one(), folder / "gateway.log"
    command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(port)]
    with _running(command, environment, log) as (process, passed):
        _until(passed, lambda: answer_of(port, "/")[0] == 200)
        seconds = {"first answer of /": passed()}
        moves = _moves(port, timeout, log, passed)
        source, seconds["first move"] = next(moves)
        searched = seconds["first move"]
        while source == "reflex":
            source, searched = next(moves)
        seconds["first searched move"] = searched
        seconds["the same without its search"] = searched - _search_time(port + 1, passed)
        searcher = next(pid for pid in family(process.pid) if module(pid) == "searcher")
        time.sleep(_SETTLED)
        return {
            **{f"snake: {name}, s": value for name, value in seconds.items()},
            **{f"gateway: {kind}, MB": value for kind, value in memory_of(process.pid).items()},
            **{f"searcher: {kind}, MB": value for kind, value in memory_of(searcher).items()},
        }


def memory_of(pid: int) -> dict[str, float]:
    """Return the megabytes of a process by kind. Raises OSError if it has ended."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    fields = dict(line.split(":", 1) for line in lines)
    return {
        kind: sum(int(fields[name].split()[0]) * 1024 / 1e6 for name in names)
        for kind, names in MEMORY.items()
    }


@contextmanager
def _running(
    command: Sequence[str], environment: Mapping[str, str], log: Path
) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], float]]]:
    """Run a command; yield its process, and a function that returns the seconds since its start."""
    with log.open("wb") as errors:
        started = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=errors)
    try:
        yield process, lambda: time.monotonic() - started
    finally:
        end(process)


def _until(passed: Callable[[], float], condition: Callable[[], bool]) -> None:
    """Wait until a condition holds. Raises TimeoutError if it takes too long since a start."""
    while not condition():
        if passed() > PATIENCE:
            raise TimeoutError(f"not started within {PATIENCE:.0f} s")
        time.sleep(_RETRY_AFTER)


def _moves(port: int, timeout: int, log: Path, passed: Callable[[], float]) -> Iterator[tuple[str, float]]:
    """Request one move after another; yield the source of each, and the time of its answer."""
    asked = body(id=_GAME, timeout=timeout)
    while passed() < PATIENCE:
        asked["turn"] += 1
        status, _ = answer_of(port, "/move", json.dumps(asked).encode())
        if status == 200:
            answered = passed()
            yield _last_source(log, asked["turn"]), answered
    raise TimeoutError(f"no searched move within {PATIENCE:.0f} s")


def _last_source(log: Path, turn: int) -> str:
    """Return the source of the last move, which is logged after its answer has left."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
        moves = [line for line in lines if line["event"] == "move"]
        if moves and moves[-1]["turn"] == turn:
            return str(moves[-1]["source"])
        time.sleep(0.001)
    raise TimeoutError(f"the move of turn {turn} was not logged")


def _search_time(console: int, passed: Callable[[], float]) -> float:
    """Return the seconds of the only search of the game, as the console's API knows it."""
    found: list[float] = []

    def is_recorded() -> bool:
        status, game = answer_of(console, f"/api/games/{_GAME}")
        turns = json.loads(game)["turns"] if status == 200 else []
        decisions = [each for turn in turns for each in turn["decisions"] if each]
        found.extend(each["time_ms"] / 1000 for each in decisions if each["source"] != "reflex")
        return bool(found)

    _until(passed, is_recorded)
    return found[0]


def rows(starts: Sequence[Mapping[str, float]]) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row: its name, and the median and the range of its figure."""
    for name in starts[0]:
        values = [start[name] for start in starts]
        digits = 0 if name.endswith("MB") else 2
        figures = (median(values), min(values), max(values))
        yield name, *(f"{figure:.{digits}f}" for figure in figures)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.cold_start")
