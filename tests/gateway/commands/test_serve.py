"""The command line: python -m gateway as a process."""

import asyncio
import errno
import json
import os
import signal
import socket
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from battlesnake_search.ports.checks import refusal_of
from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import fails, refused, serving
from tests.gateway.scripted_searcher import ScriptedService, body, one_depth_then_silence, searcher
from tests.support.command_process import PATIENCE, Process
from tests.support.services import free_port


async def _move(client: aiohttp.ClientSession, path: str = "/move", **game: Any) -> str:
    async with client.post(path, json=body(**game)) as answer:
        assert answer.status == 200
        move: str = (await answer.json())["move"]
        return move


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
    searched = "source elapsed_ms time_left_ms budget_ms arms depth nodes score failed_calls last_failure"
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
            assert b"snakes[1].path" in line and str(file).encode() in line
            assert await _move(client, "/new/move", id="newer") == "up"


async def test_refused_settings_of_the_own_searcher_end_the_start(tmp_path: Path) -> None:
    """An error in the searcher's table of the file of settings is told, with exit status 2."""
    file = tmp_path / "settings.toml"
    file.write_text("[searcher.serve]\nworkers = 0\n")
    status, error = await fails(BATTLESNAKE_CONFIG=str(file), PORT=str(free_port()))
    assert status == 2
    assert f"{file}: searcher.serve.workers: 0 is not in the range x>=1" in error
    assert error.endswith("Error: the searcher refuses its settings, for the reason above\n")


async def test_refused_settings_of_the_own_console_end_the_start(temporary: Path) -> None:
    """An option that the gateway passes on to it is told, with exit status 2."""
    options = ("--port", "0", "--searcher", "127.0.0.1:1", "--outcomes", "mysql://x")
    status, error = await fails(*options, TMPDIR=str(temporary), CONSOLE_TARGET="")
    assert status == 2
    assert "mysql:// is neither a file's path nor postgresql://user@host/database nor none" in error
    assert error.endswith("Error: the console refuses its settings, for the reason above\n")
    assert list(temporary.iterdir()) == []


def test_an_invalid_routes_file_is_named(tmp_path: Path) -> None:
    """At the start an invalid or missing file is an error with its name, line and field."""
    file = tmp_path / "routes.toml"
    status, error = refused("--routes", str(file))
    assert status == 2 and "--routes" in error and str(file) in error and "No such file" in error
    file.write_text(_routes("/a", "host:1") + "arm_header = 1")
    status, error = refused(ROUTES_FILE=str(file))
    assert status == 2 and f"{file}: snakes[0].arm_header: " in error


async def test_a_port_in_use_is_named(temporary: Path) -> None:
    """The error has one line with a remedy. It ends the searcher that was started before it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, error = await fails("--host", "127.0.0.1", "--port", port, TMPDIR=str(temporary))
    assert status == 2 and "Traceback" not in error
    assert list(temporary.iterdir()) == []
    assert error.splitlines()[-1] == (
        f"Error: can't listen on 127.0.0.1, port {port}: address already in use. "
        "Stop the program that listens there, or choose another port with --port or PORT."
    )


LOCAL = ("--host", "127.0.0.1", "--port")


async def _until_started(temporary: Path) -> None:
    """Wait until the gateway has created the folder of its searcher."""
    async with asyncio.timeout(PATIENCE):
        while not any(temporary.iterdir()):
            await asyncio.sleep(0.001)


async def _line(process: Process, text: str) -> str:
    """Return the next line of the log that contains a text."""
    assert process.stderr is not None
    async with asyncio.timeout(PATIENCE):
        while text not in (line := (await process.stderr.readline()).decode()):
            assert line
    return line


async def _ended(process: Process) -> int | None:
    await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode


async def test_moves_in_progress_are_answered_on_sigterm(tmp_path: Path) -> None:
    """SIGTERM ends the gateway before moves of ten seconds. They get the deepest result so far.

    Further signals change nothing.
    """
    log = tmp_path / "log"
    service, now = ScriptedService(one_depth_then_silence), asyncio.get_running_loop().time
    async with searcher(service) as target, serving(target, log=str(log)) as (process, client):
        moves = [asyncio.create_task(_move(client, id=str(number), timeout=10_000)) for number in range(4)]
        async with asyncio.timeout(PATIENCE):
            while len(service.requests) < 4:
                await asyncio.sleep(0.01)
        signalled = now()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            process.send_signal(number)
            await asyncio.sleep(0.1)
        assert await asyncio.gather(*moves) == ["right"] * 4
        assert await _ended(process) == 0
        assert now() - signalled < 5
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {line["source"] for line in lines if line["event"] == "move"} == {"best-so-far"}
    assert "Traceback" not in log.read_text()


async def test_a_closed_terminal_ends_the_gateway(temporary: Path) -> None:
    """A gateway whose terminal was closed would be hard to find; it ends in order."""
    terminal, its_side = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gateway", *LOCAL, "0"),
        env=os.environ | {"CONSOLE_TARGET": "none", "TMPDIR": str(temporary)},
        stderr=its_side,
    )
    os.close(its_side)
    shown = b""
    while b"Running on" not in shown:
        shown += await asyncio.to_thread(os.read, terminal, 1000)
    os.close(terminal)
    process.send_signal(signal.SIGHUP)
    assert await _ended(process) == 0
    assert list(temporary.iterdir()) == []


async def test_an_unknown_strategy_ends_the_start(temporary: Path, tmp_path: Path) -> None:
    """The error names the arm and the valid names."""
    file = tmp_path / "routes.toml"
    file.write_text('[[snakes]]\npath = "/a"\narms = [{ name = "x", evaluator_weights = { thirst = 1 } }]')
    status, error = await fails(*LOCAL, "0", "--routes", str(file), TMPDIR=str(temporary))
    assert status == 2 and f"{file}: /a, arm x: unknown weight 'thirst'; valid: " in error
    assert "Traceback" not in error
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize(
    ("host", "error", "reason", "remedy"),
    [
        # asyncio raises it, on some versions of Python, for an address of another machine.
        (
            "192.0.2.1",
            OSError("could not bind on any address"),
            "cannot assign requested address",
            "Give an address of this machine with --host.",
        ),
        (
            "nobody.invalid",
            socket.gaierror(socket.EAI_NONAME, "Name or service not known"),
            "Name or service not known",
            "Name another address with --host and --port.",
        ),
        (
            "0.0.0.0",
            PermissionError(errno.EACCES, "error while attempting to bind"),
            "permission denied",
            "Ports below 1024 need privileges: choose another with --port or PORT.",
        ),
    ],
)
def test_an_address_that_cannot_be_used_has_a_remedy(
    host: str, error: OSError, reason: str, remedy: str
) -> None:
    """The reason is the system's or the resolver's."""
    assert refusal_of(host, 80, error) == (f"can't listen on {host}, port 80: {reason}", remedy)
