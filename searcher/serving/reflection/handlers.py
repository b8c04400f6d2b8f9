"""The handlers of server reflection in both of its versions, which differ in nothing but their name.

Callers ask for v1 first, and newer ones know no other; grpcio-reflection has only v1alpha.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from grpc_reflection.v1alpha import reflection, reflection_pb2

_ALPHA = "v1alpha"
_V1 = "v1"

SERVICES = (reflection.SERVICE_NAME, reflection.SERVICE_NAME.replace(_ALPHA, _V1))
"""The names of the service, v1alpha and v1."""


def handlers_for(services: Iterable[str]) -> "Mapping[str, grpc.RpcMethodHandler[Any, Any]]":
    """Return the handlers, by method, that describe these services and reflection itself."""
    _describe_v1()
    handler = grpc.stream_stream_rpc_method_handler(
        reflection.aio.ReflectionServicer((*services, *SERVICES)).ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    return {f"/{service}/ServerReflectionInfo": handler for service in SERVICES}


def _describe_v1() -> None:
    """Add the description of v1 to those that reflection returns."""
    alpha = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(alpha)
    text = text_format.MessageToString(alpha).replace(_ALPHA, _V1)
    v1 = text_format.Parse(text, descriptor_pb2.FileDescriptorProto())
    descriptor_pool.Default().AddSerializedFile(v1.SerializeToString())
