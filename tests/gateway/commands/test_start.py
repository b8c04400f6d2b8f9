"""The start of `python -m gateway`: the embedded searcher first, and the console after the port."""

import asyncio
import re
from pathlib import Path

from tests.gateway.gateway_process import COMMAND, fails, start
from tests.support.command_process import PATIENCE, Process

LOCAL = ("--host", "127.0.0.1", "--port", "0")

FIRST = """
import os, sys
from gateway.commands.main import main
from battlesnake_search.children.service import Service

def note(service):
    print(*({'aiohttp', 'asyncio', 'grpc', 'rich', 'yarl'} & set(sys.modules)), file=sys.stderr)
    print('LOG_FORMAT', os.environ['LOG_FORMAT'], file=sys.stderr)
    print('AHEAD', sorted(os.environ['SEARCHER_AHEAD'].split()), file=sys.stderr)
    sys.exit(9)

Service.start = note
main()
"""
"""A gateway that ends when it starts its searcher, and prints the modules imported so far."""

ARMS = """
[[snakes]]
path = "/"
arms = [
  { name = "a", strategy = "brs/area" },
  { name = "b", strategy = "auto" },
  { name = "c", strategy = "maxn/area", searcher = "127.0.0.1:1" },
]
shadows = [{ name = "d", strategy = "brs/length" }]
"""

LATE_SIGNAL = """
import os, signal
from gateway.commands.main import main
from battlesnake_search.children.service import Service

started = Service.start

def start(service):
    started(service)
    for number in (signal.SIGHUP, signal.SIGTERM):
        os.kill(os.getpid(), number)

Service.start = start
main()
"""
"""A gateway that gets signals as soon as it has started its searcher."""


def _processes_about(folder: Path) -> list[int]:
    """Return the ids of the processes whose commands name a folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if str(folder) in (process / "cmdline").read_text():
                found.append(int(process.name))
        except OSError:  # it has ended
            continue
    return found


async def _until_line(process: Process, text: str) -> list[str]:
    """Return the lines of standard error up to the first one with a text."""
    assert process.stderr is not None
    lines: list[str] = []
    async with asyncio.timeout(PATIENCE):
        while not lines or text not in lines[-1]:
            lines.append((await process.stderr.readline()).decode())
            assert lines[-1], lines
    return lines


async def _end(process: Process) -> int | None:
    if process.returncode is None:
        process.terminate()
    await asyncio.wait_for(process.communicate(), PATIENCE)
    return process.returncode


async def test_the_searcher_starts_before_what_serves_is_imported(temporary: Path) -> None:
    """It starts during the gateway's imports, with the options already known, also of its log."""
    options = (*LOCAL, "--log-format", "text")
    # The watcher of the tokens' file has a log.
    settings = {"TMPDIR": str(temporary), "ADMIN_TOKENS": "", "PUBLIC_METRICS": ""}
    status, error = await fails(*options, command=("-c", FIRST), **settings)
    assert status == 9 and error.splitlines() == ["", "LOG_FORMAT text", "AHEAD []"]
    assert list(temporary.iterdir()) == []


async def test_the_searcher_is_told_the_strategies_of_the_snakes(temporary: Path, tmp_path: Path) -> None:
    """It compiles them before others: those of the option and of the routes, as far as it plays them."""
    file = tmp_path / "routes.toml"
    file.write_text(ARMS)
    for options, named in (
        (("--strategy", "paranoid/area"), ["paranoid/area"]),
        (("--routes", str(file)), ["brs/area", "brs/length"]),
    ):
        _, error = await fails(*LOCAL, *options, command=("-c", FIRST), TMPDIR=str(temporary))
        assert error.splitlines()[-1] == f"AHEAD {named}"


async def test_a_faulty_option_starts_no_searcher(temporary: Path) -> None:
    """Options are read before the searcher starts."""
    status, error = await fails("--port", "70000", command=("-c", FIRST), TMPDIR=str(temporary))
    assert status == 2 and "--port" in error


async def test_a_faulty_routes_file_leaves_no_searcher_behind(temporary: Path, tmp_path: Path) -> None:
    """A path of the gateway's own is known only after the start of the searcher."""
    file = tmp_path / "routes.toml"
    file.write_text('[[snakes]]\npath = "/healthz"\narms = [{ name = "x" }]')
    status, error = await fails(*LOCAL, "--routes", str(file), TMPDIR=str(temporary))
    assert status == 2 and "own" in error and "Traceback" not in error
    assert list(temporary.iterdir()) == [] and _processes_about(temporary) == []


async def test_a_searcher_starts_only_if_a_route_uses_it(temporary: Path, tmp_path: Path) -> None:
    """With a routes file it depends on the searchers that its arms name."""
    file = tmp_path / "routes.toml"
    file.write_text('[[snakes]]\npath = "/"\narms = [{ name = "x", searcher = "127.0.0.1:1" }]')
    process = await start(*LOCAL, "--routes", str(file), TMPDIR=str(temporary))
    await _until_line(process, "Running on")
    assert _processes_about(temporary) == []
    assert await _end(process) == 0


async def test_the_console_starts_after_the_port_and_the_searcher(temporary: Path) -> None:
    """The first moves have the machine. Nothing is lost before its first start, and both end at the end."""
    process = await start(*LOCAL, "--outcomes", "none", TMPDIR=str(temporary), CONSOLE_TARGET="")
    before = await _until_line(process, "console started")
    assert [line for line in before if "Running on" in line]
    lines = await _until_line(process, "console listens")
    assert not [line for line in (*before, *lines) if "console lost" in line]
    assert await _end(process) == 0
    assert list(temporary.iterdir()) == [] and _processes_about(temporary) == []


async def test_the_gateway_imports_no_database(temporary: Path) -> None:
    """Its console has them."""
    command = ("-X", "importtime", *COMMAND)
    process = await start(*LOCAL, "--searcher", "127.0.0.1:1", command=command, TMPDIR=str(temporary))
    imported = re.findall(r"\| +([\w.]+)$", "".join(await _until_line(process, "Running on")), re.MULTILINE)
    assert "aiohttp.web" in imported
    assert not {"aiosqlite", "sqlalchemy", "console"} & set(imported)
    assert await _end(process) == 0


async def test_a_signal_before_the_gateway_serves_is_not_lost(temporary: Path) -> None:
    """It ends a gateway in order that has a searcher and is still importing; a hangup alone does not."""
    process = await start(*LOCAL, command=("-c", LATE_SIGNAL), TMPDIR=str(temporary))
    await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 0
    assert list(temporary.iterdir()) == [] and _processes_about(temporary) == []
