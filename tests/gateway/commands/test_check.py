"""The command line: python -m gateway check as a process."""

import asyncio
import json
import signal
from pathlib import Path

from tests.gateway.gateway_process import start
from tests.support.command_process import PATIENCE
from tests.support.services import free_port

LOCAL = ("--host", "127.0.0.1")


async def _check(*options: str, **environment: str) -> tuple[int | None, str, str]:
    """Return the exit status, the output and the errors."""
    environment = {"PORT": str(free_port())} | environment
    process = await start("check", *LOCAL, *options, **environment)
    output, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode, output.decode(), error.decode()


async def test_a_gateway_that_would_work(temporary: Path) -> None:
    """There is a line for each thing, and the embedded searcher has ended."""
    status, output, error = await _check(TMPDIR=str(temporary))
    lines = output.splitlines()
    assert (status, error, lines.pop()) == (0, "", "everything would work")
    assert [line.split()[:2] for line in lines] == [
        ["ok", subject] for subject in ("port", "console", "routes", "searcher", "arm")
    ]
    assert "the embedded searcher" in lines[3] and "balanced" in lines[3]
    assert list(temporary.iterdir()) == []


async def test_programs_get_json() -> None:
    """The command checks the gateway that the options before it describe."""
    process = await start("--searcher", "127.0.0.1:1", "check", *LOCAL, "--port", "0", "--json")
    output = (await asyncio.wait_for(process.communicate(), PATIENCE))[0].decode()
    found = json.loads(output)
    assert process.returncode == 1 and found["passed"] is False
    [searcher] = [one for one in found["checks"] if one["subject"] == "searcher"]
    assert not searcher["passed"] and "127.0.0.1:1" in searcher["detail"] and searcher["remedy"]


async def test_a_signal_leaves_nothing_behind(temporary: Path) -> None:
    """A check that is ended removes the folder of its searcher."""
    process = await start("check", *LOCAL, "--port", "0", TMPDIR=str(temporary))
    async with asyncio.timeout(PATIENCE):
        while not any(temporary.iterdir()):
            await asyncio.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        await process.communicate()
    assert process.returncode == 1
    assert list(temporary.iterdir()) == []
