"""The progress of games to learn from: a bar on a terminal, a line now and then elsewhere."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from arena.matches.progress import duration_text

_LINE_SECONDS = 10.0
"""Seconds between two lines."""


class DataProgress:
    """Shows how many games are played, by default on standard error."""

    def __init__(self, parts: int, games_in_part: int, console: Console | None = None) -> None:
        self._parts = parts
        self._games_in_part = games_in_part
        self._console = console or Console(stderr=True)
        self._bar = Progress(
            TextColumn("games"), BarColumn(), TextColumn("{task.fields[line]}"), console=self._console
        )
        self._task = self._bar.add_task("", total=parts, line="")
        self._started = self._printed = time.monotonic()
        self._before: tuple[int, int] | None = None

    def __enter__(self) -> Self:
        if self._console.is_interactive:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._console.is_interactive:
            self._bar.stop()

    def part_ended(self, done: int, positions: int) -> None:
        """Show how many parts are done, and how many positions they have."""
        now = time.monotonic()
        self._before = self._before or (done, positions)
        played, seconds = done - self._before[0], now - self._started
        line = f"{done * self._games_in_part} games, {positions:,} positions"
        if played:
            line += f", {(positions - self._before[1]) / seconds:.0f} positions a second"
        if played and done < self._parts:
            line += f", {duration_text((self._parts - done) * seconds / played)} left"
        self._bar.update(self._task, completed=done, line=line)
        is_due = now - self._printed >= _LINE_SECONDS or done == self._parts
        if not self._console.is_interactive and is_due:
            self._printed = now
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)
