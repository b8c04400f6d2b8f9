"""Whether the searcher of this container serves: python -m searcher.health, which exits with 0 if it does.

It looks where SEARCHER_LISTEN or PORT has it listen.
"""

import os
import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from searcher.serving.address import default_address

_PATIENCE = 2.0
"""Seconds for an answer."""


def is_serving(target: str) -> bool:
    """Whether the searcher there says SERVING."""
    with grpc.insecure_channel(target) as channel:
        try:
            answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), _PATIENCE)
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


if __name__ == "__main__":
    sys.exit(not is_serving(os.environ.get("SEARCHER_LISTEN") or default_address()))
