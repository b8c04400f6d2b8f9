"""Server reflection in both of its versions. They differ only in their names.

Callers call v1 first, and newer callers only v1, but grpcio-reflection has only v1alpha.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import grpc

_PREFIX = "/grpc.reflection."
_ALPHA = "v1alpha"
_V1 = "v1"


class Reflection(grpc.GenericRpcHandler):
    """Handles the calls of reflection. They describe these services and reflection itself."""

    def __init__(self, services: Iterable[str]) -> None:
        self._services = tuple(services)

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> "grpc.RpcMethodHandler[Any, Any] | None":
        """Return the handler of a call, or None for a call of another service."""
        method = handler_call_details.method
        return self._handlers.get(method) if method.startswith(_PREFIX) else None

    @cached_property
    def _handlers(self) -> "Mapping[str, grpc.RpcMethodHandler[Any, Any]]":
        # Reflection is seldom called, and its import takes time at the start.
        from grpc_reflection.v1alpha import reflection, reflection_pb2

        _describe_v1()
        names = (reflection.SERVICE_NAME, reflection.SERVICE_NAME.replace(_ALPHA, _V1))
        handler = grpc.stream_stream_rpc_method_handler(
            reflection.aio.ReflectionServicer((*self._services, *names)).ServerReflectionInfo,
            request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
            response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
        )
        return {f"/{name}/ServerReflectionInfo": handler for name in names}


def _describe_v1() -> None:
    """Add the description of v1 to reflection's descriptions."""
    from google.protobuf import descriptor_pb2, descriptor_pool, text_format
    from grpc_reflection.v1alpha import reflection_pb2

    alpha = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(alpha)
    text = text_format.MessageToString(alpha).replace(_ALPHA, _V1)
    v1 = text_format.Parse(text, descriptor_pb2.FileDescriptorProto())
    descriptor_pool.Default().AddSerializedFile(v1.SerializeToString())
