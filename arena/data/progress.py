"""The progress of games to learn from: a bar on a terminal, a line now and then elsewhere."""

import time

from rich.console import Console
from rich.progress import BarColumn, TextColumn

from arena.matches.progress import BarOrLines, duration_text


class DataProgress(BarOrLines):
    """Shows how many games are played, by default on standard error."""

    def __init__(self, parts: int, games_in_part: int, console: Console | None = None) -> None:
        columns = TextColumn("games"), BarColumn(), TextColumn("{task.fields[line]}")
        super().__init__(parts, console, *columns, line="")
        self._games_in_part = games_in_part
        self._before: tuple[int, int] | None = None

    def part_ended(self, done: int, positions: int) -> None:
        """Show how many parts are done, and how many positions they have."""
        self._before = self._before or (done, positions)
        played, seconds = done - self._before[0], time.monotonic() - self._started
        line = f"{done * self._games_in_part} games, {positions:,} positions"
        if played:
            line += f", {(positions - self._before[1]) / seconds:.0f} positions a second"
        if played and done < self._steps:
            line += f", {duration_text((self._steps - done) * seconds / played)} left"
        self._show(done, line, line=line)
