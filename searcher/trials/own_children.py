"""Child processes in a list, so that all of them can be killed."""

from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any


class OwnChildren(SpawnContext):
    """A context of multiprocessing with a list of the processes that it has started."""

    def __init__(self) -> None:
        super().__init__()
        self._processes: list[SpawnProcess] = []

    def Process(self, *args: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]
        """Return a new process for the caller to start."""
        process = SpawnProcess(*args, **named)
        self._processes.append(process)
        return process

    def kill(self) -> None:
        """Kill the running processes. If a process is still starting, only the next call kills it."""
        for process in self._processes:
            if process.ident is not None:
                process.kill()
