"""Traces: the spans of a request, in this process and, by its headers, in other processes.

Every request has a trace, and the log has its id. Spans are made only of sampled requests, if OpenTelemetry's
SDK is installed and its environment names an exporter. Otherwise nothing of the SDK is imported.
"""

import hashlib
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol, cast

from battlesnake_search.common import logs
from battlesnake_search.common.launch import pip_install

if TYPE_CHECKING:
    from battlesnake_search.common.spans import Spans

TRACEPARENT = "traceparent"
TRACESTATE = "tracestate"

_PARENT = re.compile(
    r"(?P<version>[0-9a-f]{2})-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-(?P<flags>[0-9a-f]{2})(-.*)?"
)
_INVALID_VERSION = "ff"
_SAMPLED, _RANDOM = 1, 2
"""The flags that W3C Trace Context defines, in its second version. Others are not passed on."""

_KEY = r"[a-z][a-z0-9_*/-]{0,255}|[a-z0-9][a-z0-9_*/-]{0,240}@[a-z][a-z0-9_*/-]{0,13}"
_MEMBER = re.compile(rf"(?P<key>{_KEY})=[ -+\--<>-~]{{0,255}}[!-+\--<>-~]")
MOST_MEMBERS = 32
MOST_STATE, _LONG_MEMBER = 512, 128
"""The characters of a state that are passed on, as W3C asks for, and of a member that leaves first."""


@dataclass(frozen=True, slots=True)
class TraceContext:
    """The ids of a trace and of a span in it, in hexadecimal digits, and whether the trace is recorded."""

    trace_id: str
    span_id: str
    sampled: bool
    state: str = ""
    """The data of other tracing systems, passed on unchanged."""
    is_random: bool = False
    """Whether the trace's id is known to be random."""
    is_new: bool = False
    """Whether the trace has no span yet, so that the next one has no parent."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers that continue the trace in another process."""
        flags = self.sampled * _SAMPLED | self.is_random * _RANDOM
        parent = f"00-{self.trace_id}-{self.span_id}-{flags:02x}"
        return {TRACEPARENT: parent, TRACESTATE: self.state} if self.state else {TRACEPARENT: parent}


def new_trace(sampled: bool) -> TraceContext:
    """Return the context of a new trace."""
    return TraceContext(os.urandom(16).hex(), os.urandom(8).hex(), sampled, is_new=True)


def parse(headers: Mapping[str, str] = MappingProxyType({})) -> TraceContext | None:
    """Return the context in a request's headers; None if it is missing or invalid.

    Several headers `tracestate` are one, in their order. An invalid state is dropped.
    """
    found = _PARENT.fullmatch(",".join(_all(headers, TRACEPARENT)))
    if found is None or found["version"] == _INVALID_VERSION or (found["version"] == "00" and found[5]):
        return None
    if not int(found["trace"], 16) or not int(found["span"], 16):
        return None
    flags, state = int(found["flags"], 16), _state(",".join(_all(headers, TRACESTATE)))
    return TraceContext(
        found["trace"], found["span"], bool(flags & _SAMPLED), state, is_random=bool(flags & _RANDOM)
    )


def _all(headers: Mapping[str, str], name: str) -> Iterable[str]:
    """Return the values of all headers of a name. The headers of HTTP requests may repeat a name."""
    getall = getattr(headers, "getall", None)
    if getall is not None:
        return cast(Iterable[str], getall(name, ()))
    return (headers[name],) if name in headers else ()


def _state(text: str) -> str:
    """Return a valid state in its shortest form, without last members that are too much; else nothing."""
    members = [member for part in text.split(",") if (member := part.strip(" \t"))]
    found = [_MEMBER.fullmatch(member) for member in members]
    keys = {match["key"] for match in found if match}
    if len(keys) < len(members) or len(members) > MOST_MEMBERS:
        return ""
    while sum(map(len, members)) + len(members) - 1 > MOST_STATE:
        # First members beyond 128 characters leave, and then the last ones.
        members.remove(next((member for member in members if len(member) > _LONG_MEMBER), members[-1]))
    return ",".join(members)


_RATIOS: Mapping[str, float | None] = {
    "always_on": 1.0,
    "always_off": 0.0,
    # OTEL_TRACES_SAMPLER_ARG has the ratio.
    "traceidratio": None,
}
_PARENT_BASED = "parentbased_"
_DEFAULT = "parentbased_always_on"
_RANGE = 2**64


class SamplerError(ValueError):
    """The environment's sampler is unknown; the message has the valid names."""


@dataclass(frozen=True, slots=True)
class Sampler:
    """Samples a share of the games, from 0 to 1.

    With `by_parent`, a request of an existing trace is sampled if the trace is.
    """

    ratio: float
    by_parent: bool = True

    def samples(self, game: str, parent: TraceContext | None) -> bool:
        """Return whether a request of a game is sampled. All gateways agree about a game."""
        if self.by_parent and parent is not None:
            return parent.sampled
        digest = hashlib.blake2b(game.encode(errors="surrogatepass"), digest_size=8).digest()
        return int.from_bytes(digest, "big") < self.ratio * _RANGE


def from_environment(environment: Mapping[str, str] = os.environ) -> Sampler:
    """Return the sampler that OpenTelemetry's variables describe. Raises SamplerError."""
    name = (environment.get("OTEL_TRACES_SAMPLER") or _DEFAULT).lower()
    kind = name.removeprefix(_PARENT_BASED)
    if kind not in _RATIOS:
        valid = ", ".join([*_RATIOS, *(f"{_PARENT_BASED}{kind}" for kind in _RATIOS)])
        raise SamplerError(f"OTEL_TRACES_SAMPLER is {name!r}; valid: {valid}")
    ratio = _RATIOS[kind]
    if ratio is None:
        ratio = _ratio(environment.get("OTEL_TRACES_SAMPLER_ARG") or "1")
    return Sampler(ratio, name != kind)


def _ratio(text: str) -> float:
    try:
        ratio = float(text)
    except ValueError:
        ratio = -1.0
    if not 0 <= ratio <= 1:
        raise SamplerError(f"OTEL_TRACES_SAMPLER_ARG is {text!r}; valid: a number from 0 to 1")
    return ratio


Value = str | int | float | bool
"""An attribute of a span."""

_NONE: Mapping[str, Value] = MappingProxyType({})

_DESTINATIONS = ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
"""Spans are made only if one of these variables is set. Otherwise they would go to a missing collector."""

_log = logs.get_logger(__name__)


class Span(Protocol):
    """A part of a request's time."""

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Add attributes."""


class _NoSpan:
    """The span of a request that is not sampled."""

    def set_attributes(self, attributes: Mapping[str, Any]) -> None:
        """Drop the attributes."""


NO_SPAN: Span = _NoSpan()

_NOT_SAMPLED = nullcontext(NO_SPAN)
"""The block of a span that is not made, as in most calls."""

_current: ContextVar[TraceContext | None] = ContextVar("trace", default=None)
_span: ContextVar[Span] = ContextVar("span", default=NO_SPAN)


class _State:
    """The maker of this process's spans, and the sampler of its games."""

    spans: "Spans | None" = None
    sampler = Sampler(0.0)


def configure(service: str) -> None:
    """Trace as OpenTelemetry's environment says. It may replace the name of the service.

    After an error in the environment, a line is logged and requests are answered without traces.
    """
    if not _is_wanted(os.environ):
        return
    try:
        _State.sampler = from_environment()
        from battlesnake_search.common.spans import Spans

        _State.spans = Spans(service)
    except ImportError:
        remedy = pip_install("tracing")
        _log.warning("requests are not traced", reason="OpenTelemetry is not installed", remedy=remedy)
    except (SamplerError, RuntimeError) as error:
        _log.warning("requests are not traced", reason=str(error))


def _is_wanted(environment: Mapping[str, str]) -> bool:
    if environment.get("OTEL_SDK_DISABLED", "").lower().strip() == "true":
        return False
    if environment.get("OTEL_TRACES_EXPORTER", "").lower().strip() == "none":
        return False
    return any(environment.get(name) for name in _DESTINATIONS)


def close() -> None:
    """Send the waiting spans, and make no more."""
    spans, _State.spans = _State.spans, None
    if spans is not None:
        spans.close()


def current() -> TraceContext | None:
    """Return the context of the current request; None outside of a request."""
    return _current.get()


def exemplar() -> dict[str, str] | None:
    """Return the labels by which a metric names the current request's trace, if it is recorded."""
    context = _current.get()
    if context is None or not context.sampled or _State.spans is None:
        return None
    return {"trace_id": context.trace_id}


def request(headers: Mapping[str, str]) -> AbstractContextManager[None]:
    """Continue the trace of a request's headers, or begin a trace, while the block answers the request."""
    return _within(parse(headers) or new_trace(sampled=False))


def playing(game: str) -> AbstractContextManager[None]:
    """Name the game of the current request. The game decides about sampling unless the trace has decided."""
    context = _current.get() or new_trace(sampled=False)
    if _State.spans is not None:
        sampled = _State.sampler.samples(game, None if context.is_new else context)
        context = replace(context, sampled=sampled)
    return _within(context, game_id=game)


@contextmanager
def _within(context: TraceContext, **fields: str) -> Iterator[None]:
    """Put a context in force for a block. Log lines of the block have its trace and the fields."""
    token, bound = _current.set(context), logs.bind(trace_id=context.trace_id, **fields)
    try:
        yield
    finally:
        # gRPC may close the generator of an aborted call in another context, and that context ends with it.
        with suppress(ValueError):
            _current.reset(token)
            logs.unbind(bound)


def span(
    name: str, kind: str = "internal", attributes: Mapping[str, Value] = _NONE
) -> AbstractContextManager[Span]:
    """Make a span of a block; the block may set attributes. `kind` is internal, server or client."""
    context, spans = _current.get(), _State.spans
    if context is None or not context.sampled or spans is None:
        return _NOT_SAMPLED
    return _sampled(spans, name, context, kind, attributes)


@contextmanager
def _sampled(
    spans: "Spans", name: str, context: TraceContext, kind: str, attributes: Mapping[str, Value]
) -> Iterator[Span]:
    with spans.started(name, context, kind, attributes) as (made, its_context):
        tokens = _current.set(its_context), _span.set(made)
        try:
            yield made
        finally:
            with suppress(ValueError):
                _current.reset(tokens[0])
                _span.reset(tokens[1])


def set_attributes(attributes: Mapping[str, Value]) -> None:
    """Add attributes to the span of the innermost block."""
    _span.get().set_attributes(attributes)


def record(name: str, start: float, end: float, attributes: Mapping[str, Value] = _NONE) -> None:
    """Make a span of a past event, with its times in `time.monotonic()` seconds."""
    context, spans = _current.get(), _State.spans
    if context is None or not context.sampled or spans is None:
        return
    offset = time.time() - time.monotonic()
    spans.record(name, context, start + offset, end + offset, attributes)
