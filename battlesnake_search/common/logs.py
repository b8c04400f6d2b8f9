"""Logs on standard error: readable lines for people, or JSON for machines.

Every service imports this module early, so it needs only the standard library.
"""

import json
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping, MutableMapping
from contextvars import ContextVar, Token
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, TextIO, TypeAlias

from battlesnake_search.common.launch import quiet_grpc
from battlesnake_search.common.terminal import escaped, unescaped

COLUMNS = 100
"""The largest number of columns of a line that a layout makes. Warnings and errors have smaller gaps, and are
not cut off."""

EventDict: TypeAlias = dict[str, Any]
"""The fields of an event, and its name under "event". The format adds "level" and "timestamp"."""

Layout = Callable[[EventDict], str]
"""A function that returns the text of an event without its time, level, game and turn. The event still has
its level."""

_ID = 8
"""Characters of a game's id."""

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

_GAP = re.compile(" {3,}")

_NOT_FIELDS = frozenset({"event", "level"})

_DIM, _RESET = "\x1b[2m", "\x1b[0m"
_YELLOW, _RED = "\x1b[1m\x1b[33m", "\x1b[1m\x1b[31m"
_COLORS = {"warning": _YELLOW, "error": _RED, "critical": _RED}

OWN = "battlesnake"
"""The name of the standard logger above all loggers of this project."""

_request: ContextVar[Mapping[str, str]] = ContextVar("request", default=MappingProxyType({}))
"""The fields of the request that is being answered."""


class Logger(logging.LoggerAdapter[logging.Logger]):
    """A logger of events. An event has a name, and fields of any type as keyword arguments."""

    def process(self, msg: Any, kwargs: MutableMapping[str, Any]) -> tuple[Any, MutableMapping[str, Any]]:
        """Return an event as the module `logging` takes it: with its exception, and its fields as extra."""
        error = kwargs.pop("exc_info", None)
        return msg, {"exc_info": error, "extra": {"fields": kwargs}}


def get_logger(name: str) -> Logger:
    """Return the logger of a module."""
    return Logger(logging.getLogger(f"{OWN}.{name}"))


def bind(**fields: str) -> Token[Mapping[str, str]]:
    """Add fields to all events of the current request, unless an event names them.

    `unbind` with the returned token removes them.
    """
    return _request.set({**_request.get(), **fields})


def unbind(token: Token[Mapping[str, str]]) -> None:
    """Remove fields. Raises ValueError in another context than the call of `bind`."""
    _request.reset(token)


class TextRenderer:
    """The text of an event, and below it the traceback, if there is one.

    A line has the time, the level if it is a warning or worse, the game and its turn, and the text of the
    event's layout. Without a layout the text is the event followed by its fields, in the order of the call.
    """

    def __init__(self, layouts: Mapping[str, Layout], colored: bool) -> None:
        self._layouts = layouts
        self._colored = colored

    def __call__(self, event: EventDict) -> str:
        """Return the text of an event. Its fields for machines are left out."""
        event.pop("trace_id", None)
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
            when, word, game = paint(when, _DIM), paint(word, color), paint(game, _DIM)
        line = f"{when}{word}{game}{text}".rstrip()
        # The text of an exception may quote a request.
        return f"{line}\n{escaped(trace)}" if trace else line


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
    return f"{color}{text}{_RESET}" if text and color else text


def _game(event: EventDict) -> str:
    """Return the columns of the game's short id and of its turn; empty for an event of no game."""
    if (game_id := event.pop("game_id", None)) is None:
        return ""
    turn = event.pop("turn", None)
    number = "" if turn is None else f"t{turn}"
    return f"{short_id(game_id):<{_ID}} {number:<4} "


def short_id(game_id: str) -> str:
    """Return the part of a game's id that distinguishes games: the first group of a UUID, or else the end."""
    return game_id[:_ID] if _UUID.fullmatch(game_id) else game_id[-_ID:]


def _plain(event: EventDict) -> str:
    fields = (f"{key}={_value(value)}" for key, value in event.items() if key not in _NOT_FIELDS)
    return f"{event['event']}  {' '.join(fields)}"


def _value(value: object) -> str:
    """Return a field's value: lists without brackets, and quotes only around a text with spaces."""
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(map(_value, value))
    text = str(value)
    return f'"{text}"' if " " in text or not text else text


def configure(form: str, level: str = "info", layouts: Mapping[str, Layout] = MappingProxyType({})) -> None:
    """Configure the logs of this process, its libraries and its child processes.

    `form` is one of FORMATS, `level` one of LEVELS. `layouts` are the texts of events whose name and
    fields are not enough. Call it before gRPC is imported.
    """
    quiet_grpc()
    os.environ.update(LOG_FORMAT=form, LOG_LEVEL=level)
    handler = _Handler(unescaped(sys.stderr))
    handler.setFormatter(_text(layouts) if form == "text" else _Formatter(_json, _iso))
    least = logging.getLevelNamesMapping()[level.upper()]
    # Lower levels of libraries would flood the log.
    logging.basicConfig(handlers=[handler], level=max(logging.WARNING, least), force=True)
    logging.getLogger(OWN).setLevel(least)


def show_warnings() -> None:
    """Log warnings as text, for a command that reports nothing else by logs. Configured logs stay."""
    if not logging.getLogger().handlers:
        configure("text", "warning")


def silence() -> None:
    """Log no events of this project, because a command reports its findings itself."""
    logging.getLogger(OWN).setLevel(logging.CRITICAL)


LONGEST_VALUE = 500
"""The most characters of a field, or of an item of its list. An error that lists all valid names fits."""

MOST_ITEMS = 100


class _Handler(logging.StreamHandler[TextIO]):
    """A handler that drops the lines that can't be written.

    So a full disk or a closed pipe costs log lines and never the work that is logged.
    """

    def handleError(self, record: logging.LogRecord) -> None:
        """Report an error in a format, and no error of the stream."""
        if not isinstance(sys.exception(), OSError):
            super().handleError(record)


class _Formatter(logging.Formatter):
    """The format of all lines, of this project and of libraries."""

    def __init__(self, render: Callable[[EventDict], str], stamp: Callable[[float], str]) -> None:
        super().__init__()
        self._render = render
        self._stamp = stamp

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of an event."""
        given = getattr(record, "fields", {})
        # Long values are cut, because clients choose the ids and names in a log.
        of_request = {name: _cut(value) for name, value in _request.get().items() if name not in given}
        event: EventDict = {
            **{name: _cut(value) for name, value in given.items()},
            "event": record.getMessage(),
            **of_request,
            "level": record.levelname.lower(),
            "timestamp": self._stamp(record.created),
        }
        if record.exc_info:
            event["exception"] = self.formatException(record.exc_info)
        return self._render(event)


def _text(layouts: Mapping[str, Layout]) -> _Formatter:
    colored = sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return _Formatter(TextRenderer(layouts, colored), _time_of_day)


def _time_of_day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).strftime("%H:%M:%S")


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def _json(event: EventDict) -> str:
    return json.dumps(event, default=repr)


def _cut(value: object) -> object:
    """Return a value with the texts in it cut, and lists shortened."""
    if isinstance(value, str):
        return cut(value, LONGEST_VALUE)
    if isinstance(value, list | tuple):
        return [_cut(each) for each in value[:MOST_ITEMS]]
    return value
