"""Shows on standard error what the searcher gets ready before it serves."""

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class ShownProgress:
    """A bar on a terminal, lines elsewhere; gone when all is done. For one thread at a time."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=console, transient=True) if console.is_terminal else None
        self._task = None if self._bar is None else self._bar.add_task("", total=None)

    def __call__(self, label: str, done: int, total: int) -> None:
        """Shows that `done` of `total` parts are ready, and what the label says."""
        if self._bar is None or self._task is None:
            print(f"[{done}/{total}] {label}", file=sys.stderr, flush=True)
            return
        self._bar.start()
        self._bar.update(self._task, description=label, completed=done, total=total)
        if done >= total:
            self._bar.stop()

    def close(self) -> None:
        """Takes the bar away."""
        if self._bar is not None:
            self._bar.stop()
