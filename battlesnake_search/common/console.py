"""Rich's console, protected from foreign texts.

Needs rich, so a command imports it only when it prints tables.
"""

from collections.abc import Iterable
from typing import IO, TextIO, cast

from rich.console import Console as RichConsole
from rich.console import ConsoleOptions, RenderableType
from rich.segment import Segment

from battlesnake_search.common.terminal import escaped, unescaped


class Console(RichConsole):
    """A console that escapes the control characters of all text, but not of styles and cursor movements."""

    @property
    def file(self) -> IO[str]:
        """The stream to which the console writes."""
        return unescaped(cast(TextIO, super().file))

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield the segments of a renderable."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=escaped(segment.text))
