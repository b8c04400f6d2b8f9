"""The download of games from other servers over HTTP, within bounds of turns and bytes, and their import."""

import asyncio
from collections.abc import Collection, Coroutine
from http import HTTPStatus
from typing import Any, Self
from urllib.request import getproxies, proxy_bypass

import aiohttp
import msgspec
from aiohttp import hdrs
from yarl import URL

from battlesnake_search.ports.bounds import is_loopback
from console.replay import LAST_TURN, official
from console.replay.servers import (
    BadFormError,
    FrameReader,
    GameAddress,
    RemoteGameError,
    frames_of,
    read_address,
    require_allowed,
)
from console.store.library import Library
from console.store.records import RUNNING, Fallen, Header, Key, Position, game_row, key_of, record_row
from console.store.writer import Writer

MOST_TURNS = LAST_TURN + 1
"""The largest number of turns of a game."""

MOST_BYTES = 64_000_000
"""The largest number of bytes of all answers together."""

PAGE = 100
"""The number of frames that one request asks for."""

REQUEST_SECONDS = 10.0
ALL_SECONDS = 60.0

_FORMS = ("api/games", "games")
"""The paths of games: of the platform, and of the former official engine."""

_CHUNK = 2**16

_STORE_SECONDS = 10.0
"""Seconds that the database may take for a game."""

# A compressed answer could exceed the bound before it is measured.
_HEADERS = {hdrs.ACCEPT: "application/json", hdrs.ACCEPT_ENCODING: "identity"}


async def fetch(
    address: GameAddress, request_seconds: float = REQUEST_SECONDS, all_seconds: float = ALL_SECONDS
) -> tuple[Header, list[Position]]:
    """Return a game of a server, up to its newest turn. Raises RemoteGameError."""
    try:
        async with asyncio.timeout(all_seconds), _Server(address, request_seconds) as server:
            return await server.game()
    except TimeoutError as error:
        raise _slow(address, all_seconds) from error


class _Server:
    """A connection to a server for one game. An asynchronous context manager."""

    def __init__(self, address: GameAddress, seconds: float) -> None:
        self._address = address
        self._seconds = seconds
        self._left = MOST_BYTES

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            headers=_HEADERS,
            timeout=aiohttp.ClientTimeout(total=self._seconds),
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def game(self) -> tuple[Header, list[Position]]:
        """Return the game. Raises RemoteGameError."""
        path, reader = await self._found()
        offset = 0
        while True:
            page = await self._get((path / "frames").with_query(offset=offset, limit=PAGE))
            known = reader.turns
            number = 0 if page is None else await self._add(reader, page)
            offset += number
            # Some servers ignore the offset.
            if number < PAGE or reader.turns == known:
                break
        try:
            return reader.game()
        except BadFormError as error:
            reason = f"{self._address.host} has no turn of game {self._address.game} yet"
            raise RemoteGameError(reason, HTTPStatus.NOT_FOUND) from error

    async def _found(self) -> tuple[URL, FrameReader]:
        """Return the URL of the game, and the reader of its frames."""
        is_missing = True
        for form in _FORMS:
            path = self._address.server / form / self._address.game
            facts = await self._get(path)
            if facts is None:
                continue
            try:
                return path, FrameReader(facts, self._address.game)
            except BadFormError:
                is_missing = False
        if is_missing:
            reason = f"{self._address.host} has no game {self._address.game}"
            raise RemoteGameError(reason, HTTPStatus.NOT_FOUND)
        raise self._strange()

    async def _add(self, reader: FrameReader, page: bytes) -> int:
        """Add the frames of a page, and return their number."""
        try:
            frames = frames_of(page)
        except BadFormError as error:
            raise self._strange() from error
        for frame in frames:
            reader.add(frame)
            if reader.turns > MOST_TURNS:
                raise self._large(f"{MOST_TURNS} turns")
        return len(frames)

    async def _get(self, url: URL) -> bytes | None:
        """Return the body at a URL; None if it does not exist."""
        try:
            # A redirection could lead to another server.
            async with self._session.get(url, allow_redirects=False, proxy=_proxy(url)) as answer:
                if answer.status == HTTPStatus.NOT_FOUND:
                    return None
                if answer.status != HTTPStatus.OK:
                    raise RemoteGameError(f"{self._address.host} answers {answer.status} to {url.path}")
                return await self._body(answer)
        except TimeoutError as error:
            raise _slow(self._address, self._seconds) from error
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise RemoteGameError(f"{self._address.host} can't be read: {error}") from error

    async def _body(self, answer: aiohttp.ClientResponse) -> bytes:
        body = bytearray()
        async for chunk in answer.content.iter_chunked(_CHUNK):
            body += chunk
            self._left -= len(chunk)
            if self._left < 0:
                raise self._large(f"{MOST_BYTES // 1_000_000} MB")
        return bytes(body)

    def _strange(self) -> RemoteGameError:
        return RemoteGameError(f"{self._address.host} does not send games as Battlesnake engines do")

    def _large(self, bound: str) -> RemoteGameError:
        return RemoteGameError(f"game {self._address.game} of {self._address.host} has more than {bound}")


def _proxy(url: URL) -> str | None:
    """Return the environment's proxy for a URL; None for this machine, and for the hosts of no_proxy.

    aiohttp's own look at the environment would also send passwords of ~/.netrc.
    """
    host = url.host or ""
    if is_loopback(host) or proxy_bypass(host):
        return None
    proxy = getproxies().get(url.scheme)
    return proxy if proxy is None or "://" in proxy else f"http://{proxy}"


def _slow(address: GameAddress, seconds: float) -> RemoteGameError:
    reason = f"{address.host} has not sent game {address.game} within {seconds:g} s"
    return RemoteGameError(reason, HTTPStatus.GATEWAY_TIMEOUT)


def joined(
    kept: Header | None, keys: Collection[Key], new: Header, positions: list[Position]
) -> tuple[Header, list[Position]]:
    """Return the new header of a kept game, and the positions to add. `keys` are the keys of its records.

    The kept game gets the end, the causes of deaths and the turns that it lacks, and no other change. Raises
    RemoteGameError if another game has the same id.
    """
    lacking = [position for position in positions if key_of(position) not in keys]
    if kept is None:
        return new, lacking
    known = {snake.id for snake in kept.snakes}
    others = [snake for snake in new.snakes if snake.id not in known]
    is_other = bool(known) and len(others) == len(new.snakes)
    if is_other or (kept.width, kept.height) != (new.width, new.height):
        raise RemoteGameError(f"another game with the id {new.id} is kept", HTTPStatus.CONFLICT)
    end = kept if kept.ended_at else new
    header = msgspec.structs.replace(
        kept,
        source=new.source if kept.source == RUNNING else kept.source,
        snakes=[*kept.snakes, *others],
        turns=max(kept.turns, new.turns),
        ended_at=end.ended_at,
        winner=end.winner,
        deaths=_with_late(new.deaths, kept.deaths) or kept.deaths,
    )
    return header, lacking


def _with_late(deaths: list[Fallen], kept: list[Fallen]) -> list[Fallen]:
    """Return the deaths of a server. Only the kept ones tell of late answers."""
    late = {fallen.snake for fallen in kept if fallen.late}
    return [msgspec.structs.replace(fallen, late=fallen.snake in late) for fallen in deaths]


class Importer:
    """The import of games from other servers and from files into the database, one at a time.

    It reads only from `servers`, each written as HOST or HOST:PORT.
    """

    def __init__(self, library: Library, writer: Writer, servers: Collection[str]) -> None:
        self.servers = servers
        self._library = library
        self._writer = writer
        self._importing = asyncio.Lock()

    async def read(self, text: str) -> str:
        """Read the game at an address, and return its id. Raises RemoteGameError.

        A game that is running here is recorded anyway, so it is not read.
        """
        address = read_address(text)
        require_allowed(address, self.servers)
        if self._library.is_live(address.game):
            return address.game
        return await self._import(fetch(address))

    async def read_file(self, data: bytes) -> str:
        """Keep the game in a file of the official engine, and return its id. Raises RemoteGameError."""
        return await self._import(asyncio.to_thread(official.read, data))

    async def _import(self, reading: Coroutine[Any, Any, tuple[Header, list[Position]]]) -> str:
        if self._importing.locked():
            reading.close()
            raise RemoteGameError("another game is being read", HTTPStatus.TOO_MANY_REQUESTS)
        async with self._importing:
            try:
                header, positions = await reading
            except official.BadFileError as error:
                raise RemoteGameError(str(error), HTTPStatus.BAD_REQUEST) from error
            await self._keep(header, positions)
            return header.id

    async def _keep(self, new: Header, read: list[Position]) -> None:
        try:
            kept, keys = await self._library.kept(new.id)
            if self._library.is_live(new.id):
                return
            header, positions = joined(kept, keys, new, read)
            records = [record_row(header.id, position) for position in positions]
            async with asyncio.timeout(_STORE_SECONDS):
                await self._writer.written([game_row(header), *records])
        except RemoteGameError:
            raise
        except Exception as error:
            # SQLAlchemy, its drivers and the network share no base exception.
            reason = "the database does not take the game"
            raise RemoteGameError(reason, HTTPStatus.SERVICE_UNAVAILABLE) from error
