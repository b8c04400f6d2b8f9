"""A listening port whose connections are bounded."""

import asyncio
import os
import socket
from functools import partial

from aiohttp import web
from yarl import URL

from gateway.ports.bounds import Bounds
from gateway.ports.connections import Connection, Connections, Count

_ACCEPTED_AT_ONCE = 64
"""Connections that are accepted before other events get their turn."""

_WAITING = 4096
"""Connections that the system keeps until they are accepted. More would have to try again after a second."""


class BoundedSite(web.BaseSite):
    """A port of a runner. Its application needs the middleware `whole_requests`."""

    __slots__ = ("_host", "_port", "connections")

    def __init__(self, runner: web.AppRunner, host: str, port: int, bounds: Bounds, count: Count) -> None:
        super().__init__(runner)
        self._host = host
        self._port = port
        self.connections = Connections(bounds, count)

    @property
    def name(self) -> str:
        """The URL of the port."""
        host, port, *_ = (*self._runner.addresses, (self._host, self._port))[0]
        return str(URL.build(scheme="http", host=host, port=port))

    async def start(self) -> None:
        """Listen. Raises OSError if the address is unavailable."""
        await super().start()
        server = self._runner.server
        assert server is not None
        loop = asyncio.get_running_loop()
        listening = await loop.create_server(
            partial(Connection, self.connections, server), self._host, self._port, backlog=_ACCEPTED_AT_ONCE
        )
        self._server = listening
        for each in listening.sockets:
            # asyncio has one number for both.
            with socket.socket(fileno=os.dup(each.fileno())) as same:
                same.listen(_WAITING)
