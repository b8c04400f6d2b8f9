"""Spans by OpenTelemetry's SDK, sent as its environment says. Import it only to send spans."""

import os
from collections.abc import Callable
from importlib.metadata import entry_points

from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Tracer

from battlesnake_search.common.metrics import installed_version

_EXPORTERS = "opentelemetry_traces_exporter"
"""The group of entry points under which packages offer exporters."""


def sending(service: str, trace_id: Callable[[], int]) -> tuple[Tracer, Callable[[], None]]:
    """Return a maker of spans that are sent in the background, and the function that sends the last ones.

    `trace_id` returns the id of the current request's trace. Raises RuntimeError if the named exporter is
    unknown.
    """
    ours = Resource.create({SERVICE_NAME: service, SERVICE_VERSION: installed_version()})
    # The environment's description of this process takes precedence.
    resource = ours.merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=resource, shutdown_on_exit=False, id_generator=_Ids(trace_id))
    for exporter in _exporters():
        provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider.get_tracer("battlesnake-search", installed_version()), provider.shutdown


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


class _Ids(RandomIdGenerator):
    """A generator that gives a new trace the id that the log already has."""

    def __init__(self, trace_id: Callable[[], int]) -> None:
        self._trace_id = trace_id

    def generate_trace_id(self) -> int:
        """Return the id of the current request's trace."""
        return self._trace_id()
