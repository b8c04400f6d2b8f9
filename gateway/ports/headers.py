"""The headers of every answer."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import hdrs, web

SERVER = "battlesnake"
"""Whatever else the header Server names would help those who look for known holes."""

COMMON = {
    hdrs.SERVER: SERVER,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # A snake's address may have a token in it.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""The headers of answers that set no others: nothing is run, framed, guessed or kept."""

_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)

_Setter = Callable[[web.Request, web.StreamResponse], Awaitable[None]]


def adding(headers: Mapping[str, str] = COMMON) -> _Setter:
    """Return a handler of `on_response_prepare` that adds these headers to answers that lack them."""

    async def add(_request: web.Request, response: web.StreamResponse) -> None:
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        # aiohttp has put its version and Python's there.
        response.headers[hdrs.SERVER] = SERVER

    return add


def page_headers(page: bytes) -> dict[str, str]:
    """Return the headers of an HTML page that has a style sheet in itself, which alone is allowed."""
    digests = [b64encode(hashlib.sha256(style).digest()).decode() for style in _STYLE.findall(page)]
    styles = " ".join(f"'sha256-{digest}'" for digest in digests)
    policy = COMMON["Content-Security-Policy"]
    return {"Content-Security-Policy": f"{policy}; style-src {styles}; img-src data:"}
