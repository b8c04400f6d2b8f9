"""A gRPC server of tests' own services."""

from collections.abc import Sequence

import grpc.aio


def server(interceptors: Sequence[grpc.aio.ServerInterceptor] = ()) -> grpc.aio.Server:
    """Return a server that shares its ports with no other server.

    By default gRPC sets SO_REUSEPORT, and then the system may give one free port to two servers at once.
    """
    return grpc.aio.server(interceptors=interceptors, options=(("grpc.so_reuseport", 0),))
