"""The command line: python -m gateway as a process."""

import asyncio
import csv
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.gateway import scripted
from tests.gateway.scripted import ScriptedService, body
from tests.support.services import free_port

PATIENCE = 20.0
"""Seconds; far more than the gateway needs to start on a busy machine."""

Process = asyncio.subprocess.Process


_COMMAND = ("-m", "gateway")


def _without(*packages: str) -> tuple[str, ...]:
    """The command of a gateway where these are not installed."""
    missing = f"import sys; sys.modules |= dict.fromkeys({packages});"
    return "-c", f"{missing} from gateway.__main__ import main; main()"


_PLAIN_COMMAND = _without("sqlalchemy", "alembic", "aiosqlite", "asyncpg", "scipy", "openskill", "rich")
"""The gateway as it is where no extra of this project is installed."""


async def _start(*options: str, command: Sequence[str] = _COMMAND, **environment: str) -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        *options,
        env=os.environ | {"OUTCOMES_URL": "none"} | environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def _fails(*options: str, command: Sequence[str] = _COMMAND, **environment: str) -> tuple[int, str]:
    """The exit status and the error output of a gateway that doesn't start."""
    process = await _start(*options, command=command, **environment)
    _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode or 0, error.decode()


async def _output(*options: str) -> str:
    """What a command that succeeds prints."""
    process = await _start(*options)
    output, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0, error.decode()
    return output.decode()


@asynccontextmanager
async def _serving(
    target: str, command: Sequence[str] = _COMMAND, **environment: str
) -> AsyncIterator[tuple[Process, aiohttp.ClientSession]]:
    """A gateway process that is ready, and a client for it."""
    port = free_port()
    process = await _start(
        "--host", "127.0.0.1", command=command, PORT=str(port), SEARCHER_TARGET=target, **environment
    )
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as client:
        try:
            await asyncio.wait_for(_ready(client), PATIENCE)
            yield process, client
        finally:
            if process.returncode is None:
                process.kill()
                await process.communicate()


async def _ready(client: aiohttp.ClientSession) -> None:
    while True:
        try:
            async with client.get("/readyz") as answer:
                if answer.status == 200:
                    return
        except aiohttp.ClientConnectionError:
            await asyncio.sleep(0.05)


async def _move(client: aiohttp.ClientSession, path: str = "/move") -> str:
    async with client.post(path, json=body()) as answer:
        assert answer.status == 200
        move: str = (await answer.json())["move"]
        return move


async def test_sigterm_lets_moves_under_way_be_answered() -> None:
    """On SIGTERM the gateway answers what it is asked already, then ends with status 0 in time."""
    service = ScriptedService(scripted.one_depth_then_silence)
    now = asyncio.get_running_loop().time
    async with scripted.searcher(service) as target, _serving(target) as (process, client):
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
        async with _serving(target) as (process, client):
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
        async with _serving(one, ROUTES_FILE=str(file)) as (process, client):
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
    status, error = await _fails("--routes", str(file))
    assert status == 2 and "--routes" in error and str(file) in error and "No such file" in error
    file.write_text(_routes("/a", "host:1") + "arm_header = 1")
    status, error = await _fails(ROUTES_FILE=str(file))
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
    status, error = await _fails(option, value)
    assert status == 2 and option in error and hint in error


async def test_a_wrong_variable_is_named() -> None:
    """A value from the environment is checked like an option."""
    status, error = await _fails(STRATEGY="paranoid")
    assert status == 2 and "STRATEGY" in error


async def test_a_port_in_use_is_named() -> None:
    """A port that another process listens on is one clear line, not a traceback."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, error = await _fails("--host", "127.0.0.1", "--port", port, "--searcher", "127.0.0.1:1")
    assert status == 1 and f"port {port}" in error and "Traceback" not in error


async def _end(client: aiohttp.ClientSession, game: str) -> None:
    async with client.post("/end", json=body("standard-end-86", id=game)) as answer:
        assert answer.status == 200


async def _games(file: Path) -> int:
    """How many games the command line finds recorded."""
    lines = csv.DictReader((await _output("experiments", "--outcomes", str(file), "--csv")).splitlines())
    return sum(int(line["games"]) for line in lines)


async def test_outcomes_outlive_the_gateway(tmp_path: Path) -> None:
    """Killed or ended, the next gateway goes on in the same file, and an end that comes again counts once."""
    file = tmp_path / "outcomes.sqlite"
    async with scripted.searcher(ScriptedService(scripted.at_once)) as target:
        async with _serving(target, OUTCOMES_URL=str(file)) as (process, client):
            await _end(client, "one")
            while not (await (await client.get("/experiments")).json()).get("experiments"):
                await asyncio.sleep(0.05)
            process.kill()
            await process.communicate()
        async with _serving(target, OUTCOMES_URL=str(file)) as (process, client):
            await _end(client, "one")
            await _end(client, "two")
            process.terminate()
            await asyncio.wait_for(process.communicate(), PATIENCE)
    assert await _games(file) == 2


async def test_a_plain_gateway_records_nothing_and_says_so() -> None:
    """Without any extra installed the gateway plays, and logs once what recording would need."""
    async with (
        scripted.searcher(ScriptedService(scripted.at_once)) as target,
        _serving(target, command=_PLAIN_COMMAND, OUTCOMES_URL="") as (process, client),
    ):
        await _end(client, "one")
        assert await _move(client) == "up"
        async with client.get("/experiments") as answer:
            assert answer.status == 404
        process.terminate()
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    said = [line for line in error.decode().splitlines() if "outcomes are not recorded" in line]
    assert len(said) == 1 and "battlesnake-search[outcomes]" in said[0]


@pytest.mark.parametrize("outcomes", ["some.sqlite", "postgresql://localhost/x"])
async def test_a_store_that_was_asked_for_needs_its_extra(outcomes: str) -> None:
    """Asked to record without what that needs, the gateway says what to install and doesn't start."""
    status, error = await _fails("--outcomes", outcomes, command=_PLAIN_COMMAND)
    assert status == 2 and "battlesnake-search[outcomes]" in error


async def test_the_outcomes_may_be_named_before_the_command(tmp_path: Path) -> None:
    """The gateway's own option goes for its subcommands too, before the environment's."""
    early, late = str(tmp_path / "early.sqlite"), str(tmp_path / "late.sqlite")
    _, error = await _fails("--outcomes", early, "experiments", OUTCOMES_URL=late)
    assert "early.sqlite" in error
    _, error = await _fails("--outcomes", early, "experiments", "--outcomes", late)
    assert "late.sqlite" in error


async def test_comparing_needs_its_extra(tmp_path: Path) -> None:
    """A gateway that records but can't compute says what to install, on the page and on the command line."""
    command, file = _without("scipy"), str(tmp_path / "outcomes.sqlite")
    async with (
        scripted.searcher(ScriptedService(scripted.at_once)) as target,
        _serving(target, command=command, OUTCOMES_URL=file) as (_, client),
        client.get("/experiments") as answer,
    ):
        assert answer.status == 501
        assert "battlesnake-search[experiments]" in (await answer.json())["error"]
    status, error = await _fails("experiments", "--outcomes", file, command=command)
    assert status == 1 and "battlesnake-search[experiments]" in error


async def test_outcomes_that_are_not_there_are_named(tmp_path: Path) -> None:
    """Experiments without a file, or without any outcomes, are one clear line."""
    status, error = await _fails("experiments", "--outcomes", str(tmp_path / "none.sqlite"))
    assert status == 1 and "none.sqlite" in error and "Traceback" not in error
    status, error = await _fails("experiments", "--outcomes", "none")
    assert status == 1 and "none was asked for" in error
