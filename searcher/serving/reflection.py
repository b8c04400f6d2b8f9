"""Server reflection in both of its versions, which differ in nothing but their name.

Callers ask for v1 first, and newer ones know no other; grpcio-reflection has only v1alpha.
"""

from collections.abc import Iterable

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, text_format
from grpc_reflection.v1alpha import reflection, reflection_pb2

_ALPHA = "v1alpha"
_V1 = "v1"

SERVICES = (reflection.SERVICE_NAME, reflection.SERVICE_NAME.replace(_ALPHA, _V1))
"""The names of the service, v1alpha and v1."""


def enable_reflection(services: Iterable[str], server: grpc.aio.Server) -> None:
    """Make a server describe these services, and reflection itself."""
    _describe_v1()
    names = (*services, *SERVICES)
    reflection.enable_server_reflection(names, server)
    handler = grpc.stream_stream_rpc_method_handler(
        reflection.aio.ReflectionServicer(names).ServerReflectionInfo,
        request_deserializer=reflection_pb2.ServerReflectionRequest.FromString,
        response_serializer=reflection_pb2.ServerReflectionResponse.SerializeToString,
    )
    handlers = grpc.method_handlers_generic_handler(SERVICES[1], {"ServerReflectionInfo": handler})
    server.add_generic_rpc_handlers((handlers,))


def _describe_v1() -> None:
    """Add the description of v1 to those that reflection returns."""
    alpha = descriptor_pb2.FileDescriptorProto()
    reflection_pb2.DESCRIPTOR.CopyToProto(alpha)
    text = text_format.MessageToString(alpha).replace(_ALPHA, _V1)
    v1 = text_format.Parse(text, descriptor_pb2.FileDescriptorProto())
    descriptor_pool.Default().AddSerializedFile(v1.SerializeToString())
