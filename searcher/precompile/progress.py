"""Progress of compiling, shown on standard error."""

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class ShownProgress:
    """A progress bar on a terminal, which disappears at the end; lines elsewhere. One thread at a time."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._bar = Progress(*columns, console=console, transient=True) if console.is_terminal else None
        self._task = None if self._bar is None else self._bar.add_task("", total=None)

    def __call__(self, label: str, done: int, total: int) -> None:
        """Show that `done` of `total` parts are compiled, and the label."""
        if self._bar is None or self._task is None:
            print(f"[{done}/{total}] {label}", file=sys.stderr, flush=True)
            return
        self._bar.update(self._task, description=label, completed=done, total=total)
        self._bar.start()
        if done >= total:
            self._bar.stop()

    def close(self) -> None:
        """Remove the bar."""
        if self._bar is not None:
            self._bar.stop()
