"""The health check of a container, as it runs there."""

import asyncio
import os
import sys

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer


async def _status(address: str) -> int:
    environment = os.environ | {"ADMIN": address}
    check = await asyncio.create_subprocess_exec(sys.executable, "-m", "console.health", env=environment)
    return await check.wait()


@pytest.mark.parametrize(("status", "exits"), [(200, 0), (503, 1), (404, 1)])
async def test_a_console_is_alive_that_says_so(status: int, exits: int) -> None:
    """The check calls the port in ADMIN, and only status 200 counts as alive."""

    async def healthz(_request: web.Request) -> web.Response:
        return web.Response(status=status)

    app = web.Application()
    app.add_routes([web.get("/healthz", healthz)])
    async with TestServer(app) as server:
        assert await _status(f" 0.0.0.0:{server.port}\n") == exits


async def test_without_an_admin_port_nothing_can_be_asked() -> None:
    """Such a console counts as alive."""
    assert await _status("none") == 0
