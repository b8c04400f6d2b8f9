"""The start and the end of one child process that serves on a Unix socket, and the folder of the socket.

The folder of a gateway's own console has the ports of both, because the console takes any free port if the
gateway's port was chosen. The module needs only the standard library and no event loop, so the embedded
searcher can start before the gateway's other imports.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Self

from battlesnake_search.common.sockets import SocketFolder, address_of, living_folders

SEARCHER_COMMAND = (sys.executable, "-m", "searcher", "serve", "--listen")
"""The command of a searcher, without the address to listen on."""

_LEASH = Path(__file__).with_name("leash.py")
"""The file of the launcher. An import of it would delay the start."""

_GUARDS = frozenset(
    f"{service}_{guard}"
    for service in ("SEARCHER", "CONSOLE")
    for guard in ("TLS_CERT", "TLS_KEY", "TLS_CLIENT_CA", "TOKENS")
)
"""Variables that protect a service's port on a network. A service of our own runs without them, because its
socket is private."""

_METRICS = "SEARCHER_METRICS"
"""The variable with the addresses, separated by spaces, at which a searcher serves its metrics."""

_EXIT_TIMEOUT = 1.0
"""Seconds between SIGTERM and SIGKILL."""

ADMIN_PORT = "admin-port"
"""The file with the port of the console's pages, in the folder of a gateway's own console."""

_SNAKE_PORT = "snake-port"
"""The file with the port of the gateway's snake, in the same folder."""


class Service:
    """A command with a socket in a private folder, and its process, if it runs.

    The socket's address, a gRPC target, is added to the command as its last argument. A context manager:
    leaving it ends the process and removes the folder. The constructor raises FolderError.
    """

    def __init__(
        self,
        command: Sequence[str] = SEARCHER_COMMAND,
        name: str = "searcher",
        variables: Mapping[str, str] = MappingProxyType({}),
        dies_with: signal.Signals = signal.SIGTERM,
        niceness: int = 0,
    ) -> None:
        """`name` is for the log, and `variables` are set in the environment of the process.

        The process gets the signal `dies_with` when this process dies. Only SIGKILL ends a stopped process.
        `niceness` is added to this process's own.
        """
        self.name = name
        self._variables = variables
        self._dies_with = dies_with
        self._niceness = niceness
        self._folder = SocketFolder()
        self.socket = self._folder.path / f"{name}.sock"
        self.target = address_of(self.socket)
        self.metrics = self._folder.path / "metrics.sock"
        """The socket with metrics: a searcher's own ones, or those of the gateway for its console."""
        self._command = (*command, self.target)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.end()
        self._folder.remove()

    @property
    def pid(self) -> int | None:
        """The id of the process; None before its start and after its end."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start the process with inherited standard output and error. Raises OSError if it can't start."""
        # The socket of a killed process would look like a service that listens.
        self.socket.unlink(missing_ok=True)
        # The launcher starts faster when isolated from the environment and from installed packages.
        ends = str(os.getpid()), str(int(self._dies_with))
        leashed = (sys.executable, "-I", "-S", str(_LEASH), *ends, *self._command)
        self._process = subprocess.Popen(
            leashed,
            stdin=subprocess.DEVNULL,
            env=self._environment(),
            # Ctrl-C in a terminal must end only the gateway, because its last answers need the searcher.
            start_new_session=True,
        )
        if self._niceness:
            niceness = os.getpriority(os.PRIO_PROCESS, 0) + self._niceness
            # It may have ended already.
            with suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self._process.pid, niceness)

    def _environment(self) -> dict[str, str]:
        unguarded = {name: value for name, value in os.environ.items() if name not in _GUARDS}
        if self.name == "searcher":
            others = unguarded.get(_METRICS, "")
            unguarded[_METRICS] = f"{others} {address_of(self.metrics)}".strip()
        else:
            unguarded["CONSOLE_METRICS_FROM"] = str(self.metrics)
            unguarded["CONSOLE_FOLDER"] = str(self._folder.path)
        return {**unguarded, **self._variables}

    def wait(self) -> int:
        """Wait until the started process has ended; return its exit status."""
        assert self._process is not None
        return self._process.wait()

    def kill(self) -> None:
        """Kill the process, which hangs. A running `wait` returns."""
        if self._process:
            self._process.kill()

    def end(self) -> None:
        """End the process and its children, if it was started; use SIGKILL if it takes too long."""
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(subprocess.TimeoutExpired):
            process.terminate()
            process.wait(_EXIT_TIMEOUT)
        # The process leads its own session, so this reaches all of its remaining children.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def note_port(folder: Path, port: int) -> None:
    """Write the port of a gateway into the folder of its own console."""
    # On a full disk, the console is found by its address alone.
    with suppress(OSError):
        (folder / _SNAKE_PORT).write_text(str(port))


def console_of(port: int) -> int | None:
    """Return the port of the console of the gateway on a port; None without such a console."""
    for folder in living_folders():
        with suppress(OSError, ValueError):
            if int((folder / _SNAKE_PORT).read_text()) == port:
                return int((folder / ADMIN_PORT).read_text())
    return None
