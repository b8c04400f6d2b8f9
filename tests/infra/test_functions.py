"""The cloud function: the deployed folder, served by the functions framework as a separate process."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.gateway.scripted_searcher import REQUESTS
from tests.support import admin
from tests.support.containers import ROOT
from tests.support.http import answer_of, wait_until
from tests.support.searchers import searcher
from tests.support.services import free_port

STAGE = ROOT / "infra" / "functions" / "stage.sh"

IN_TIME = 30.0
"""Seconds for the framework to respond on a busy machine."""

MOVE = (REQUESTS / "standard-move-mid-42.json").read_bytes()


@contextmanager
def _function(folder: Path, target: str) -> Iterator[int]:
    """Serve the function as the framework does in a cloud; yield its port."""
    port = free_port()
    command = Path(sys.executable).parent / "functions-framework"
    # The gateway must be the wheel in the folder, as in a cloud, where nothing else is installed.
    [wheel], site = folder.glob("*.whl"), folder / "site"
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", site, wheel], check=True
    )
    settings = {"PYTHONPATH": str(site), "PORT": str(port), "SEARCHER_TARGET": target}
    settings |= {
        "FUNCTION_TARGET": "snake",
        **admin.ENVIRONMENT,
        "SNAKE_NAME": "Cloudy",
        "SNAKE_COLOR": "aabbcc",
    }
    process = subprocess.Popen([command], cwd=folder, env=os.environ | settings)
    try:
        yield port
        process.send_signal(signal.SIGTERM)
        process.wait(IN_TIME)
    finally:
        process.kill()
        process.wait()


@pytest.mark.usefixtures("compiled")
async def test_the_function_plays(tmp_path: Path) -> None:
    """The function serves the Battlesnake API as the gateway does, with moves from a remote searcher."""
    subprocess.run([STAGE, tmp_path / "function"], env=os.environ | {"PYTHON": sys.executable}, check=True)
    address = f"127.0.0.1:{free_port()}"
    async with searcher(address):
        with _function(tmp_path / "function", address) as port:
            await asyncio.to_thread(_check, port)


def _check(port: int) -> None:
    wait_until(lambda: answer_of(port, "/")[0] == 200, IN_TIME)
    looks = json.loads(answer_of(port, "/")[1])
    assert (looks["apiversion"], looks["name"], looks["color"]) == ("1", "Cloudy", "#aabbcc")
    wait_until(lambda: answer_of(port, "/readyz")[0] == 200, IN_TIME)
    status, answer = answer_of(port, "/move", MOVE)
    assert status == 200 and json.loads(answer)["move"] in ("up", "down", "left", "right")
    assert b'gateway_moves_total{source="search"} 1.0' in answer_of(port, "/metrics")[1]
    status, answer = answer_of(port, "/move", b'{"game": {}}')
    assert status == 400 and json.loads(answer)["field"]
    assert answer_of(port, "/nowhere")[0] == 404
