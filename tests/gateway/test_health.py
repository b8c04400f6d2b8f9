"""The health check of a container, as it runs there."""

import asyncio
import os
import sys

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from tests.support.services import free_port


async def _status(port: str) -> int:
    environment = os.environ | {"PORT": port}
    check = await asyncio.create_subprocess_exec(sys.executable, "-m", "gateway.health", env=environment)
    return await check.wait()


@pytest.mark.parametrize(("status", "exits"), [(200, 0), (503, 1)])
async def test_a_gateway_is_alive_that_says_so(status: int, exits: int) -> None:
    """The check calls the port in PORT, and only status 200 counts as alive."""

    async def healthz(_request: web.Request) -> web.Response:
        return web.Response(status=status)

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz)])
    async with TestServer(app) as server:
        assert await _status(f" {server.port}\n") == exits


async def test_a_closed_port_is_not_alive() -> None:
    """Nothing answers there."""
    assert await _status(str(free_port())) == 1
