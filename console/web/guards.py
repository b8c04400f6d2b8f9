"""The middlewares that protect a port from the pages of other sites."""

from collections.abc import Awaitable, Callable

from aiohttp import web
from aiohttp.typedefs import Middleware
from yarl import URL

from battlesnake_search.ports.admin_address import AdminAddress
from battlesnake_search.ports.bounds import is_loopback
from console.web.replies import error_reply

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def guards(address: AdminAddress) -> tuple[Middleware, ...]:
    """Return the middlewares that protect the port at this address."""
    return (_loopback_names_only, _own_pages_only) if address.is_loopback else (_own_pages_only,)


@web.middleware
async def _loopback_names_only(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Refuse requests for other names on a loopback address.

    Otherwise another site could point its own host name at the loopback address, and a browser would let its
    page read the answers.
    """
    if not is_loopback(request.url.host or ""):
        return error_reply(421, f"this port serves localhost, not {request.host}")
    return await handler(request)


@web.middleware
async def _own_pages_only(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Refuse the posts of other sites' pages: forms, and the JSON of scripts."""
    if request.method == "POST":
        if request.content_type != "application/json":
            return error_reply(415, "the body must be JSON, with Content-Type: application/json")
        origin = request.headers.get("Origin")
        if origin is not None and URL(origin).authority != request.host:
            return error_reply(403, f"pages of {origin} may not ask")
    return await handler(request)
