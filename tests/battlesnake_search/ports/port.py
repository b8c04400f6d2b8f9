"""A gateway's port with small bounds, and callers that misbehave on it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from battlesnake_search.ports.bounds import EarlyEnd, PortBounds
from battlesnake_search.ports.connections import BoundedSite, Connections
from gateway import app
from gateway.metrics import METRICS
from gateway.settings import NO_CONSOLE, Settings
from tests.gateway.clients import PATIENCE
from tests.gateway.listing_searcher import ListingService
from tests.gateway.scripted_searcher import Script, at_once, searcher
from tests.support.event_loop import until

MOVE = b"POST /move HTTP/1.1\r\nHost: localhost\r\n"


@dataclass
class Caller:
    """A connection, byte by byte."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def is_closed(self, seconds: float = PATIENCE) -> bool:
        """Return whether the other side closes the connection within some seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self.reader.read()
        except TimeoutError:
            return False
        except ConnectionError:
            pass
        return True

    async def ask(self, path: bytes = b"/healthz") -> int:
        """Return the status of the answer to a GET."""
        self.writer.write(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return await self.status()

    async def status(self) -> int:
        """Return the status of the next answer, whose body is read too."""
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        await self.reader.readexactly(int(length.partition(b":")[2]))
        return int(head.split()[1])

    def leave(self) -> None:
        """Go away without a goodbye."""
        self.writer.transport.abort()


@dataclass
class Port:
    """A port that is being served."""

    number: int
    application: web.Application
    connections: Connections
    callers: list[Caller] = field(default_factory=list)

    async def call(self, sent: bytes = b"", address: str = "127.0.0.1") -> Caller:
        """Connect from an address, and send some bytes."""
        connection = asyncio.open_connection("127.0.0.1", self.number, local_addr=(address, 0))
        caller = Caller(*await connection)
        self.callers.append(caller)
        caller.writer.write(sent)
        return caller

    def counted(self, ending: EarlyEnd) -> int:
        """Return how many connections have ended like this."""
        sample = f'gateway_connections_ended_early_total{{reason="{ending.value}"}} '
        text = self.application[METRICS].text()[0].decode()
        return round(float(next(line for line in text.splitlines() if line.startswith(sample)).split()[-1]))

    async def until_counted(self, ending: EarlyEnd, number: int = 1) -> None:
        """Wait until so many connections have ended like this."""
        await until(lambda: self.counted(ending) >= number)

    async def until_open(self, number: int) -> None:
        """Wait until so many connections are open."""
        await until(lambda: len(self.connections) == number)


@asynccontextmanager
async def serving(bounds: PortBounds, script: Script = at_once) -> AsyncIterator[Port]:
    """Serve a gateway on a port with bounds, in front of a searcher that follows the script."""
    async with searcher(ListingService("area", script=script)) as target:
        built = app.build(Settings(searcher=target, console=NO_CONSOLE, strategy="paranoid/area"))
        runner = web.AppRunner(built, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            site = BoundedSite(runner, "127.0.0.1", 0, bounds, built[METRICS].port.count_ending)
            await site.start()
            port = Port(runner.addresses[0][1], built, site.connections)
            yield port
            for caller in port.callers:
                caller.leave()
        finally:
            await runner.cleanup()
