"""Spans by OpenTelemetry's SDK, sent as its environment says. Import it only to send spans."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import entry_points
from threading import Thread
from typing import Any

from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import (
    NonRecordingSpan,
    Span,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    TraceState,
    set_span_in_context,
)

from battlesnake_search.common.metrics import installed_version
from battlesnake_search.common.tracing import TraceContext

_EXPORTERS = "opentelemetry_traces_exporter"
"""The group of entry points under which packages offer exporters."""

_KINDS: Mapping[str, SpanKind] = {
    "internal": SpanKind.INTERNAL,
    "server": SpanKind.SERVER,
    "client": SpanKind.CLIENT,
}

_FLUSH = 2.0
"""Seconds for sending the last spans."""


class Spans:
    """Makes spans and sends them in the background. Raises RuntimeError if the named exporter is unknown.

    Only sampled requests come here, so each of their spans is recorded.
    """

    def __init__(self, service: str) -> None:
        exporters = _exporters()
        self._ids = _Ids()
        self._provider = TracerProvider(
            ALWAYS_ON, _resource(service), shutdown_on_exit=False, id_generator=self._ids
        )
        for exporter in exporters:
            self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("battlesnake-search", installed_version())

    def close(self) -> None:
        """Send the waiting spans, for at most two seconds."""
        # Without a collector, the SDK tries again for ten seconds, whatever timeout it is given.
        closing = Thread(target=self._provider.shutdown, daemon=True)
        closing.start()
        closing.join(_FLUSH)

    @contextmanager
    def started(
        self, name: str, parent: TraceContext, kind: str, attributes: Mapping[str, Any]
    ) -> Iterator[tuple[Any, TraceContext]]:
        """Make a span of a block; yield it and its own context. An exception becomes the span's status."""
        span = self._start(name, parent, kind, attributes)
        made = span.get_span_context()
        context = replace(parent, span_id=f"{made.span_id:016x}", is_new=False)
        try:
            yield span, context
        except Exception as error:
            span.set_status(Status(StatusCode.ERROR, f"{type(error).__name__}: {error}"))
            raise
        finally:
            span.end()

    def record(
        self, name: str, parent: TraceContext, start: float, end: float, attributes: Mapping[str, Any]
    ) -> None:
        """Make a span of a past event, with its times in seconds since 1970."""
        self._start(name, parent, "internal", attributes, _nanoseconds(start)).end(_nanoseconds(end))

    def _start(
        self,
        name: str,
        parent: TraceContext,
        kind: str,
        attributes: Mapping[str, Any],
        start: int | None = None,
    ) -> Span:
        self._ids.trace_id = int(parent.trace_id, 16)
        return self._tracer.start_span(name, _parent(parent), _KINDS[kind], attributes, start_time=start)


def _exporters() -> list[SpanExporter]:
    """Return the exporters that OTEL_TRACES_EXPORTER names, by default the OTLP exporter."""
    names = os.environ.get("OTEL_TRACES_EXPORTER") or "otlp"
    return [_exporter(name.strip()) for name in names.split(",")]


def _exporter(name: str) -> SpanExporter:
    if name == "otlp":
        variables = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
        protocol = next(filter(None, map(os.environ.get, variables)), "grpc").strip()
        name = f"otlp_proto_{protocol.partition('/')[0]}"
    offered = entry_points(group=_EXPORTERS)
    found = next(iter(offered.select(name=name)), None)
    if found is None:
        valid = ", ".join(sorted({entry.name for entry in offered}))
        raise RuntimeError(f"there is no exporter {name!r}; installed: {valid}")
    exporter: SpanExporter = found.load()()
    return exporter


def _resource(service: str) -> Resource:
    """Return the environment's description of this process, with a default name and version."""
    said = Resource.create().attributes
    unnamed = str(said.get(SERVICE_NAME, "")).startswith("unknown_service")
    ours = {SERVICE_NAME: service} if unnamed else {}
    return Resource.create({SERVICE_VERSION: installed_version(), **ours})


class _Ids(RandomIdGenerator):
    """A generator that gives a new trace the id that the log already has. One thread makes all spans."""

    trace_id = 0

    def generate_trace_id(self) -> int:
        """Return the id of the trace to which the next span belongs."""
        return self.trace_id


def _parent(parent: TraceContext) -> Context:
    """Return the parent in OpenTelemetry's terms."""
    if parent.is_new:
        return Context()
    context = SpanContext(
        int(parent.trace_id, 16),
        int(parent.span_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
        trace_state=TraceState.from_header([parent.state] if parent.state else []),
    )
    return set_span_in_context(NonRecordingSpan(context), Context())


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
