"""Spans by OpenTelemetry's SDK, sent as its environment says. Import it only to send spans."""

import hashlib
import os
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

from opentelemetry.context import Context
from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import Sampler, SamplingResult
from opentelemetry.trace import Tracer

from battlesnake_search.common.metrics import installed_version

_EXPORTERS = "opentelemetry_traces_exporter"
"""The group of entry points under which packages offer exporters."""


def sending(
    service: str, trace_id: Callable[[], int], game: Callable[[], str]
) -> tuple[Tracer, Callable[[], None]]:
    """Return a maker of spans that are sent in the background, and the function that sends the last ones.

    `trace_id` and `game` return the trace's id and the game of the current request. Raises RuntimeError if
    the named exporter is unknown.
    """
    provider = TracerProvider(
        resource=_resource(service), shutdown_on_exit=False, id_generator=_Ids(trace_id)
    )
    provider.sampler = _ByGame(provider.sampler, game)
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


def _resource(service: str) -> Resource:
    """Return the environment's description of this process, with a default name and version."""
    said = Resource.create().attributes
    unnamed = str(said.get(SERVICE_NAME, "")).startswith("unknown_service")
    ours = {SERVICE_NAME: service} if unnamed else {}
    return Resource.create({SERVICE_VERSION: installed_version(), **ours})


class _Ids(RandomIdGenerator):
    """A generator that gives a new trace the id that the log already has."""

    def __init__(self, trace_id: Callable[[], int]) -> None:
        self._trace_id = trace_id

    def generate_trace_id(self) -> int:
        """Return the id of the current request's trace."""
        return self._trace_id()


class _ByGame(Sampler):
    """The environment's sampler with a hash of the game in place of the trace's id.

    So all moves of a game are traced or none, and all gateways agree about a game.
    """

    def __init__(self, sampler: Sampler, game: Callable[[], str]) -> None:
        self._sampler = sampler
        self._game = game

    def should_sample(
        self, parent_context: Context | None, trace_id: int, *args: Any, **named: Any
    ) -> SamplingResult:
        """Return the sampler's decision about the game of the current request."""
        game = self._game().encode(errors="surrogatepass")
        number = int.from_bytes(hashlib.blake2b(game, digest_size=8).digest())
        return self._sampler.should_sample(parent_context, number, *args, **named)

    def get_description(self) -> str:
        """Return the sampler's name."""
        return self._sampler.get_description()
