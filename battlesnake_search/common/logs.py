"""Logs on standard error: readable lines for people, or JSON for machines."""

import logging
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TextIO, cast

import structlog
from structlog import dev
from structlog.typing import EventDict, Processor, WrappedLogger

from battlesnake_search.common.cli import share

COLUMNS = 100
"""The largest number of columns of a line that a layout makes. Warnings and errors have smaller gaps, and are
not cut off."""

TEXT_ONLY = "text_only"
"""An event has under this key the fields that only layouts use. The JSON format leaves them out."""

Layout = Callable[[EventDict], str]
"""A function that returns the text of an event without its time, level, game and turn. The event still has
its level."""

_ID = 8
"""Characters of a game's id."""

_GAP = re.compile(" {3,}")

_NOT_FIELDS = frozenset({"event", "level", TEXT_ONLY})

_ERROR = dev.BRIGHT + dev.RED
_COLORS = {"warning": dev.BRIGHT + dev.YELLOW, "error": _ERROR, "critical": _ERROR}


class TextRenderer:
    """A structlog processor that returns the text of an event, and below it the traceback, if there is one.

    A line has the time, the level if it is a warning or worse, the game and its turn, and the text of the
    event's layout. Without a layout the text is the event followed by its fields, in the order of the call.
    """

    def __init__(self, layouts: Mapping[str, Layout], colored: bool) -> None:
        self._layouts = layouts
        self._colored = colored

    def __call__(self, _logger: WrappedLogger, _method: str, event: EventDict) -> str:
        """Return the text of an event."""
        level, trace = event["level"], event.pop("exception", "")
        color = _COLORS.get(level, "")
        word = f"{level.upper()} " if color else ""
        when = f"{event.pop('timestamp')} "
        game = printable(_game(event))
        layout = self._layouts.get(event["event"])
        text = printable(layout(event) if layout else _plain(event))
        if layout:
            text = _GAP.sub("  ", text) if color else cut(text, COLUMNS - len(when) - len(game))
        if self._colored:
            when, word, game = paint(when, dev.DIM), paint(word, color), paint(game, dev.DIM)
        line = f"{when}{word}{game}{text}".rstrip()
        return f"{line}\n{trace}" if trace else line


def cut(text: str, length: int) -> str:
    """Return the text, cut to the length with an ellipsis if it is longer."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def printable(text: str) -> str:
    """Return the text with its control characters escaped, to protect the terminal.

    Opponents choose the names in a log.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def paint(text: str, color: str) -> str:
    """Return the text in a colour of the terminal."""
    return f"{color}{text}{dev.RESET_ALL}" if text and color else text


def _game(event: EventDict) -> str:
    """Return the columns of the game's short id and of its turn; empty for an event of no game."""
    if (game_id := event.pop("game_id", None)) is None:
        return ""
    turn = event.pop("turn", None)
    number = "" if turn is None else f"t{turn}"
    return f"{short_id(game_id):<{_ID}} {number:<4} "


def short_id(game_id: str) -> str:
    """Return the part of a game's id that distinguishes games: the first group of a UUID, or else the end."""
    first = game_id.partition("-")[0]
    return first if len(first) == _ID else game_id[-_ID:]


def _plain(event: EventDict) -> str:
    fields = (f"{key}={_value(value)}" for key, value in event.items() if key not in _NOT_FIELDS)
    return f"{event['event']}  {' '.join(fields)}"


def _value(value: object) -> str:
    """Return a field's value: lists without brackets, and quotes only around a text with spaces."""
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(map(_value, value))
    text = str(value)
    return f'"{text}"' if " " in text or not text else text


def quiet_grpc() -> None:
    """Turn off the log of gRPC's core, unless GRPC_VERBOSITY is set. Call it before gRPC is imported.

    It has a format of its own, and callers can fill it: each refused certificate, and each call with too much
    metadata, is a line.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")


def configure(form: str, level: str = "info", layouts: Mapping[str, Layout] = MappingProxyType({})) -> None:
    """Configure the logs of this process, its libraries and its child processes.

    `form` is one of FORMATS, `level` one of LEVELS. `layouts` are the texts of events whose name and
    fields are not enough. Call it before gRPC is imported.
    """
    quiet_grpc()
    share(form, level)
    stamps, rendering = _text(layouts) if form == "text" else _json()
    stream = cast(TextIO, _UnfailingStream(sys.stderr))
    structlog.configure(
        processors=[*stamps, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    _configure_libraries(stream, stamps, rendering, level)


_LONGEST_VALUE = 500
"""The most characters of a field, or of an item of its list. An error that lists all valid names fits."""

_MOST_ITEMS = 100

_merge_request = structlog.contextvars.merge_contextvars
"""Adds the trace and the game of the request in which an event happens, unless the event names them."""


class _UnfailingStream:
    """A text stream that drops text after a failed write.

    So a full disk or a closed pipe costs log lines and never the work that is logged.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def _configure_libraries(
    stream: TextIO, stamps: list[Processor], rendering: list[Processor], level: str
) -> None:
    """Format the warnings and errors of libraries' standard loggers. Lower levels would flood the log."""
    unwrap = structlog.stdlib.ProcessorFormatter.remove_processors_meta
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(foreign_pre_chain=stamps, processors=[unwrap, *rendering])
    )
    least = max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()])
    logging.basicConfig(handlers=[handler], level=least, force=True)


def _text(layouts: Mapping[str, Layout]) -> tuple[list[Processor], list[Processor]]:
    time_of_day = structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False)
    colored = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    renderer = TextRenderer(layouts, colored)
    return (
        [_merge_request, _drop_trace, _bound, structlog.processors.add_log_level, time_of_day],
        [structlog.processors.format_exc_info, renderer],
    )


def _json() -> tuple[list[Processor], list[Processor]]:
    time = structlog.processors.TimeStamper(fmt="iso", utc=True)
    renderer = structlog.processors.JSONRenderer()
    return (
        [_merge_request, _bound, structlog.processors.add_log_level, time],
        [_drop_text_only, structlog.processors.format_exc_info, renderer],
    )


def _bound(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Cut long values, because clients choose the ids and names in a log."""
    for key, value in event.items():
        if key != "event":
            event[key] = _cut(value)
    return event


def _cut(value: object) -> object:
    """Return a value with the texts in it cut, and lists shortened."""
    if isinstance(value, str):
        return cut(value, _LONGEST_VALUE)
    if isinstance(value, list | tuple):
        return [_cut(each) for each in value[:_MOST_ITEMS]]
    return value


def _drop_trace(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Drop the fields for machines."""
    event.pop("trace_id", None)
    return event


def _drop_text_only(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event.pop(TEXT_ONLY, None)
    return event
