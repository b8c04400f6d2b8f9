"""The report of a game contains the faults of a snake; otherwise a clean report would prove nothing."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.support.games import GameFailedError, GameSetup, run_game

QUICK = GameSetup("standard", width=7, height=7, timeout=150)

Serve = Callable[[str, float], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Return a function that starts a snake with a constant move and delay in seconds; it returns its URL."""
    servers: list[ThreadingHTTPServer] = []

    def start(move: str, delay: float) -> str:
        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), _handler(move, delay)))
        threading.Thread(target=servers[-1].serve_forever).start()
        return f"http://127.0.0.1:{servers[-1].server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def _handler(move: str, delay: float) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({"apiversion": "1"})

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/move":
                time.sleep(delay)
            self._answer({"move": move})

        def _answer(self, body: dict[str, str]) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(BrokenPipeError):  # The engine closes the connection on a late response.
                self.wfile.write(json.dumps(body).encode())

        def log_message(self, format: str, *args: object) -> None:
            """Keep the output of the tests clean."""

    return Handler


def test_a_snake_that_leaves_the_board_dies_needlessly(official_engine: Path, serve: Serve) -> None:
    """Moving up into the wall is reported as one needless death, and nothing else is reported."""
    report = run_game(official_engine, [serve("up", 0)], QUICK)
    assert len(report.needless_deaths) == 1
    assert report.warnings == ()
    assert report.late == 0


def test_an_invalid_move_is_reported(official_engine: Path, serve: Serve) -> None:
    """Every response that is not a direction causes a warning that contains it."""
    report = run_game(official_engine, [serve("north", 0)], QUICK)
    assert len(report.warnings) == report.turns - 1
    assert all("north" in warning for warning in report.warnings)


def test_a_late_response_is_reported(official_engine: Path, serve: Serve) -> None:
    """Every late response causes a warning and counts as late."""
    report = run_game(official_engine, [serve("up", 0.4)], QUICK)
    assert len(report.warnings) == report.turns - 1
    assert report.late == len(report.latencies) > 0


def test_a_game_that_cannot_start_raises(official_engine: Path) -> None:
    """The error contains the engine's complaint about the options."""
    with pytest.raises(GameFailedError, match="nowhere"):
        run_game(official_engine, ["http://127.0.0.1:9"], GameSetup("standard", map="nowhere"))
