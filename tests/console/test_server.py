"""The console as a process: what it leaves behind if it can't start, and its end by a fault of its own."""

import asyncio
import socket
import tempfile
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.ports.admin_address import AdminAddress
from console.app import Console
from console.searchers import Searchers
from console.settings import Settings
from console.web import port
from tests.console.console_process import complaint, start
from tests.support.child_process import killed
from tests.support.services import free_port

PATIENCE = 30.0

_FAULTY = """
from console.store.writer import Writer
from console.commands.main import main

Writer._write_changes = lambda _: 1 // 0
main()
"""


async def test_a_console_without_its_addresses_opens_nothing(tmp_path: Path) -> None:
    """It ends before it has made a database and told an address of its pages."""
    database = tmp_path / "games.sqlite"
    pages = ("--admin", f"127.0.0.1:{free_port()}", "--outcomes", str(database))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        status, error = await complaint("serve", "--listen", "127.0.0.1:0", *pages, "--metrics", address)
    assert status == 2 and address in error
    assert "the console is at" not in error and not database.exists()


async def test_a_console_that_does_not_start_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts that have started end, and the temporary database goes."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    # Its pages are the last part.
    monkeypatch.setattr(port, "serving", lambda *_: 1 / 0)
    settings = Settings(admin=AdminAddress("127.0.0.1", free_port()))
    with pytest.raises(ZeroDivisionError):
        async with Console(settings, Searchers(), CollectorRegistry()):
            pass
    assert list(tmp_path.iterdir()) == []


async def test_a_fault_of_the_writer_ends_the_process(tmp_path: Path) -> None:
    """It does not go on without storing. Its gateway starts it again, because it has failed."""
    listen, database = f"unix:{tmp_path}/console.sock", str(tmp_path / "games.sqlite")
    process = await start("serve", "--listen", listen, "--outcomes", database, command=("-c", _FAULTY))
    try:
        _, error = await asyncio.wait_for(process.communicate(), PATIENCE)
    finally:
        await killed(process)
    assert process.returncode == 1
    assert "nothing is stored any more" in error.decode() and "ZeroDivisionError" in error.decode()
