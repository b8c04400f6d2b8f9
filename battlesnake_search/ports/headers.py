"""HTTP on every port: the headers of answers, the caller's preferred format, and untidy paths."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator, Mapping

from aiohttp import hdrs, web
from aiohttp.web_urldispatcher import UrlMappingMatchInfo
from yarl import URL

SERVER = "battlesnake"
"""The header Server, without a version, because a version would help attackers to find known
vulnerabilities."""

COMMON = {
    hdrs.SERVER: SERVER,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # A snake's address may contain a token.
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cache-Control": "no-store",
}
"""The default headers of answers. They forbid scripts, framing, guesses of the type, and caching."""

HTML = "text/html"
JSON = "application/json"

_SLASHES = re.compile("/{2,}")
_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)

_Setter = Callable[[web.Request, web.StreamResponse], Awaitable[None]]


def adding(headers: Mapping[str, str] = COMMON) -> _Setter:
    """Return a handler of `on_response_prepare` that adds these headers to answers that lack them."""

    async def add(_request: web.Request, response: web.StreamResponse) -> None:
        for name, value in headers.items():
            response.headers.setdefault(name, value)
        # aiohttp has put the versions of itself and Python there.
        response.headers[hdrs.SERVER] = SERVER

    return add


def page_headers(page: bytes) -> dict[str, str]:
    """Return the headers of an HTML page. They allow only the style sheet inside it."""
    digests = [b64encode(hashlib.sha256(style).digest()).decode() for style in _STYLE.findall(page)]
    styles = " ".join(f"'sha256-{digest}'" for digest in digests)
    policy = COMMON["Content-Security-Policy"]
    return {"Content-Security-Policy": f"{policy}; style-src {styles}; img-src data:"}


def prefers_html(accept: str) -> bool:
    """Return whether the header Accept prefers HTML to JSON. An empty header prefers JSON."""
    accepted = dict(_ranges(accept))
    return _quality(accepted, HTML) > _quality(accepted, JSON)


def _quality(ranges: dict[str, float], media: str) -> float:
    """Return the q-value of the narrowest range with a media type."""
    kinds = (media, f"{media.partition('/')[0]}/*", "*/*")
    return next((ranges[kind] for kind in kinds if kind in ranges), 0.0)


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether the header Accept-Encoding names gzip. An empty header accepts no compression."""
    return dict(_ranges(accept_encoding)).get("gzip", 0.0) > 0


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    """Yield the media types or codings of a header with their q-values; an invalid q-value counts as 0."""
    for part in accept.lower().split(","):
        media, *parameters = (text.strip() for text in part.split(";"))
        quality = next((text[2:] for text in parameters if text.startswith("q=")), "1")
        try:
            yield media, float(quality)
        except ValueError:
            yield media, 0.0


def tidied(path: str) -> str:
    """Return a path with single slashes and without a slash at its end."""
    return _SLASHES.sub("/", path).rstrip("/") or "/"


class UntidyPaths(web.PlainResource):
    """A resource for paths that match another resource without their extra slashes. Register it last."""

    def __init__(self, router: web.UrlDispatcher) -> None:
        # The common prefix of all paths.
        super().__init__("/")
        self._router = router

    async def resolve(self, request: web.Request) -> tuple[UrlMappingMatchInfo | None, set[str]]:
        """Return the match of the tidied path, or else the methods that it allows."""
        path = request.rel_url.raw_path
        if path == tidied(path):
            return None, set()
        url = URL.build(path=tidied(path), encoded=True)
        found = await self._router.resolve(request.clone(rel_url=url))
        error = found.http_exception
        if error is None:
            return found, set()
        return None, set(error.allowed_methods) if isinstance(error, web.HTTPMethodNotAllowed) else set()
