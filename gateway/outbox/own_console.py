"""The console of a gateway: a child process of its own, or another one by its address."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import grpc.aio
from aiohttp import web
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.channels import Credentials, open_channel
from battlesnake_search.children.restarting import embedded
from battlesnake_search.children.service import Service, note_port
from gateway.outbox.link import Link
from gateway.outbox.outbox import Outbox
from gateway.readiness import metrics_of
from gateway.settings import Settings
from gateway.status import status_of

CONSOLE_COMMAND = (sys.executable, "-m", "console", "serve", "--listen")
"""The command of a console, without the address to listen on."""

_PATIENCE = 5.0
"""The most seconds for an answer of the console to whether it runs."""

_NICENESS = 5
"""The niceness of the gateway's own console: on busy cores, moves come first, and its pages later."""


@asynccontextmanager
async def linked(
    app: web.Application,
    settings: Settings,
    outbox: Outbox,
    wait: Callable[[], Awaitable[object]],
    on_ended: Callable[[bool], None],
) -> AsyncIterator[Link]:
    """Yield the link from `app` to a console: the one that the settings name, or the gateway's own.

    The gateway's own console starts after `wait`, and `on_ended` is as for `embedded`. After the block, the
    link waits at most two seconds for the console to store events.
    """
    status, most = partial(status_of, app, settings.port), settings.console_wait
    if settings.console:
        credentials = settings.console_credentials
        async with Link(settings.console, outbox, status, credentials, wait=most) as link:
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
        on_ended(refused)

    async with (
        _asking(service.target) as answers,
        embedded(service, listens.set, ended, wait, answers),
        _metrics_served(service.metrics, app),
        Link(service.target, outbox, status, may_call=listens.wait, wait=most) as link,
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
async def _metrics_served(socket: Path, app: web.Application) -> AsyncIterator[None]:
    """Serve the gateway's metrics on a Unix socket, so that its console can show them."""
    served = web.Application()
    served.router.add_get("/metrics", partial(metrics_of, app))
    runner = web.AppRunner(served, access_log=None)
    await runner.setup()
    try:
        await web.UnixSite(runner, socket).start()
        yield
    finally:
        await runner.cleanup()
