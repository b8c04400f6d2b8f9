"""The command line: python -m gateway as a process."""

import asyncio
import json
import signal
import socket
from contextlib import AsyncExitStack
from pathlib import Path

import aiohttp
import pytest

from tests.gateway import scripted
from tests.gateway.commands import PATIENCE, fails, serving
from tests.gateway.scripted import ScriptedService, body


async def _move(client: aiohttp.ClientSession, path: str = "/move") -> str:
    async with client.post(path, json=body()) as answer:
        assert answer.status == 200
        move: str = (await answer.json())["move"]
        return move


async def test_sigterm_lets_moves_under_way_be_answered() -> None:
    """On SIGTERM the gateway answers what it is asked already, then ends with status 0 in time."""
    service = ScriptedService(scripted.one_depth_then_silence)
    now = asyncio.get_running_loop().time
    async with scripted.searcher(service) as target, serving(target) as (process, client):
        moves = [asyncio.create_task(_move(client)) for _ in range(4)]
        while len(service.requests) < 4:
            await asyncio.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        signalled = now()
        assert await asyncio.gather(*moves) == ["right"] * 4
        await asyncio.wait_for(process.communicate(), PATIENCE)
        assert process.returncode == 0
        assert now() - signalled < 5


async def test_the_log_is_json_when_nobody_reads_it_in_a_terminal() -> None:
    """Away from a terminal each line of the log is a JSON object, even when a searcher goes away."""
    service = ScriptedService(scripted.one_depth_then_silence)
    async with AsyncExitStack() as searching:
        target = await searching.enter_async_context(scripted.searcher(service))
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
    assert [line["move"] for line in lines if line["event"] == "move"] == ["right"]
    assert any(line["event"].startswith("Running on http://127.0.0.1:") for line in lines)


def _routes(snake: str, *targets: str) -> str:
    """A snake at that path with an arm for each target, of which the first one is drawn."""
    arms = [f'{{ name = "{n}", weight = {not n:d}, searcher = "{one}" }}' for n, one in enumerate(targets)]
    return f'[[snakes]]\npath = "{snake}"\narms = [{", ".join(arms)}]\n'


async def _until_found(client: aiohttp.ClientSession, path: str) -> None:
    """Wait until a snake is there, asking now and then."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async with client.get(path) as answer:
                if answer.status == 200:
                    return
            await asyncio.sleep(0.05)


async def test_sighup_loads_the_routes_again(tmp_path: Path) -> None:
    """On SIGHUP new routes play, moves under way end as they began, and a wrong file changes nothing."""
    slow, other = ScriptedService(scripted.one_depth_then_silence), ScriptedService(scripted.at_once)
    file = tmp_path / "routes.toml"
    async with scripted.searcher(slow) as one, scripted.searcher(other) as two:
        file.write_text(_routes("/old", one))
        async with serving(one, ROUTES_FILE=str(file)) as (process, client):
            under_way = asyncio.create_task(_move(client, "/old/move"))
            while not slow.requests:
                await asyncio.sleep(0.01)
            file.write_text(_routes("/new", two, one))
            process.send_signal(signal.SIGHUP)
            await _until_found(client, "/new")
            assert await under_way == "right"
            assert await _move(client, "/new/move") == "up"
            async with client.get("/old") as answer:
                assert answer.status == 404
            assert await _move(client, "/old/move") == "right"
            file.write_text(_routes("/wrong", two) + "[[snakes]]\n")
            process.send_signal(signal.SIGHUP)
            line = b""
            while b"not reloaded" not in line:
                assert process.stderr is not None
                line = await asyncio.wait_for(process.stderr.readline(), PATIENCE)
            assert b"line 4: snakes[1].path" in line and str(file).encode() in line
            assert await _move(client, "/new/move") == "up"


async def test_a_wrong_routes_file_is_named(tmp_path: Path) -> None:
    """At the start a wrong file is an error with its name, line and field; so is one that isn't there."""
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
        ("--log-format", "xml", "'console', 'json'"),
    ],
)
async def test_a_wrong_option_is_named(option: str, value: str, hint: str) -> None:
    """A value that can't be is an error that names the option and what is valid."""
    status, error = await fails(option, value)
    assert status == 2 and option in error and hint in error


async def test_a_wrong_variable_is_named() -> None:
    """A value from the environment is checked like an option."""
    status, error = await fails(STRATEGY="paranoid")
    assert status == 2 and "STRATEGY" in error


async def test_a_port_in_use_is_named() -> None:
    """A port that another process listens on is one clear line, not a traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, error = await fails("--host", "127.0.0.1", "--port", port, "--searcher", "127.0.0.1:1")
    assert status == 1 and f"port {port}" in error and "Traceback" not in error
