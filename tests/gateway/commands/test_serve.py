"""The command line: python -m gateway as a process."""

import asyncio
import json
import re
import signal
import socket
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import PATIENCE, fails, serving, start
from tests.gateway.scripted_searcher import ScriptedService, body
from tests.support.child_process import killed
from tests.support.services import COMPILED_WITHIN, free_port


async def _move(client: aiohttp.ClientSession, path: str = "/move", **game: Any) -> str:
    async with client.post(path, json=body(**game)) as answer:
        assert answer.status == 200
        move: str = (await answer.json())["move"]
        return move


async def test_moves_in_progress_are_answered_on_sigterm() -> None:
    """On SIGTERM the gateway answers its requests in progress, then ends in time with status 0."""
    service = ScriptedService(scripted_searcher.one_depth_then_silence)
    now = asyncio.get_running_loop().time
    async with scripted_searcher.searcher(service) as target, serving(target) as (process, client):
        moves = [asyncio.create_task(_move(client, id=str(number))) for number in range(4)]
        while len(service.requests) < 4:
            await asyncio.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        signalled = now()
        assert await asyncio.gather(*moves) == ["right"] * 4
        await asyncio.wait_for(process.communicate(), PATIENCE)
        assert process.returncode == 0
        assert now() - signalled < 5


async def test_without_a_terminal_the_log_is_json() -> None:
    """Without a terminal each line of the log is a JSON object, even when a searcher disconnects."""
    service = ScriptedService(scripted_searcher.one_depth_then_silence)
    async with AsyncExitStack() as searching:
        target = await searching.enter_async_context(scripted_searcher.searcher(service))
        async with serving(target) as (process, client):
            move = asyncio.create_task(_move(client))
            while not service.requests:
                await asyncio.sleep(0.01)
            await searching.aclose()
            await move
            process.terminate()
            output, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    lines = [json.loads(line) for line in error.splitlines()]
    assert output == b""
    [moved] = (line for line in lines if line["event"] == "move")
    assert moved["move"] == "right"
    searched = "source elapsed_ms time_left_ms budget_ms depth nodes score failed_calls last_failure"
    keys = f"game_id snake arm turn move {searched} event trace_id level timestamp"
    assert [*moved] == keys.split()
    assert any(line["event"].startswith("Running on http://127.0.0.1:") for line in lines)


def _routes(snake: str, *targets: str) -> str:
    """Return routes with a snake at that path and an arm for each target; the first one is always drawn."""
    arms = [f'{{ name = "{n}", weight = {not n:d}, searcher = "{one}" }}' for n, one in enumerate(targets)]
    return f'[[snakes]]\npath = "{snake}"\narms = [{", ".join(arms)}]\n'


async def _until_found(client: aiohttp.ClientSession, path: str) -> None:
    """Poll a snake's path until it is found."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async with client.get(path) as answer:
                if answer.status == 200:
                    return
            await asyncio.sleep(0.05)


async def test_sighup_loads_the_routes_again(tmp_path: Path) -> None:
    """On SIGHUP new routes apply, moves in progress keep theirs, and an invalid file changes nothing."""
    slow, other = (
        ScriptedService(scripted_searcher.one_depth_then_silence),
        ScriptedService(scripted_searcher.at_once),
    )
    file = tmp_path / "routes.toml"
    async with scripted_searcher.searcher(slow) as one, scripted_searcher.searcher(other) as two:
        file.write_text(_routes("/old", one))
        async with serving(one, ROUTES_FILE=str(file)) as (process, client):
            in_progress = asyncio.create_task(_move(client, "/old/move", id="old"))
            while not slow.requests:
                await asyncio.sleep(0.01)
            file.write_text(_routes("/new", two, one))
            process.send_signal(signal.SIGHUP)
            await _until_found(client, "/new")
            assert await in_progress == "right"
            assert await _move(client, "/new/move", id="new") == "up"
            async with client.get("/old") as answer:
                assert answer.status == 404
            assert await _move(client, "/old/move", id="older") == "right"
            file.write_text(_routes("/wrong", two) + "[[snakes]]\n")
            process.send_signal(signal.SIGHUP)
            line = b""
            while b"not reloaded" not in line:
                assert process.stderr is not None
                line = await asyncio.wait_for(process.stderr.readline(), PATIENCE)
            assert b"line 4: snakes[1].path" in line and str(file).encode() in line
            assert await _move(client, "/new/move", id="newer") == "up"


async def test_an_invalid_routes_file_is_named(tmp_path: Path) -> None:
    """At the start an invalid or missing file is an error with its name, line and field."""
    file = tmp_path / "routes.toml"
    status, error = await fails("--routes", str(file))
    assert status == 2 and "--routes" in error and str(file) in error and "No such file" in error
    file.write_text(_routes("/a", "host:1") + "arm_header = 1")
    status, error = await fails(ROUTES_FILE=str(file))
    assert status == 2 and f"{file}: line 4: snakes[0].arm_header: " in error
    assert "Traceback" not in error


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("--port", "70000", "0<=x<=65535"),
        ("--strategy", "paranoid", "search/evaluator"),
        ("--outcomes", "mysql://localhost", "postgresql://"),
        ("--log-format", "xml", "'text', 'json'"),
        ("--log-level", "loud", "'debug', 'info', 'warning', 'error'"),
    ],
)
async def test_an_invalid_option_is_named(option: str, value: str, hint: str) -> None:
    """An invalid value is an error that names the option and what is valid."""
    status, error = await fails(option, value)
    assert status == 2 and option in error and hint in error


async def test_an_invalid_variable_is_named() -> None:
    """A value from the environment is validated like an option."""
    status, error = await fails(STRATEGY="paranoid")
    assert status == 2 and "STRATEGY" in error


async def test_a_port_in_use_is_named() -> None:
    """A port in use is an error of one line with a remedy, without a traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, error = await fails("--host", "127.0.0.1", "--port", port, "--searcher", "127.0.0.1:1")
    assert status == 2 and "Traceback" not in error
    assert error.splitlines()[-1] == (
        f"Error: can't listen on 127.0.0.1, port {port}: address already in use. "
        "Stop the program that listens there, or choose another port with --port or PORT."
    )


async def test_the_embedded_searcher_logs_like_the_gateway() -> None:
    """The gateway's options hold for its searcher too, so that all lines of a terminal look alike."""
    options = ("--host", "127.0.0.1", "--port", str(free_port()), "--log-format", "text")
    process = await start(*options, LOG_LEVEL="INFO")
    assert process.stderr is not None
    lines: list[str] = []
    try:
        async with asyncio.timeout(COMPILED_WITHIN):
            async for line in process.stderr:
                lines.append(line.decode())
                if "serving on unix:" in lines[-1]:
                    process.terminate()
    finally:
        await killed(process)
    assert "draining" in lines[-1]
    assert [line for line in lines if not re.match(r"\d\d:\d\d:\d\d \S", line)] == []
