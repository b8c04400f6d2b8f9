"""The cloud function: the deployed folder, served by the functions framework as a separate process."""

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from searcher.engine.jit.code_cache import TARGET
from tests.gateway.scripted_searcher import REQUESTS
from tests.support import admin
from tests.support.http import answer_of, wait_until
from tests.support.processes import COMPILER, family, loaded_by, module
from tests.support.services import ONLY_DEFAULT, ROOT, free_port, moves_by_source

STAGE = ROOT / "infra" / "functions" / "stage.sh"

IN_TIME = 30.0
"""Seconds for the framework to respond on a busy machine."""

MOVE = (REQUESTS / "standard-move-mid-42.json").read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, compiled: None) -> Path:
    """Return the folder of the function, with the code that the test run has compiled."""
    folder = tmp_path_factory.mktemp("staged") / "function"
    settings = {"PYTHON": sys.executable, "PREBUILD": TARGET, **ONLY_DEFAULT}
    subprocess.run([STAGE, folder], env=os.environ | settings, check=True)
    # What is imported must be the wheel in the folder, as in a cloud, where nothing else is installed.
    [wheel] = folder.glob("*.whl")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*command, folder / "site", wheel], check=True)
    return folder


@contextmanager
def _function(
    folder: Path, target: str = "", log: Path | None = None, **environment: str
) -> Iterator[tuple[int, int]]:
    """Serve the function as the framework does in a cloud; yield its port and the id of its process."""
    port = free_port()
    command = Path(sys.executable).parent / "functions-framework"
    settings = {
        "FUNCTION_TARGET": "snake",
        "PORT": str(port),
        "PYTHONPATH": str(folder / "site"),
        "SNAKE_COLOR": "aabbcc",
        "SNAKE_NAME": "Cloudy",
        "SEARCHER_TARGET": target,
        **admin.ENVIRONMENT,
        **ONLY_DEFAULT,
        **environment,
    }
    with log.open("wb") if log else nullcontext() as errors:
        process = subprocess.Popen([command], cwd=folder, env=os.environ | settings, stderr=errors)
    try:
        yield port, process.pid
        process.send_signal(signal.SIGTERM)
        process.wait(IN_TIME)
    finally:
        process.kill()
        process.wait()


def test_a_failed_start_is_tried_again(folder: Path, tmp_path: Path) -> None:
    """A request that meets a failed start gets 503, the cause is logged, and the next one starts anew."""
    routes, log = tmp_path / "routes.toml", tmp_path / "log"
    routes.write_text("nonsense")
    with _function(folder, "127.0.0.1:1", log=log, ROUTES_FILE=str(routes)) as (port, _):
        wait_until(lambda: answer_of(port, "/")[0] == 503, IN_TIME)
        assert answer_of(port, "/")[0] == 503
        routes.write_text("")
        assert answer_of(port, "/")[0] == 200
    failures = [line for line in log.read_text().splitlines() if "the gateway did not start" in line]
    assert len(failures) >= 2 and all("TomlError" in line for line in failures)


def test_the_headers_of_a_request_reach_the_gateway(folder: Path, tmp_path: Path) -> None:
    """A compressed body is read, and a trace continues."""
    log, trace = tmp_path / "log", "4bf92f3577b34da6a3ce929d0e0e4736"
    headers = {"Content-Encoding": "gzip", "traceparent": f"00-{trace}-00f067aa0ba902b7-01"}
    with _function(folder, "127.0.0.1:1", log=log) as (port, _):
        wait_until(lambda: answer_of(port, "/")[0] == 200, IN_TIME)
        url = f"http://127.0.0.1:{port}/move"
        with urlopen(Request(url, gzip.compress(MOVE), headers), timeout=IN_TIME) as answer:
            assert json.load(answer)["move"] in ("up", "down", "left", "right")
        with urlopen(Request(url.removesuffix("move"), headers={"Accept": "text/html"})) as answer:
            assert f"http://127.0.0.1:{port}/" in answer.read().decode()
    assert any(trace in line for line in log.read_text().splitlines())


def test_games_are_recorded_by_a_console_elsewhere(folder: Path, tmp_path: Path) -> None:
    """It has the events when the answer to the /end leaves. Without a console, a line tells it."""
    listen, log, none = f"unix:{tmp_path}/console.sock", tmp_path / "log", tmp_path / "none"
    database = tmp_path / "games.sqlite"
    command = (sys.executable, "-m", "console", "serve", "--listen", listen, "--outcomes", str(database))
    settings = os.environ | {"ADMIN": "none"}
    with subprocess.Popen(command, cwd=ROOT, env=settings, stderr=subprocess.PIPE, text=True) as console:
        try:
            assert console.stderr
            assert any("console listens" in line for line in console.stderr)
            with _function(folder, "127.0.0.1:1", log=log, CONSOLE_TARGET=listen) as (port, _):
                wait_until(lambda: answer_of(port, "/")[0] == 200, IN_TIME)
                assert answer_of(port, "/move", MOVE)[0] == answer_of(port, "/end", MOVE)[0] == 200
                assert json.loads(MOVE)["game"]["id"] in _recorded(database)
        finally:
            console.kill()
    assert "not stored" not in log.read_text()
    with _function(folder, "127.0.0.1:1", log=none) as (port, _):
        wait_until(lambda: answer_of(port, "/")[0] == 200, IN_TIME)
    assert none.read_text().count("games are not recorded") == 1


def _recorded(database: Path) -> str:
    """Return the recorded games as JSON."""
    command = [sys.executable, "-m", "console", "games", "list", "--json", "--outcomes", str(database)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_the_function_is_a_whole_snake(folder: Path) -> None:
    """Without a remote searcher the function starts its own, whose code was compiled for the wheel."""
    with _function(folder) as (port, pid):
        _check(port)
        assert "searcher" in {module(each) for each in family(pid)}
        assert loaded_by(pid, COMPILER) == set()


def _searched(port: int) -> bool:
    """Ask for a move, and return whether one has come from a completed search so far."""
    status, answer = answer_of(port, "/move", MOVE)
    assert status == 200 and json.loads(answer)["move"] in ("up", "down", "left", "right")
    return moves_by_source(f"http://127.0.0.1:{port}")["search"] > 0


def _check(port: int) -> None:
    wait_until(lambda: answer_of(port, "/")[0] == 200, IN_TIME)
    looks = json.loads(answer_of(port, "/")[1])
    assert (looks["apiversion"], looks["name"], looks["color"]) == ("1", "Cloudy", "#aabbcc")
    wait_until(lambda: answer_of(port, "/readyz")[0] == 200, IN_TIME)
    # On a busy machine not every search is completed.
    wait_until(lambda: _searched(port), IN_TIME)
    status, answer = answer_of(port, "/move", b'{"game": {}}')
    assert status == 400 and json.loads(answer)["field"]
    assert answer_of(port, "/nowhere")[0] == 404
