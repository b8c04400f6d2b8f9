"""A real PostgreSQL server from the Debian package, for the duration of a test run."""

import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from tempfile import mkdtemp
from types import TracebackType
from typing import Self

from tests.support.services import free_port

_PATIENCE = 60.0
"""Seconds, far more than the server needs to start on a busy machine."""

_NOBODY = 65534
"""The user id of the server if the tests run as root, since PostgreSQL refuses to run as root."""


class PostgresMissingError(RuntimeError):
    """The programs of PostgreSQL are not installed."""


class Postgres:
    """A server on a free loopback port with its own folder, as a context manager."""

    def __init__(self) -> None:
        self._bin = _programs()
        self._user = _NOBODY if os.geteuid() == 0 else None
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.folder = Path(mkdtemp(prefix="battlesnake-postgres-"))
        self._data = self.folder / "data"
        self.url = f"postgresql://tests@127.0.0.1:{self._port}/postgres"
        """The URL for the gateway's --outcomes."""

    def __enter__(self) -> Self:
        if self._user is not None:
            os.chown(self.folder, self._user, self._user)
        self._run("initdb", "--username=tests", "--auth=trust", "--encoding=UTF8", "--no-sync")
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()
        shutil.rmtree(self.folder)

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        settings = (
            f"port={self._port}",
            "listen_addresses=127.0.0.1",
            f"unix_socket_directories={self.folder}",
        )
        options = [part for setting in settings for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._bin / "postgres", "-D", self._data, *options],
                cwd=self.folder,
                user=self._user,
                group=self._user,
                extra_groups=None if self._user is None else [],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        self._wait_until_ready()

    def kill(self) -> None:
        """Kill the server and all its processes by SIGKILL."""
        if self._process is None:
            return
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        for process in (pid, *map(int, children)):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + _PATIENCE
        while not self._answers():
            if time.monotonic() > deadline or (self._process and self._process.poll() is not None):
                raise RuntimeError(f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}")
            time.sleep(0.05)

    def _answers(self) -> bool:
        command = [str(self._bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self._port)]
        return subprocess.run(command, check=False).returncode == 0

    def _run(self, program: str, *options: str) -> None:
        command = [str(self._bin / program), "-D", str(self._data), *options]
        subprocess.run(
            command, cwd=self.folder, user=self._user, group=self._user, check=True, capture_output=True
        )


def _programs() -> Path:
    """Return the folder of PostgreSQL's programs. Raises PostgresMissingError if it does not exist."""
    # Debian puts only some of the programs on the path.
    newest_last = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3])
    )
    found = newest_last[-1] if newest_last else shutil.which("initdb")
    if found is None:
        raise PostgresMissingError
    return Path(found).resolve().parent
