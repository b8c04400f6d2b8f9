"""One start of a snake, with the seconds from the start of its process to what it does."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cold_start.memory import Memory, memory_of
from tests.gateway.scripted_searcher import body
from tests.support.http import answer_of
from tests.support.processes import family, module
from tests.support.services import ROOT, end, port_before_a_free_one

PATIENCE = 60.0
"""Seconds that a start may take."""

_RETRY_AFTER = 0.002
"""Seconds between two questions while nobody answers."""

_SETTLED = 3.0
"""Seconds after the first searched move in which the snake opens its database and comes to rest."""

_GAME = "cold-start"


@dataclass(frozen=True, slots=True)
class SnakeStart:
    """The start of a snake: seconds since that of its process, and the memory of its processes at rest."""

    answer: float
    """To the first answer of /."""
    move: float
    """To the first answered move, which may be a reflex."""
    searched: float
    """To the first move of a search."""
    search: float
    """The seconds of that search itself."""
    gateway: Memory
    searcher: Memory


def start_snake(folder: Path, environment: Mapping[str, str], timeout: int) -> SnakeStart:
    """Start a snake with its log in a folder, and ask it for moves of `timeout` milliseconds at once."""
    port, log = port_before_a_free_one(), folder / "gateway.game.log"
    command = [sys.executable, "-m", "gateway", "--host", "127.0.0.1", "--port", str(port)]
    with _running(command, environment, log) as (process, passed):
        _until(passed, lambda: answer_of(port, "/")[0] == 200)
        answer = passed()
        moves = _moves(port, timeout, log, passed)
        source, move = next(moves)
        searched = move
        while source == "reflex":
            source, searched = next(moves)
        searcher = next(pid for pid in family(process.pid) if module(pid) == "searcher")
        search = _search_time(port + 1, passed)
        time.sleep(_SETTLED)
        return SnakeStart(answer, move, searched, search, memory_of(process.pid), memory_of(searcher))


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
    """Ask for one move after another; yield the source of each, and when it was answered."""
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
