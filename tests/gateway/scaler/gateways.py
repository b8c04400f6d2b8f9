"""Gateways as far as the scaler knows them: HTTP servers with metrics."""

import time
from contextlib import AbstractAsyncContextManager
from types import TracebackType

from aiohttp import web

from gateway.scaler.gateways import DEMAND, GAMES

TEXT = f"""# HELP gateway_moves_total Answered moves.
# TYPE gateway_moves_total counter
gateway_moves_total{{source="search"}} 12.0
# HELP {DEMAND.removesuffix("_total")} Searches that moves wait for, integrated over time.
# TYPE {DEMAND} counter
{DEMAND} %s
# HELP {GAMES} Games being played.
# TYPE {GAMES} gauge
{GAMES} %s
"""
"""Metrics of a gateway with its demand and its games."""


class FakeGateway(AbstractAsyncContextManager["FakeGateway"]):
    """A gateway with `games`, each of which waits for `share` searches at once.

    With a `token`, it requires the token. `stop` and `start` end and begin serving, on the same port.
    """

    def __init__(self, token: str = "") -> None:
        self.games = 0
        self.share = 0.5
        self.token = token
        self.port = 0
        self._demand = 0.0
        self._counted = time.monotonic()
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> "FakeGateway":
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    @property
    def address(self) -> str:
        """Where it serves."""
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Serve at the port that it had before, or at any free one."""
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Serve no more."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    async def _metrics(self, request: web.Request) -> web.Response:
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            return web.Response(status=401)
        before, self._counted = self._counted, time.monotonic()
        self._demand += self.games * self.share * (self._counted - before)
        return web.Response(text=TEXT % (self._demand, self.games))
