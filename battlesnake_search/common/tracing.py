"""Traces: the spans of a request, in this process and, by its headers, in other processes.

Every request has a trace, and the log has its id. Spans are made only if OpenTelemetry's SDK is installed
and its environment names an exporter. Otherwise nothing of the SDK is imported.
"""

import logging
import os
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from hashlib import blake2b
from threading import Thread
from types import MappingProxyType

from opentelemetry.context import Context
from opentelemetry.trace import (
    INVALID_SPAN,
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    Tracer,
    format_trace_id,
    get_current_span,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from battlesnake_search.common import logs
from battlesnake_search.common.launch import pip_install

MOST_STATE = 512
"""The most characters of `tracestate` that are passed on. A searcher accepts 8 KiB of metadata."""

Value = str | int | float | bool
"""An attribute of a span."""

_NONE: Mapping[str, Value] = MappingProxyType({})

_DESTINATIONS = ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""Spans are made only if one of these variables is set. Otherwise they would go to a missing collector."""

_log = logs.get_logger(__name__)

# The library warns of each invalid header, and callers choose the headers.
logging.getLogger("opentelemetry.trace").setLevel(logging.ERROR)

_FLUSH = 2.0
"""Seconds for sending the last spans."""

_NO_SPAN = nullcontext(INVALID_SPAN)
"""The block of a span that is not made."""

_PROPAGATOR = TraceContextTextMapPropagator()

_OUTSIDE = Context()
_context: ContextVar[Context] = ContextVar("trace", default=_OUTSIDE)
"""The context with the current request's span.

OpenTelemetry's own current context would log a fault for each aborted call, because gRPC ends such a call in
another context.
"""


class _NewTrace(NonRecordingSpan):
    """The ids of a trace that has no span yet, so that its first span has no parent."""


class _State:
    """The maker of this process's spans, and the function that sends the last ones."""

    tracer: Tracer | None = None
    shutdown: Callable[[], None] | None = None


def configure(service: str) -> None:
    """Trace as OpenTelemetry's environment says. It may replace the name of the service.

    After an error in the environment, a line is logged and requests are answered without traces.
    """
    if not _is_wanted(os.environ):
        return
    try:
        from battlesnake_search.common.spans import sending

        _State.tracer, _State.shutdown = sending(service, trace_id)
    except ImportError:
        remedy = pip_install("tracing")
        _log.warning("requests are not traced", reason="OpenTelemetry is not installed", remedy=remedy)
    except (RuntimeError, ValueError) as error:
        _log.warning("requests are not traced", reason=str(error))


def _is_wanted(environment: Mapping[str, str]) -> bool:
    if environment.get("OTEL_SDK_DISABLED", "").lower().strip() == "true":
        return False
    if environment.get("OTEL_TRACES_EXPORTER", "").lower().strip() == "none":
        return False
    return any(environment.get(name) for name in _DESTINATIONS)


def close() -> None:
    """Send the waiting spans, for at most two seconds, and make no more."""
    shutdown, _State.shutdown, _State.tracer = _State.shutdown, None, None
    if shutdown is not None:
        # Without a collector, the SDK tries again for ten seconds, whatever timeout it is given.
        closing = Thread(target=shutdown, daemon=True)
        closing.start()
        closing.join(_FLUSH)


def headers() -> Mapping[str, str]:
    """Return the headers that continue the current request's trace in another process."""
    carrier: dict[str, str] = {}
    _PROPAGATOR.inject(carrier, _context.get())
    return carrier


def exemplar() -> dict[str, str] | None:
    """Return the labels by which a metric names the current request's trace, if it is recorded."""
    found = get_current_span(_context.get()).get_span_context()
    if _State.tracer is None or not found.trace_flags.sampled:
        return None
    return {"trace_id": format_trace_id(found.trace_id)}


def request(headers: Mapping[str, str]) -> AbstractContextManager[None]:
    """Continue the trace of a request's headers, or begin a trace, while the block answers the request.

    A trace begins if `traceparent` is missing or invalid. An invalid or too long `tracestate` is dropped.
    """
    return _within(_PROPAGATOR.extract(_joined(headers), Context()) or _begun(random.getrandbits(32)))


def _joined(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers of a trace, each with all its values. The headers of HTTP may repeat a name."""
    getall = getattr(headers, "getall", None)
    found = {
        name: ",".join(getall(name, ())) if getall else headers.get(name, "") for name in _PROPAGATOR.fields
    }
    if len(found["tracestate"]) > MOST_STATE:
        del found["tracestate"]
    return found


def _begun(number: int) -> Context:
    """Return the context of a new trace. `number`, 32 bits of the id, decides whether it is sampled."""
    # Samplers compare the last 64 bits of an id with a bound. Some readers of traces drop the first 64 bits.
    trace_id = random.getrandbits(64) << 64 | number << 32 | random.getrandbits(32)
    ids = SpanContext(trace_id, random.getrandbits(64), is_remote=False)
    return set_span_in_context(_NewTrace(ids), Context())


def playing(game: str) -> AbstractContextManager[None]:
    """Name the game of the current request. A new trace gets an id with a hash of the game.

    So either all moves of a game are sampled or none, on every gateway.
    """
    context = _context.get()
    if not context or isinstance(get_current_span(context), _NewTrace):
        digest = blake2b(game.encode(errors="surrogatepass"), digest_size=4).digest()
        context = _begun(int.from_bytes(digest))
    return _within(context, game_id=game)


def trace_id() -> int:
    """Return the id of the current request's trace, or 0."""
    return get_current_span(_context.get()).get_span_context().trace_id


@contextmanager
def _within(context: Context, **fields: str) -> Iterator[None]:
    """Put a context in force for a block. Log lines of the block have its trace and the fields."""
    token = _context.set(context)
    bound = logs.bind(trace_id=format_trace_id(trace_id()), **fields)
    try:
        yield
    finally:
        # gRPC may close the generator of an aborted call in another context, and that context ends with it.
        with suppress(ValueError):
            _context.reset(token)
            logs.unbind(bound)


def span(
    name: str, kind: SpanKind = SpanKind.INTERNAL, attributes: Mapping[str, Value] = _NONE
) -> AbstractContextManager[Span]:
    """Make a span of a block; the block may set attributes. An exception becomes the span's status."""
    if _State.tracer is None:
        return _NO_SPAN
    return _current(_State.tracer.start_span(name, _parent(), kind, attributes))


@contextmanager
def _current(span: Span) -> Iterator[Span]:
    """Put a span in force for a block, and end it."""
    token = _context.set(set_span_in_context(span, _context.get()))
    try:
        yield span
    except Exception as error:
        span.set_status(Status(StatusCode.ERROR, f"{type(error).__name__}: {error}"))
        raise
    finally:
        span.end()
        with suppress(ValueError):
            _context.reset(token)


def _parent() -> Context:
    """Return the current context; without a span if its trace is new."""
    context = _context.get()
    is_new = isinstance(get_current_span(context), _NewTrace)
    return set_span_in_context(INVALID_SPAN, context) if is_new else context


def set_attributes(attributes: Mapping[str, Value]) -> None:
    """Add attributes to the span of the innermost block."""
    get_current_span(_context.get()).set_attributes(attributes)


def record(name: str, start: float, end: float, attributes: Mapping[str, Value] = _NONE) -> None:
    """Make a span of a past event, with its times in `time.monotonic()` seconds."""
    if _State.tracer is None:
        return
    offset = time.time() - time.monotonic()
    first, last = (int((moment + offset) * 1e9) for moment in (start, end))
    _State.tracer.start_span(name, _parent(), attributes=attributes, start_time=first).end(last)
