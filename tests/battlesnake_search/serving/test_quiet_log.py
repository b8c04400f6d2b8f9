"""The log of a real searcher while callers send what gRPC refuses."""

import json
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.battlesnake_search.serving.guarded import Authority, search, secure
from tests.support.searchers import PATIENCE, searcher
from tests.support.services import free_port

PAIRS = 500
"""Headers with more bytes than gRPC accepts."""


async def test_callers_write_no_lines_of_grpc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Calls with too much metadata are refused, and so is a missing certificate. Each line is still JSON."""
    monkeypatch.delenv("GRPC_VERBOSITY", raising=False)
    authority, log = Authority(tmp_path), tmp_path / "log"
    address, health = (f"127.0.0.1:{free_port()}" for _ in range(2))
    options = "--tls-cert", authority.chain, "--tls-key", authority.key, "--tls-client-ca", authority.roots
    async with searcher(address, *options, log=log, health=health):
        async with grpc.aio.insecure_channel(health) as channel:
            metadata = [(f"key{number}", "value") for number in range(PAIRS)]
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await health_pb2_grpc.HealthStub(channel).Check(
                    health_pb2.HealthCheckRequest(), metadata=metadata, timeout=PATIENCE
                )
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        async with secure(address, authority.pem, None) as channel:
            assert (await search(channel)).code == grpc.StatusCode.UNAVAILABLE
    lines = log.read_text().splitlines()
    assert lines and all(json.loads(line) for line in lines)
