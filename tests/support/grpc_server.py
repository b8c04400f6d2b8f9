"""A gRPC server of tests' own services."""

import grpc.aio


def server() -> grpc.aio.Server:
    """Return a server that shares its ports with no other server.

    By default gRPC sets SO_REUSEPORT, and then the system may give one free port to two servers at once.
    """
    return grpc.aio.server(options=(("grpc.so_reuseport", 0),))
