"""A collector that receives spans by OTLP over gRPC and keeps them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
import grpc.aio
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc

from tests.support.event_loop import until


@dataclass(frozen=True)
class ReceivedSpan:
    """A span, with its ids in hexadecimal digits, its times in seconds, and its sender."""

    service: str
    name: str
    kind: int
    trace_id: str
    span_id: str
    parent_id: str
    start: float
    end: float
    attributes: dict[str, Any]
    is_error: bool


class Collector(trace_service_pb2_grpc.TraceServiceServicer):
    """Receives spans."""

    def __init__(self) -> None:
        self.spans: list[ReceivedSpan] = []

    async def Export(self, request: Any, context: object) -> Any:
        """Keep the spans of a request."""
        for resource_spans in request.resource_spans:
            service = _attributes(resource_spans.resource.attributes)["service.name"]
            for scope in resource_spans.scope_spans:
                self.spans += [_received(service, span) for span in scope.spans]
        return trace_service_pb2.ExportTraceServiceResponse()

    async def wait_for(self, name: str) -> None:
        """Wait for a span of a name."""
        await until(lambda: any(span.name == name for span in self.spans))


@asynccontextmanager
async def collecting() -> AsyncIterator[tuple[Collector, dict[str, str]]]:
    """Run a collector; yield it and the environment that sends spans to it at once."""
    server, collector = grpc.aio.server(), Collector()
    trace_service_pb2_grpc.add_TraceServiceServicer_to_server(collector, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    endpoint = f"http://127.0.0.1:{port}"
    try:
        yield collector, {"OTEL_EXPORTER_OTLP_ENDPOINT": endpoint, "OTEL_BSP_SCHEDULE_DELAY": "50"}
    finally:
        await server.stop(None)


def _received(service: str, span: Any) -> ReceivedSpan:
    return ReceivedSpan(
        service,
        span.name,
        span.kind,
        span.trace_id.hex(),
        span.span_id.hex(),
        span.parent_span_id.hex(),
        span.start_time_unix_nano / 1e9,
        span.end_time_unix_nano / 1e9,
        _attributes(span.attributes),
        span.status.code == 2,
    )


def _attributes(pairs: Any) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in pairs}
