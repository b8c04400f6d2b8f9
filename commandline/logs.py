"""Logs on standard error: readable lines for people, or JSON for machines."""

import logging
import os
import sys
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import TextIO, cast

from commandline.log_options import share
from commandline.log_text import TEXT_ONLY, Layout, TextRenderer, cut
from commandline.structlog_alone import EventDict, Processor, WrappedLogger, structlog


def configure(form: str, level: str = "info", layouts: Mapping[str, Layout] = MappingProxyType({})) -> None:
    """Configure the logs of this process, our own and those of libraries, and of the processes it starts.

    `form` is one of FORMATS, `level` one of LEVELS. `layouts` are the texts of events that need more than
    their name and their fields. Call it before gRPC is imported.
    """
    # gRPC's core has its own log format and by default logs every searcher that disconnects.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
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
"""Characters of a field, or of an item of its list. An error with all valid names is shorter."""

_MOST_ITEMS = 100

_merge_request = structlog.contextvars.merge_contextvars
"""Adds the trace and the game of the request in which an event happens, unless the event names them."""


class _UnfailingStream:
    """A text stream that drops what the system doesn't take.

    Neither a full disk nor a closed pipe below the log may end the work that is logged.
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
    """Format what libraries log with the standard library's loggers; at debug level they would flood."""
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
    """Cut long values: ids and names in a log come from strangers."""
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
    """Drop what only machines read."""
    event.pop("trace_id", None)
    return event


def _drop_text_only(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    event.pop(TEXT_ONLY, None)
    return event
