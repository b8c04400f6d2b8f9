"""Paths as engines write them: slashes too many cost nothing.

An engine does not follow a redirect of a POST, so such a request is answered where it arrives.
"""

import re
from collections.abc import Iterator
from typing import Any

from aiohttp import web
from aiohttp.web_urldispatcher import UrlMappingMatchInfo
from yarl import URL

_SLASHES = re.compile("/{2,}")


def tidied(path: str) -> str:
    """Return a path with single slashes and without one at its end."""
    return _SLASHES.sub("/", path).rstrip("/") or "/"


class UntidyPaths(web.AbstractResource):
    """A resource for the paths of a router's other resources with slashes too many. Register it last."""

    def __init__(self, router: web.UrlDispatcher) -> None:
        super().__init__()
        self._router = router

    @property
    def canonical(self) -> str:
        """The beginning of all paths."""
        return "/"

    async def resolve(self, request: web.Request) -> tuple[UrlMappingMatchInfo | None, set[str]]:
        """Return what the tidied path resolves to, and the methods that it allows otherwise."""
        path = request.rel_url.raw_path
        if path == tidied(path):
            return None, set()
        url = URL.build(path=tidied(path), encoded=True)
        found = await self._router.resolve(request.clone(rel_url=url))
        error = found.http_exception
        if error is None:
            return found, set()
        return None, set(error.allowed_methods) if isinstance(error, web.HTTPMethodNotAllowed) else set()

    def raw_match(self, path: str) -> bool:
        """Return False: no resource of a path is registered here."""
        return False

    def get_info(self) -> Any:
        """Return the path of the resource."""
        return {"path": self.canonical}

    def url_for(self, **_parts: str) -> URL:
        """Return the tidy path of all."""
        return URL(self.canonical)

    def add_prefix(self, prefix: str) -> None:
        """Do nothing: the router itself has the prefix."""

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[web.AbstractRoute]:
        return iter(())
