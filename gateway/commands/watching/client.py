"""The client of the console's API: lists games, and follows the events of one."""

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self
from urllib.parse import quote

import aiohttp
import msgspec

Json = dict[str, Any]

_ANSWERED_WITHIN = 10.0
"""Seconds for an answer; events may be silent for longer."""

_SILENCE = 60.0
"""Seconds without even a heartbeat after which a stream of events counts as lost."""

_LONGEST_EVENT = 2**20
"""Bytes."""


class ConsoleError(Exception):
    """The console can't be asked, or refuses; the text is for people."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a game: its name, "turn", "decision" or "end", and its data."""

    name: str
    data: Json


class ConsoleClient:
    """Asks the console at a URL, with a token unless that is empty.

    An asynchronous context manager. Every method raises ConsoleError.
    """

    def __init__(self, url: str, token: str = "") -> None:
        self._url = url.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(read_bufsize=_LONGEST_EVENT, headers=self._headers)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def running_game(self) -> str | None:
        """Return the id of the newest game that is being played; None if there is none."""
        games = (await self._json("/api/games"))["games"]
        return next((game["id"] for game in games if not game["over"]), None)

    async def game(self, id_: str) -> Json:
        """Return a whole game."""
        return await self._json(f"/api/games/{quote(id_, safe='')}")

    async def events(self, id_: str) -> AsyncGenerator[Event | None]:
        """Yield None as soon as the events of a game are followed, then each of them."""
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=_ANSWERED_WITHIN, sock_read=_SILENCE)
        path = f"/api/games/{quote(id_, safe='')}/events"
        try:
            async with self._session.get(self._url + path, timeout=timeout) as answer:
                await self._check(answer)
                yield None
                async for event in _parsed(answer.content):
                    yield event
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._lost() from error

    async def _json(self, path: str) -> Json:
        timeout = aiohttp.ClientTimeout(total=_ANSWERED_WITHIN)
        try:
            async with self._session.get(self._url + path, timeout=timeout) as answer:
                await self._check(answer)
                found: Json = msgspec.json.decode(await answer.read())
                return found
        except (aiohttp.ClientError, TimeoutError) as error:
            raise self._lost() from error
        except msgspec.DecodeError as error:
            raise ConsoleError(f"{self._url} is not a console: it answers {path} without JSON") from error

    async def _check(self, answer: aiohttp.ClientResponse) -> None:
        """Raise ConsoleError, with the console's own reason, unless the answer is one."""
        if answer.status == 200:
            return
        if answer.status == HTTPStatus.UNAUTHORIZED:
            raise ConsoleError(f"{self._url} asks for a token: give one with --token or ADMIN_TOKEN.")
        try:
            reason = msgspec.json.decode(await answer.read())["error"]
        except (msgspec.DecodeError, LookupError, TypeError):
            reason = f"it answers {answer.status} to {answer.url.path}"
        raise ConsoleError(f"{self._url}: {reason}")

    def _lost(self) -> ConsoleError:
        return ConsoleError(
            f"no console answers at {self._url}. A gateway tells its console's address when it starts; "
            "--admin names it here."
        )


async def _parsed(stream: aiohttp.StreamReader) -> AsyncIterator[Event]:
    """Yield the events of a stream in the format of the HTML standard, as far as the console uses it."""
    name, data = "", ""
    async for line in stream:
        field, _, value = line.decode().rstrip("\r\n").partition(":")
        if field == "event":
            name = value.removeprefix(" ")
        elif field == "data":
            data += value.removeprefix(" ")
        elif not field and not value and name:
            yield Event(name, msgspec.json.decode(data) if data else {})
            name, data = "", ""
