"""The application of the public port: games and their reviews for everybody, to read only.

It has no path but those below. Its answers leave out the names of strategies, experiments and arms.
"""

from contextlib import AbstractAsyncContextManager

from aiohttp import web

from battlesnake_search.ports.admin_address import AdminAddress
from battlesnake_search.ports.connections import whole_requests
from battlesnake_search.ports.metrics import PortMetrics
from battlesnake_search.record.options import PUBLIC_REMEDY
from console.web import blunders, frames, games, port
from console.web.listening import Listener
from console.web.port import PAGES
from console.web.replies import PUBLIC, readable_errors

_PAGES = PAGES / "public"

_SHARED = (
    *("console.css", "home.css", "charts.css"),
    *("console.js", "lists.js", "home-live.js", "home-games.js", "charts.js"),
)
"""The files of the admin port's first page that the public one uses, too."""

_HANDLERS = (
    web.get("/api/games", games.games),
    web.get("/api/games/{game}", games.game),
    web.get("/api/games/{game}/events", games.events),
    web.get("/api/games/{game}/blunders", blunders.events),
    web.get("/api/events", games.events),
)

_PARTS = (games.LIBRARY, games.FEED, blunders.REVIEWER, frames.BOARDS)
"""The parts of the console that these handlers read."""


def serving(
    parts: port.Parts, address: AdminAddress, counters: PortMetrics
) -> AbstractAsyncContextManager[None]:
    """Serve the public port until the block ends. If it is in use, log the error and go on."""
    listener = Listener(address, counters.count_ending, None)
    return port.serving(build(parts), listener, address, "console for everybody", PUBLIC_REMEDY)


def build(parts: port.Parts) -> web.Application:
    """Build the application of the console's parts."""
    public = web.Application(middlewares=[readable_errors(_PAGES / "missing.html"), whole_requests])
    public[PUBLIC] = True
    for key in _PARTS:
        if key in parts:
            public[key] = parts[key]
    public.add_routes(_HANDLERS)
    port.add_games(public, _PAGES, "public/game.js")
    for name in ("index.html", "home.js"):
        public.router.add_get(f"/{name}", port.file_handler(_PAGES / name))
    for name in _SHARED:
        public.router.add_get(f"/{name}", port.file_handler(PAGES / name))
    return public
