"""The phases of a snake's start, and its memory: python -m benchmarks.cold_start.

The snake is started again and again, with bytecode and, unless --fresh, with compiled code. Moves are
requested one after another, beginning as soon as the snake answers.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import click

from battlesnake_search.common.cli import CONTEXT
from benchmarks.output import markdown
from tests.gateway.scripted_searcher import body
from tests.support.http import answer_of
from tests.support.podman import HARDENED
from tests.support.processes import family, module, processor_time
from tests.support.services import ROOT, clean_environment, compile_default, end, port_before_a_free_one

COLUMNS = ("", "median", "lowest", "highest")

BESIDE = ("beside", "ratio")
"""The columns of another checkout: its median, and our median divided by it."""

_PROCESS = "the searcher's process starts"

PHASES = (
    _PROCESS,
    "the gateway listens",
    "first answer of /",
    "the searcher is SERVING",
    "first move",
    "first searched move",
    "processor time until then",
    "last work",
    "processor time until the last work",
)
"""The rows of a start, in the order of time. Seconds are since the start of the gateway's process, or of the
command that runs its container."""

_Value = TypeVar("_Value")

MEMORY = {
    "resident": ("Rss",),
    "private": ("Private_Clean", "Private_Dirty"),
    "proportional": ("Pss",),
}
"""The fields of the kernel's file smaps_rollup for each kind of a process's memory.

Private memory is shared with no other process. Proportional memory also has each process's part of shared
memory.
"""

PATIENCE = 600.0
"""Seconds that a start may take."""

_RETRY_AFTER = 0.002
"""Seconds between two requests before the first answer."""

_REST = 0.05
"""The most cores that services use at rest."""

_LOOKS_AT_REST, _BETWEEN_LOOKS = 5, 0.5
"""The consecutive measurements that must find the services at rest, and the seconds between two."""

_LAST = 500
"""The characters of a failed command's output that are shown."""

_BYTECODE = ROOT / ".cache" / "bytecode"

_CONTAINER = (
    *("run", "--rm", "--network=host", "--env=LOG_FORMAT=json"),
    *HARDENED,
    *("--memory=256m", "--cpus=1"),
)
"""The command of an engine for a container of a small cloud service, with its console on this machine."""

_CHANGED = ("ADMIN", "ADMIN_TOKENS", "PUBLIC_METRICS", "PYTHONDONTWRITEBYTECODE")
"""The variables that make services under test differ from the services of a user."""


def environment(outcomes: Path) -> Mapping[str, str]:
    """Return the environment of services as a user starts them, except for the place of their data.

    Python keeps its bytecode. Where a variable forbids that, it keeps the bytecode in a folder of the
    project.
    """
    kept = {name: value for name, value in clean_environment().items() if name not in _CHANGED}
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        kept["PYTHONPYCACHEPREFIX"] = str(_BYTECODE)
    places = {"OUTCOMES_URL": str(outcomes), "XDG_DATA_HOME": str(outcomes.parent)}
    return kept | places | {"LOG_FORMAT": "json"}


@click.command(context_settings=CONTEXT)
@click.option("--starts", type=click.IntRange(1), default=20, help="Starts of each.")
@click.option("--timeout", type=click.IntRange(1), default=100, help="Milliseconds for a move.")
@click.option(
    "--beside",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Another checkout of the project, with its compiled code. It is started in turn with this one.",
)
@click.option("--fresh", is_flag=True, help="Start without compiled code.")
@click.option(
    "--image",
    help="Start containers of this image of a whole snake, read-only and with one core; needs root.",
)
def main(starts: int, timeout: int, beside: Path | None, fresh: bool, image: str | None) -> None:
    """Start a snake again and again. Show the phases of its start, and its memory."""
    if image and (beside or fresh):
        raise click.UsageError("--image excludes --beside and --fresh")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = environment(folder / "outcomes.sqlite")
        try:
            if image:
                kinds = [partial(start_container, folder, _engine(), image, timeout)]
            else:
                compile_default()
                checkouts = (ROOT, beside) if beside else (ROOT,)
                kinds = [partial(_start, folder, settings, timeout, fresh, each) for each in checkouts]
            found = _repeated(kinds, starts)
        except TimeoutError as error:
            raise click.ClickException(str(error)) from error
    click.echo(markdown((*COLUMNS, *(BESIDE if beside else ())), rows(*found)))


def _engine() -> str:
    """Return the first container engine that works.

    Docker's command may be installed without its service.
    """
    for name in ("docker", "podman"):
        if shutil.which(name) and not subprocess.run([name, "info"], capture_output=True).returncode:
            return name
    raise click.ClickException("--image needs Docker or Podman")


def _repeated(kinds: Sequence[Callable[[], dict[str, float]]], starts: int) -> list[list[dict[str, float]]]:
    """Return the figures of each kind of start, one start in turn with another."""
    found: list[list[dict[str, float]]] = [[] for _ in kinds]
    for _ in range(starts + 1):
        for start, figures in zip(kinds, found, strict=True):
            figures.append(start())
    # The first start writes bytecode and creates the database.
    return [figures[1:] for figures in found]


def _start(
    folder: Path, environment: Mapping[str, str], timeout: int, fresh: bool, checkout: Path
) -> dict[str, float]:
    """Start a checkout's snake with its log in a folder, and request moves of `timeout` milliseconds at once.

    A fresh snake has no compiled code.

    Return the seconds since the start of its process, and the megabytes of its processes at rest, by the name
    of the table's row.
    """
    port, log = port_before_a_free_one(), folder / "gateway.log"
    command = [sys.executable, "-m", "gateway", *_address(port)]
    with tempfile.TemporaryDirectory() as empty:
        settings = {**environment, "SEARCHER_CACHE_DIR": empty} if fresh else environment
        began = time.time()
        with running(command, settings, log, checkout) as (process, passed):
            until(passed, lambda: _child_of(process.pid, "searcher"))
            started = {f"{_PROCESS}, s": passed()}
            return started | _phases(port, timeout, log, began, passed, lambda: process.pid)


def _address(port: int) -> tuple[str, ...]:
    return "--host", "127.0.0.1", "--port", str(port), "--admin", f"127.0.0.1:{port + 1}"


def start_container(folder: Path, engine: str, image: str, timeout: int) -> dict[str, float]:
    """Start a container of a snake in the same way, and return the same figures."""
    port, log = port_before_a_free_one(), folder / "gateway.log"
    name = f"battlesnake-cold-start-{port}"
    command = [engine, *_CONTAINER, f"--name={name}", image, *_address(port)]

    def process() -> int:
        about = (engine, "inspect", "--format={{.State.Pid}}", name)
        return int(subprocess.run(about, capture_output=True, check=True).stdout)

    began = time.time()
    with running(command, os.environ, log, ROOT) as (_, passed):
        return _phases(port, timeout, log, began, passed, process)


def _phases(
    port: int,
    timeout: int,
    log: Path,
    began: float,
    passed: Callable[[], float],
    process: Callable[[], int],
) -> dict[str, float]:
    """Request moves of a snake that has just been started, and return its figures.

    `began` is the time of the start, and `process` returns the id of the gateway's process.
    """
    until(passed, lambda: answer_of(port, "/")[0] == 200)
    seconds = {"first answer of /": passed()}
    moves = _moves(port, timeout, log, passed)
    source, seconds["first move"] = next(moves)
    seconds["first searched move"] = seconds["first move"]
    while source == "reflex":
        source, seconds["first searched move"] = next(moves)
    gateway = process()
    seconds["processor time until then"] = processor_time(gateway)
    seconds["the gateway listens"] = _logged(log, "Running on") - began
    seconds["the searcher is SERVING"] = _logged(log, "serving on") - began
    seconds["last work"] = _until_rest(gateway, passed)
    seconds["processor time until the last work"] = processor_time(gateway)
    return {f"{name}, s": seconds[name] for name in PHASES if name in seconds} | _memory(gateway)


def _until_rest(gateway: int, passed: Callable[[], float]) -> float:
    """Wait until the services have been at rest for some looks. Return the time of their last work."""
    busy, quiet, before = passed(), 0, processor_time(gateway)
    while quiet < _LOOKS_AT_REST:
        if passed() > PATIENCE:
            raise TimeoutError(f"not at rest within {PATIENCE:.0f} s")
        time.sleep(_BETWEEN_LOOKS)
        now = processor_time(gateway)
        # The sum drops when a process ends.
        if abs(now - before) / _BETWEEN_LOOKS > _REST:
            busy, quiet = passed(), 0
        else:
            quiet += 1
        before = now
    return busy


def _child_of(gateway: int, name: str) -> int:
    """Return the id of the process of a gateway's searcher or console; 0 if it has not started."""
    try:
        return next((pid for pid in family(gateway) if module(pid) == name), 0)
    except OSError:
        # A process has just ended.
        return 0


def _logged(log: Path, event: str) -> float:
    """Return the time of the first event in a log whose name begins with a text."""
    return datetime.fromisoformat(next(lines_of(log, event))["timestamp"]).timestamp()


def lines_of(log: Path, event: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a JSON log whose events begin with a text."""
    lines = (json.loads(line) for line in log.read_text().splitlines() if line.startswith("{"))
    return (line for line in lines if line["event"].startswith(event))


def _memory(gateway: int) -> dict[str, float]:
    """Return the megabytes of all processes, by the name of the table's row. A missing one has none."""
    processes = {"gateway": gateway, **{name: _child_of(gateway, name) for name in ("searcher", "console")}}
    found = {name: memory_of(pid) if pid else dict.fromkeys(MEMORY, 0.0) for name, pid in processes.items()}
    figures = {f"{name}: {kind}, MB": value for name, held in found.items() for kind, value in held.items()}
    return figures | {"all: proportional, MB": sum(held["proportional"] for held in found.values())}


def memory_of(pid: int) -> dict[str, float]:
    """Return the megabytes of a process by kind. Raises OSError if it has ended."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    fields = dict(line.split(":", 1) for line in lines)
    return {
        kind: sum(int(fields[name].split()[0]) * 1024 / 1e6 for name in names)
        for kind, names in MEMORY.items()
    }


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str], log: Path, checkout: Path
) -> Iterator[tuple[subprocess.Popen[bytes], Callable[[], float]]]:
    """Run a command; yield its process, and a function that returns the seconds since its start.

    The function raises click.ClickException if the command has ended.
    """
    with log.open("wb") as errors:
        started = time.monotonic()
        process = subprocess.Popen(command, cwd=checkout, env=environment, stderr=errors)

    def passed() -> float:
        if process.poll() is not None:
            raise click.ClickException(f"{command[0]} has ended: {log.read_text()[-_LAST:].strip()}")
        return time.monotonic() - started

    try:
        yield process, passed
    finally:
        end(process)


def until(passed: Callable[[], float], condition: Callable[[], _Value], patience: float = PATIENCE) -> _Value:
    """Wait for a true value, and return it. Raises TimeoutError if `patience` seconds since a start pass."""
    while not (value := condition()):
        if passed() > patience:
            raise TimeoutError(f"not started within {patience:.0f} s")
        time.sleep(_RETRY_AFTER)
    return value


def _moves(port: int, timeout: int, log: Path, passed: Callable[[], float]) -> Iterator[tuple[str, float]]:
    """Request one move after another; yield the source of each, and the time of its answer."""
    asked = body(timeout=timeout)
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
        moves = list(lines_of(log, "move"))
        if moves and moves[-1]["turn"] == turn:
            return str(moves[-1]["source"])
        time.sleep(0.001)
    raise TimeoutError(f"the move of turn {turn} was not logged")


def rows(
    starts: Sequence[Mapping[str, float]], beside: Sequence[Mapping[str, float]] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the cells of each row: its name, the median and the range of its figure.

    `beside` are the starts of another checkout. With them a row also has their median, and the first median
    divided by it.
    """
    for name in starts[0]:
        values = [start[name] for start in starts]
        digits = 0 if name.endswith("MB") else 2
        figures = [median(values), min(values), max(values)]
        if beside:
            figures.append(median(start[name] for start in beside))
        # A checkout without a console of its own has no memory of one.
        ratio = (f"{figures[0] / figures[-1]:.2f}" if figures[-1] else "",) if beside else ()
        yield name, *(f"{figure:.{digits}f}" for figure in figures), *ratio


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.cold_start")
