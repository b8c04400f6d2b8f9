"""Child processes that their owner can end, without those of others in the same process."""

from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any


class OwnChildren(SpawnContext):
    """A context of multiprocessing that knows the processes that were started with it."""

    def __init__(self) -> None:
        super().__init__()
        self._processes: list[SpawnProcess] = []

    def Process(self, *args: Any, **named: Any) -> SpawnProcess:  # type: ignore[override]
        """Return a new process, which the caller starts."""
        process = SpawnProcess(*args, **named)
        self._processes.append(process)
        return process

    def kill(self) -> None:
        """Kill the processes that run. One that is just being started is killed by the next call."""
        for process in self._processes:
            if process.ident is not None:
                process.kill()
