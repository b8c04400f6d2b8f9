"""The text format of the log: one short line for each event, for people who read along."""

import re
from collections.abc import Callable, Mapping

from commandline.structlog_alone import EventDict, WrappedLogger, dev

COLUMNS = 100
"""The columns of a line that a layout makes. A warning or an error is never cut, and has narrower columns."""

TEXT_ONLY = "text_only"
"""The key of an event's fields that only layouts use; the JSON format leaves them out."""

Layout = Callable[[EventDict], str]
"""Returns the text of an event, without its time, level, game and turn; the event still has its level."""

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
    """Return the text, with an ellipsis in place of what exceeds the length."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def printable(text: str) -> str:
    """Return the text with escapes in place of control characters, which would control the terminal.

    Names in a log come from strangers.
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
    """Return the part of a game's id that tells games apart: the first group of a UUID, or else the end."""
    first = game_id.partition("-")[0]
    return first if len(first) == _ID else game_id[-_ID:]


def _plain(event: EventDict) -> str:
    fields = (f"{key}={_value(value)}" for key, value in event.items() if key not in _NOT_FIELDS)
    return f"{event['event']}  {' '.join(fields)}"


def _value(value: object) -> str:
    """Return a field's value: lists without brackets, and quotes only around what has spaces."""
    if isinstance(value, list | tuple | set | frozenset):
        return ",".join(map(_value, value))
    text = str(value)
    return f'"{text}"' if " " in text or not text else text
