"""Callers whose certificates a real searcher refuses, as they, its counters and its log see it."""

from pathlib import Path

import grpc
import pytest

from tests.battlesnake_search.serving.guarded import LONG_AGO, OK, Authority, search, secure
from tests.support.searchers import searcher
from tests.support.services import free_port, samples


def counted(metrics: str, name: str) -> float:
    """Return the value of one of the searcher's counters."""
    [sample] = samples(f"http://{metrics}", name)
    return sample.value


async def test_each_refused_certificate_is_counted_and_named_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A handshake without a connection is a refusal, and gRPC logs its reason; nobody's key appears."""
    monkeypatch.setenv("GRPC_VERBOSITY", "INFO")
    (tmp_path / "other").mkdir()
    authority, log = Authority(tmp_path), tmp_path / "log"
    refused = {
        "PEER_DID_NOT_RETURN_A_CERTIFICATE": None,
        "unable to get local issuer certificate": Authority(tmp_path / "other").client(),
        "certificate has expired": authority.client(LONG_AGO),
    }
    address, health, metrics = (f"127.0.0.1:{free_port()}" for _ in range(3))
    certificate = "--tls-cert", authority.chain, "--tls-key", authority.key
    options = *certificate, "--tls-client-ca", authority.roots, "--metrics", metrics
    async with searcher(address, *options, log=log, health=health):
        for reason, pair in refused.items():
            before = counted(metrics, "searcher_tls_handshakes_total")
            assert reason not in log.read_text()
            async with secure(address, authority.pem, pair) as channel:
                assert (await search(channel)).code == grpc.StatusCode.UNAVAILABLE
            assert reason in log.read_text()
            assert counted(metrics, "searcher_tls_handshakes_total") > before
        assert counted(metrics, "searcher_connections_total") == 0
        async with secure(address, authority.pem, authority.client()) as channel:
            assert (await search(channel)).code == OK
        assert counted(metrics, "searcher_connections_total") == 1
    keys = [authority.key.read_bytes(), *(pair[0] for pair in refused.values() if pair)]
    assert not [line for key in keys for line in key.splitlines() if line in log.read_bytes()]
