"""The addresses by which people name games of other servers."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus

from yarl import URL

from gateway.ports.bounds import is_loopback

DEFAULT_SERVERS = ("arena.battlesnake.com",)
"""The servers from which the console reads games unless an option names others."""

_PATH = re.compile(r"(?P<prefix>.*?)(/api)?/games?/(?P<game>[^/]+)(/frames)?/?")
_ID = re.compile(r"(?!\.+$)[\w.:~-]{1,128}", re.ASCII)


class RemoteGameError(Exception):
    """A game can't be read from a server. The text is for people, `status` for the console's clients."""

    def __init__(self, reason: str, status: HTTPStatus = HTTPStatus.BAD_GATEWAY) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True, slots=True)
class GameAddress:
    """A game of a server. `server` is the URL to which the paths of the REST form are appended."""

    server: URL
    game: str

    @property
    def host(self) -> str:
        """The server's host, with its port unless that is the scheme's own."""
        return self.server.host_port_subcomponent or ""


def read_address(text: str) -> GameAddress:
    """Read https://SERVER/games/ID, also with /game/ or /api/games/, or a board's ?game=ID&engine=SERVER.

    The default scheme is https. Raises RemoteGameError for other forms, and for http to other machines.
    """
    url = _url(text)
    if engine := url.query.get("engine"):
        server, game = _url(engine), url.query.get("game", "")
    else:
        found = _PATH.fullmatch(url.path)
        if not found:
            raise _bad(f"{text!r} is not the address of a game like https://SERVER/games/ID")
        server, game = url.with_path(found["prefix"]), found["game"]
    if not _ID.fullmatch(game):
        raise _bad(f"{text!r} names no game")
    return GameAddress(server.with_query(None).with_fragment(None).with_user(None), game)


def require_allowed(address: GameAddress, servers: Collection[str]) -> None:
    """Raise RemoteGameError unless the game's server is one of these, as HOST or HOST:PORT.

    HOST alone stands for the default port.
    """
    host = address.server.host_subcomponent or ""
    names = {f"{host}:{address.server.port}", *([host] if address.server.is_default_port() else [])}
    if names.isdisjoint(server.lower() for server in servers):
        known = ", ".join(servers) or "none"
        raise RemoteGameError(
            f"the console does not read games from {address.host}; servers of --replay-servers: {known}",
            HTTPStatus.FORBIDDEN,
        )


def _url(text: str) -> URL:
    try:
        url = URL(text.strip() if "://" in text else f"https://{text.strip()}")
        host, _port = url.host, url.port
    except ValueError as error:
        raise _bad(f"{text!r} is not an address: {error}") from error
    if not host or url.scheme not in ("https", "http"):
        raise _bad(f"{text!r} is not an address that begins with https://")
    if url.scheme == "http" and not is_loopback(host):
        raise _bad(f"{text!r} is not encrypted: use https://")
    return url


def _bad(reason: str) -> RemoteGameError:
    return RemoteGameError(reason, HTTPStatus.BAD_REQUEST)
