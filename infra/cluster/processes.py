"""The processes of the cluster, none of which outlives this one."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from signal import SIGCONT, SIGSTOP

from gateway.searchers import leash
from infra.cluster.errors import ClusterError

_LAST_LINES = 5
"""Of the log of a process that ended by itself."""


class Processes:
    """Processes by name, each of which writes its log into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, program: Path, *arguments: str) -> None:
        """Start a program. It ends with this process, even if that is killed."""
        command: Sequence[str | Path] = [
            sys.executable,
            leash.__file__,
            str(os.getpid()),
            program,
            *arguments,
        ]
        with self._log(program.name).open("wb") as log:
            self._running[program.name] = subprocess.Popen(
                command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def check(self) -> None:
        """Raise ClusterError, with the end of its log, if a process has ended."""
        for name, process in self._running.items():
            if process.poll() is not None:
                last = self._log(name).read_text(errors="replace").splitlines()[-_LAST_LINES:]
                raise ClusterError("\n".join((f"{name} ended with code {process.returncode}:", *last)))

    @contextmanager
    def stopped(self, program: Path) -> Iterator[None]:
        """Stop a program until the block ends."""
        self._running[program.name].send_signal(SIGSTOP)
        try:
            yield
        finally:
            self._running[program.name].send_signal(SIGCONT)

    def end(self) -> None:
        """Kill all processes: what they would still write is deleted anyway."""
        for process in self._running.values():
            process.kill()
        for process in self._running.values():
            process.wait()

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"
