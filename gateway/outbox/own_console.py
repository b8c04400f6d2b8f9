"""The console of a gateway: a child process of its own, or another one by its address."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import grpc.aio
from aiohttp import hdrs, web
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.channels import Credentials, open_channel
from battlesnake_search.children.restarting import embedded
from battlesnake_search.children.service import Service, note_port
from gateway.outbox.link import Link
from gateway.outbox.outbox import Outbox
from gateway.settings import Settings
from gateway.status import Reporter

CONSOLE_COMMAND = (sys.executable, "-m", "console", "serve", "--listen")
"""The command of a console, without the address to listen on."""

_PATIENCE = 5.0
"""The most seconds for an answer of the console to whether it runs."""

_NICENESS = 5
"""The niceness of the gateway's own console: on busy cores, moves come first, and its pages later."""


class Start(NamedTuple):
    """The start of the gateway's own console."""

    wait: Callable[[], Awaitable[object]]
    """Returns when the console may start."""
    refused: Callable[[], None]
    """Is called if the console refuses its settings."""
    ended: Callable[[], None]
    """Is called whenever a process of the console has ended. Another one follows."""


@asynccontextmanager
async def linked(settings: Settings, outbox: Outbox, reporter: Reporter, start: Start) -> AsyncIterator[Link]:
    """Yield the link to a console: the one that the settings name, or the gateway's own.

    After the block, the gateway's own console stores waiting events for at most two seconds.
    """
    wait = settings.console_wait
    if settings.console:
        credentials = settings.console_credentials
        async with Link(settings.console, outbox, reporter.status, credentials, wait=wait) as link:
            yield link
        return
    # A stopped console would outlive a killed gateway with any signal but SIGKILL. The outbox keeps what the
    # console has not stored.
    service = Service(
        CONSOLE_COMMAND, "console", settings.console_variables, dies_with=signal.SIGKILL, niceness=_NICENESS
    )
    note_port(service.socket.parent, settings.port)
    listens = asyncio.Event()

    def ended(refused: bool) -> None:
        listens.clear()
        start.ended()
        if refused:
            start.refused()

    async with (
        _asking(service.target) as answers,
        embedded(service, listens.set, ended, start.wait, answers),
        _metrics_served(service.metrics, reporter),
        Link(service.target, outbox, reporter.status, may_call=listens.wait, wait=wait) as link,
    ):
        yield link


@asynccontextmanager
async def _asking(target: str) -> AsyncIterator[Callable[[], Awaitable[bool]]]:
    """Yield a function that returns whether the console answers within five seconds."""
    async with open_channel(target, Credentials().certificates) as channel:
        stub = health_pb2_grpc.HealthStub(channel)

        async def answers() -> bool:
            try:
                await stub.Check(health_pb2.HealthCheckRequest(), timeout=_PATIENCE, wait_for_ready=True)
            except grpc.aio.AioRpcError as error:
                # An error of the console's own is an answer, too.
                return error.code() is not grpc.StatusCode.DEADLINE_EXCEEDED
            return True

        yield answers


@asynccontextmanager
async def _metrics_served(socket: Path, reporter: Reporter) -> AsyncIterator[None]:
    """Serve the gateway's metrics on a Unix socket, so that its console can show them."""

    async def metrics(request: web.Request) -> web.Response:
        text, content_type = await reporter.metrics(request.headers.get(hdrs.ACCEPT, ""))
        return web.Response(body=text, headers={hdrs.CONTENT_TYPE: content_type})

    served = web.Application()
    served.router.add_get("/metrics", metrics)
    runner = web.AppRunner(served, access_log=None)
    await runner.setup()
    try:
        await web.UnixSite(runner, socket).start()
        yield
    finally:
        await runner.cleanup()
