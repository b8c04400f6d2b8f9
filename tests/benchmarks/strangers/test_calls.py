"""Calls from bytes that are made beforehand, and connections without a call."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import repeat
from typing import Any

import grpc.aio

from benchmarks.strangers.calls import call, reset_calls
from benchmarks.strangers.plan import Plan, Report

METHOD = "/test.Service/Echo"

SOON = 20.0


class Service(grpc.GenericRpcHandler):
    """A service of one method, which refuses calls without a token."""

    def __init__(self) -> None:
        self.methods: list[str] = []

    def service(self, details: Any) -> Any:
        """Return the handler of a call."""
        self.methods.append(details.method)
        return grpc.unary_unary_rpc_method_handler(self._echo)

    async def _echo(self, message: bytes, context: Any) -> bytes:
        if ("authorization", "Bearer secret") not in context.invocation_metadata():
            await context.abort(grpc.StatusCode.UNAUTHENTICATED, "no token")
        return message


@asynccontextmanager
async def service() -> AsyncIterator[tuple[Service, int]]:
    """Yield a service and its port."""
    server, found = grpc.aio.server(), Service()
    server.add_generic_rpc_handlers((found,))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield found, port
    finally:
        await server.stop(None)


async def test_calls_are_counted_by_status() -> None:
    """The calls have the token that they are given."""
    async with service() as (found, port), asyncio.timeout(SOON):
        for token, status in (("secret", "OK"), ("", "UNAUTHENTICATED")):
            report = Report()
            await call(Plan("", SOON, 12, 1, port), report, repeat((METHOD, b"a")), token, at_once=4)
            assert report.answers == {status: report.sent}
            assert 12 <= report.sent < 16
    assert set(found.methods) == {METHOD}


async def test_a_reset_call_reaches_the_service() -> None:
    """Its headers are those of a call, so the service begins to handle it."""
    async with service() as (found, port), asyncio.timeout(SOON):
        report = Report()
        await reset_calls(Plan("", SOON, 300, 1, port), report, METHOD, connections=1)
        async with asyncio.timeout(SOON):
            while not found.methods:
                await asyncio.sleep(0.05)
    assert report.sent == 300
    assert set(found.methods) == {METHOD}
