"""A service of our own, without an event loop."""

import os
import subprocess
import sys

from battlesnake_search.children.service import Service
from tests.support.http import wait_until

PATIENCE = 20.0
"""Seconds: far more than a process needs to start or end on a busy machine."""

SLOW = ("asyncio", "ctypes", "grpc", "msgspec", "rich")
"""Modules for which the start of a searcher would wait."""


def test_a_service_starts_without_an_event_loop() -> None:
    """Its process gets the address as its last argument, in a private folder.

    The socket of a killed process does not look like a listening service.
    """
    code = "import sys, time; open(sys.argv[1].removeprefix('unix:'), 'w').write('new'); time.sleep(60)"
    with Service((sys.executable, "-c", code)) as service:
        assert service.target == f"unix:{service.socket}"
        service.socket.write_text("old")
        service.start()
        wait_until(lambda: service.socket.exists() and service.socket.read_text() == "new", PATIENCE)
        pid = service.pid
        assert pid and os.getsid(pid) == pid
        assert service.socket.parent.stat().st_mode & 0o077 == 0
    assert service.pid is None
    assert not service.socket.parent.exists()


def test_a_start_waits_for_no_import() -> None:
    """The module that starts a service imports no slow module."""
    script = f"import sys, battlesnake_search.children.service; print({set(SLOW)} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
