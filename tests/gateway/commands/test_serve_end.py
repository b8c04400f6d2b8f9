"""How `python -m gateway` ends, with an embedded searcher: it leaves nothing behind."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from tests.gateway.gateway_process import PATIENCE, Process, fails, serving, start
from tests.gateway.scripted_searcher import ScriptedService, body, one_depth_then_silence, searcher
from tests.support.child_process import killed
from tests.support.services import free_port

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


@asynccontextmanager
async def _running(temporary: Path, port: int = 0) -> AsyncIterator[Process]:
    """Start a gateway; yield it as soon as it has a searcher."""
    process = await start(*LOCAL, str(port), TMPDIR=str(temporary))
    try:
        await _until_started(temporary)
        yield process
    finally:
        await killed(process)


async def _ended(process: Process) -> int | None:
    await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
async def test_a_signal_leaves_nothing_behind(temporary: Path, number: signal.Signals) -> None:
    """The folder of the embedded searcher is removed."""
    async with _running(temporary) as process:
        await _line(process, "Running on")
        process.send_signal(number)
        assert await _ended(process) == 0
    assert list(temporary.iterdir()) == []


async def test_a_signal_during_the_start_leaves_nothing_behind(temporary: Path) -> None:
    """A gateway that does not serve yet ends in order, too."""
    async with _running(temporary) as process:
        process.terminate()
        assert await _ended(process) == 0
    assert list(temporary.iterdir()) == []


async def test_further_signals_do_not_interrupt_the_end(temporary: Path) -> None:
    """While a move in progress is awaited, which is answered, a second signal changes nothing."""
    port = free_port()
    async with _running(temporary, port) as process, aiohttp.ClientSession() as client:
        await _line(process, "Running on")
        move = asyncio.create_task(client.post(f"http://127.0.0.1:{port}/move", json=body(timeout=20_000)))
        await asyncio.sleep(0.5)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGTERM):
            process.send_signal(number)
            await asyncio.sleep(0.3)
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
        assert process.returncode == 0 and b"Traceback" not in error
        assert (await move).status == 200
    assert list(temporary.iterdir()) == []


async def test_a_long_move_is_answered_with_its_best_so_far(tmp_path: Path) -> None:
    """SIGTERM ends the gateway before a move of ten seconds, which gets the deepest move that has arrived."""
    log = tmp_path / "log"
    service = ScriptedService(one_depth_then_silence)
    async with searcher(service) as target, serving(target, log=str(log)) as (process, client):
        move = asyncio.create_task(client.post("/move", json=body(timeout=10_000)))
        async with asyncio.timeout(PATIENCE):
            while not service.requests:
                await asyncio.sleep(0.01)
        process.terminate()
        async with await move as answer:
            assert await answer.json() == {"move": "right"}
        assert await _ended(process) == 0
    [line] = (line for line in map(json.loads, log.read_text().splitlines()) if line["event"] == "move")
    assert line["source"] == "best-so-far"


async def test_a_hangup_without_routes_is_ignored(temporary: Path) -> None:
    """SIGHUP is logged, changes nothing, and is no way to end without draining."""
    port = free_port()
    async with _running(temporary, port) as process, aiohttp.ClientSession() as client:
        await _line(process, "Running on")
        process.send_signal(signal.SIGHUP)
        assert '"level": "info"' in await _line(process, "nothing to reload: there is no routes file")
        async with client.get(f"http://127.0.0.1:{port}/healthz") as answer:
            assert answer.status == 200
        process.terminate()
        assert await _ended(process) == 0
    assert list(temporary.iterdir()) == []


async def test_a_closed_terminal_ends_the_gateway(temporary: Path) -> None:
    """A gateway whose terminal was closed would be hard to find; it ends in order."""
    terminal, its_side = os.openpty()
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gateway", *LOCAL, "0"),
        env=os.environ | {"OUTCOMES_URL": "none", "TMPDIR": str(temporary)},
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
    """The error names the option or the arm, and the valid names."""
    status, error = await fails(*LOCAL, "0", "--strategy", "paranoid/nope", TMPDIR=str(temporary))
    assert status == 2 and "--strategy: unknown evaluator 'nope'; valid: balanced" in error
    file = tmp_path / "routes.toml"
    file.write_text('[[snakes]]\npath = "/a"\narms = [{ name = "x", evaluator_weights = { thirst = 1 } }]')
    status, error = await fails(*LOCAL, "0", "--routes", str(file), TMPDIR=str(temporary))
    assert status == 2 and f"{file}: /a, arm x: unknown weight 'thirst'; valid: " in error
    assert "Traceback" not in error
    assert list(temporary.iterdir()) == []


async def test_a_port_in_use_leaves_nothing_behind(temporary: Path) -> None:
    """An error at the start ends the searcher that was started before it."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        status, error = await fails(*LOCAL, port, TMPDIR=str(temporary))
    assert status == 2 and "Traceback" not in error
    assert list(temporary.iterdir()) == []
