"""The time that a searcher takes from its start to SERVING."""

import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

PATIENCE = 120.0
"""Seconds to wait for a searcher to become SERVING."""

_RETRY_AFTER = 0.002
"""Seconds between two looks."""


def seconds_to_serving(environment: Mapping[str, str] | None = None) -> float:
    """Start a searcher on a Unix socket, end it once it is SERVING, and return the seconds until then.

    `environment` has the variables of the process, by default those of this one. Raises TimeoutError if the
    searcher ends first or PATIENCE runs out.
    """
    with tempfile.TemporaryDirectory() as folder:
        address = Path(folder) / "searcher.sock"
        command = [sys.executable, "-m", "searcher", "serve", "--listen", f"unix:{address}"]
        start = time.perf_counter()
        searcher = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
        try:
            _wait(lambda: _is_listening(address), searcher)
            with grpc.insecure_channel(f"unix:{address}") as channel:
                check = health_pb2_grpc.HealthStub(channel).Check
                _wait(lambda: _is_serving(check), searcher)
            return time.perf_counter() - start
        finally:
            searcher.terminate()
            searcher.wait()


def _wait(condition: Callable[[], bool], searcher: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline or searcher.poll() is not None:
            raise TimeoutError("the searcher did not become SERVING")
        time.sleep(_RETRY_AFTER)


def _is_listening(address: Path) -> bool:
    # A channel that finds nobody would wait for a tenth of a second before it tries again.
    with socket.socket(socket.AF_UNIX) as connection:
        return not connection.connect_ex(str(address))


def _is_serving(check: Callable[..., health_pb2.HealthCheckResponse]) -> bool:
    with suppress(grpc.RpcError):
        answer = check(health_pb2.HealthCheckRequest(), timeout=1.0)
        return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)
    return False
