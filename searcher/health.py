"""The health check of this container's searcher: python -m searcher.health exits with 0 if it is serving.

The searcher's address is SEARCHER_HEALTH, SEARCHER_LISTEN, or else the default address for PORT. A searcher
with TLS needs SEARCHER_HEALTH, because the check has no certificates.
"""

import os
import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.common.launch import trim_environment
from battlesnake_search.common.sockets import escaped
from battlesnake_search.serving.address import default_address
from searcher.serving.program import DEFAULT_PORT

_PATIENCE = 2.0
"""Seconds to wait for a response."""


def is_serving(target: str) -> bool:
    """Return whether the searcher at the address reports SERVING."""
    # The environment's proxy could not reach a searcher on the loopback address.
    with grpc.insecure_channel(escaped(target), options=[("grpc.enable_http_proxy", 0)]) as channel:
        try:
            response = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), _PATIENCE)
        except grpc.RpcError:
            return False
    return bool(response.status == health_pb2.HealthCheckResponse.SERVING)


if __name__ == "__main__":
    trim_environment()
    given = os.environ.get("SEARCHER_HEALTH") or os.environ.get("SEARCHER_LISTEN")
    sys.exit(not is_serving(given or default_address(DEFAULT_PORT)))
