"""The port at which the console listens. It is remembered for a restart, and makes room for a snake."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from aiohttp import hdrs, web

from battlesnake_search.children.service import ADMIN_PORT
from battlesnake_search.common.logs import get_logger
from battlesnake_search.ports.admin_address import AdminAddress
from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, is_loopback
from battlesnake_search.ports.connections import BoundedSite, Count
from console.web.replies import error_reply, json_reply

log = get_logger(__name__)

_MAX_PORT = 65535

_FORWARDED = ("Forwarded", "X-Forwarded-For", hdrs.VIA)
"""Headers of a proxy. Its callers may be anywhere."""


class Listener:
    """The port of an application. If the default port is taken, another free one.

    `folder` keeps the number of the port, so that a restarted console listens at the same one.
    """

    def __init__(self, address: AdminAddress, count: Count, folder: Path | None) -> None:
        self._address = address
        self._count = count
        self._memory = folder / ADMIN_PORT if folder else None
        self._site: BoundedSite | None = None
        self.port = 0
        """The port at which the console listens; 0: it does not."""
        self.has_returned = False
        """Whether a former process of this console had the port."""

    @property
    def _is_fixed(self) -> bool:
        return self._address.is_chosen and self._address.port != 0

    async def start(self, runner: web.AppRunner) -> None:
        """Listen: at the former port, or at the address, or at a free port. Raises OSError."""
        self._runner = runner
        former = 0 if self._is_fixed else self._former()
        for port in dict.fromkeys(filter(None, (former, self._address.port))):
            try:
                await self._listen(port)
            except OSError as error:
                if self._is_fixed or error.errno != errno.EADDRINUSE:
                    raise
            else:
                self.has_returned = port == former
                return
        await self._listen(0)

    def _former(self) -> int:
        """Return the port of the file; 0 without a usable one."""
        with suppress(OSError, ValueError):
            port = int(self._memory.read_text()) if self._memory else 0
            return port if 0 < port <= _MAX_PORT else 0
        return 0

    async def _listen(self, port: int) -> None:
        site = BoundedSite(self._runner, self._address.host, port, DEFAULT_PORT_BOUNDS, self._count)
        try:
            await site.start()
        except OSError:
            await site.stop()
            raise
        former, self._site = self._site, site
        if former:
            await former.stop()
            # Further requests on these connections would be for the snake.
            former.connections.leave()
        self.port = self._runner.addresses[0][1]
        if self._memory:
            # A half-written file would be another port.
            new = self._memory.with_suffix(".new")
            with suppress(OSError):
                new.write_text(str(self.port))
                os.replace(new, self._memory)

    def url(self) -> str:
        """Return the address of the pages."""
        host = self._runner.addresses[0][0]
        return f"http://[{host}]:{self.port}/" if ":" in host else f"http://{host}:{self.port}/"

    async def make_room(self, request: web.Request) -> web.Response:
        """Answer 200 and go to another port, because a snake wants this one.

        The caller needs no token, as any program of this machine could have taken the port before. So it must
        be of this machine, and a port that somebody chose stays.
        """
        is_local = is_loopback(request.remote or "") and not any(
            name in request.headers for name in _FORWARDED
        )
        if self._is_fixed or not self._address.is_loopback or not is_local:
            return error_reply(403, "this console stays at its port")
        if request.url.port != self.port:
            return error_reply(409, f"this console is at port {self.port}")
        await self._listen(0)
        log.warning(f"the console is at {self.url()}", reason="a snake was started at its former port")
        response = json_reply({"port": self.port})
        response.force_close()
        return response
