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


def _writes(text: str, then: str = "import time; time.sleep(60)") -> tuple[str, ...]:
    """Return the command of a service that writes a text to the file at its address."""
    code = f"import sys; open(sys.argv[1].removeprefix('unix:'), 'w').write({text!r}); {then}"
    return sys.executable, "-c", code


def _until_there(service: Service) -> None:
    wait_until(lambda: service.socket.exists() and bool(service.socket.read_text()), PATIENCE)


def test_a_service_starts_without_an_event_loop() -> None:
    """Its process gets the address as its last argument, in a private folder."""
    with Service(_writes("here")) as service:
        assert service.target == f"unix:{service.socket}"
        service.start()
        _until_there(service)
        pid = service.pid
        assert pid and os.getsid(pid) == pid
        assert service.socket.parent.stat().st_mode & 0o077 == 0
    assert service.pid is None
    assert not service.socket.parent.exists()


def test_a_start_removes_the_socket_of_a_former_process() -> None:
    """The socket of a killed process does not look like a listening service."""
    with Service(_writes("new", "import time; time.sleep(60)")) as service:
        service.socket.write_text("old")
        service.start()
        wait_until(lambda: service.socket.exists() and service.socket.read_text() == "new", PATIENCE)
        service.end()
        assert service.pid is None


def test_a_start_waits_for_no_import() -> None:
    """The module that starts a service imports no slow module."""
    script = f"import sys, battlesnake_search.children.service; print({set(SLOW)} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
