"""Health and readiness over real sockets."""

import pytest
from grpc_health.v1 import health_pb2

from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService

NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


async def test_a_gateway_without_a_searcher_is_alive_but_not_ready() -> None:
    """Without a searcher the gateway is healthy but not ready, and it reports the reason."""
    async with scripted_searcher.gateway("127.0.0.1:1") as client:
        async with client.get("/healthz") as answer:
            assert answer.status == 200
        async with client.get("/readyz") as answer:
            assert answer.status == 503
            assert "127.0.0.1:1: UNAVAILABLE" in (await answer.json())["reason"]


@pytest.mark.parametrize("status", [NOT_SERVING, health_pb2.HealthCheckResponse.SERVING])
async def test_a_gateway_is_ready_when_its_searcher_serves(status: int) -> None:
    """Readiness follows the health of the searcher."""
    async with (
        scripted_searcher.searcher(ScriptedService(scripted_searcher.at_once), status=status) as target,
        scripted_searcher.gateway(target) as client,
        client.get("/readyz") as answer,
    ):
        assert answer.status == (503 if status == NOT_SERVING else 200)
        assert ("NOT_SERVING" in await answer.text()) == (status == NOT_SERVING)
