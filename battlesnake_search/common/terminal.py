"""The protection of terminals from foreign texts, such as the names of snakes and the ids of games.

Each command line imports this module first, so it needs only the standard library.
"""

import io
import re
import sys
from collections.abc import Iterable
from typing import Any, TextIO

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
"""The control characters of ASCII and of Latin-1, without the tab and the end of a line, and the characters
that end lines or change the direction of a text."""

_OPEN, _CLOSE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"

_UNSAFE = re.compile(f"{_OPEN}[^{_CONTROLS}\n]*(?:{_CLOSE}|$)|[{_CONTROLS}]", re.MULTILINE)


def escaped(text: str) -> str:
    r"""Return a text with its control characters as escapes, such as `\x1b`.

    Tabs and ends of lines stay. A bidirectional isolate around a text without control characters stays, too,
    because it changes no text outside it.
    """
    return _UNSAFE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    text = found[0]
    if len(text) == 1 and text != _OPEN:
        return repr(text)[1:-1]
    return text if text.endswith(_CLOSE) else text + _CLOSE


class _EscapingStream:
    """A text stream that escapes the control characters of all text. Bytes pass unchanged by `buffer`."""

    encoding = "utf-8"
    """Click goes around a stream whose encoding is ASCII. The stream below has the true encoding."""

    def __init__(self, stream: TextIO) -> None:
        self.below = stream

    def write(self, text: str) -> int:
        return self.below.write(escaped(text))

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


def protect() -> None:
    """Escape the control characters of all text that this process writes, and all that an encoding lacks.

    Rich's consoles, and the colours of a log, need the stream that `unescaped` returns.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
            setattr(sys, name, _EscapingStream(stream))


def unescaped(stream: TextIO) -> TextIO:
    """Return the stream below a protected one, for a writer that escapes foreign texts itself."""
    return stream.below if isinstance(stream, _EscapingStream) else stream
