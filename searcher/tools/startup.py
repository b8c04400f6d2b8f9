"""The time that a searcher takes from its start to SERVING."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

PATIENCE = 120.0
"""Seconds to wait for a searcher to become SERVING."""


def seconds_to_serving() -> float:
    """Start a searcher on a Unix socket, end it once it is SERVING, and return the seconds until then.

    Raises TimeoutError if the searcher ends first or PATIENCE runs out.
    """
    with tempfile.TemporaryDirectory() as folder:
        target = f"unix:{Path(folder) / 'searcher.sock'}"
        start = time.perf_counter()
        command = [sys.executable, "-m", "searcher", "serve", "--listen", target, "--workers", "1"]
        searcher = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            _wait_until_serving(target, searcher)
            return time.perf_counter() - start
        finally:
            searcher.terminate()
            searcher.wait()


def _wait_until_serving(target: str, searcher: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    options = [("grpc.initial_reconnect_backoff_ms", 10), ("grpc.max_reconnect_backoff_ms", 20)]
    with grpc.insecure_channel(target, options=options) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        while time.monotonic() < deadline and searcher.poll() is None:
            try:
                response = health.Check(health_pb2.HealthCheckRequest(), timeout=1.0)
            except grpc.RpcError:
                time.sleep(0.01)
                continue
            if response.status == health_pb2.HealthCheckResponse.SERVING:
                return
            time.sleep(0.01)
    raise TimeoutError("the searcher did not become SERVING")
