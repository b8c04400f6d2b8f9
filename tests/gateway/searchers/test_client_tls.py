"""Searchers behind TLS, as in clouds."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import grpc.aio
import trustme
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from gateway.searchers.client import SERVICE, SearcherClient
from protos.battlesnake.search.v1 import search_pb2_grpc
from tests.gateway import scripted_searcher
from tests.gateway.gateway_process import serving
from tests.gateway.scripted_searcher import ScriptedService, body
from tests.support import grpc_server


@asynccontextmanager
async def _searcher(authority: trustme.CA) -> AsyncIterator[str]:
    """Serve a scripted searcher with a certificate for localhost; yield its port."""
    certificate = authority.issue_cert("localhost")
    chain = b"".join(blob.bytes() for blob in certificate.cert_chain_pems)
    credentials = grpc.ssl_server_credentials([(certificate.private_key_pem.bytes(), chain)])
    server = grpc_server.server()
    search_pb2_grpc.add_SearchServiceServicer_to_server(ScriptedService(scripted_searcher.at_once), server)
    checks = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(checks, server)
    await checks.set(SERVICE, health_pb2.HealthCheckResponse.SERVING)
    port = server.add_secure_port("127.0.0.1:0", credentials)
    await server.start()
    try:
        yield str(port)
    finally:
        await server.stop(None)


async def test_searchers_behind_tls_are_called(tmp_path: Path) -> None:
    """The target's scheme requests TLS; the certificate is checked against the authorities of a file."""
    authority, roots = trustme.CA(), tmp_path / "roots.pem"
    authority.cert_pem.write_to_path(str(roots))
    async with (
        _searcher(authority) as port,
        serving(f"grpcs://localhost:{port}/", GRPC_DEFAULT_SSL_ROOTS_FILE_PATH=str(roots)) as (_, client),
        client.post("/move", json=body()) as answer,
    ):
        assert (await answer.json())["move"] == "up"


async def test_an_unknown_certificate_is_refused() -> None:
    """A searcher whose certificate no known authority issued gets no positions."""
    async with _searcher(trustme.CA()) as port, SearcherClient(f"grpcs://localhost:{port}") as searcher:
        assert "UNAVAILABLE" in await searcher.trouble()
