"""A player that calls a Battlesnake at a URL, with the requests of the official engine, a program in Go."""

import json
import os
import re
from contextlib import suppress
from dataclasses import replace
from posixpath import normpath
from string import punctuation
from typing import Any, TypeVar
from urllib.parse import quote, unquote_to_bytes, urlsplit

import aiohttp
import msgspec
from yarl import URL

from arena.players.player import CHECK_SECONDS, PLAIN, ChosenMove, FaultError, Player, View
from arena.players.request_bodies import Form, request_body
from arena.records import Looks, MoveLimits
from battlesnake_search.board import LONGEST_NAME
from battlesnake_search.common.types import Json
from searcher.engine.position import Direction

_CONTENT = {"Content-Type": "application/json"}


class _Answer(msgspec.Struct):
    move: str = ""
    shout: str = ""


class _Description(msgspec.Struct):
    apiversion: str = ""
    author: str = ""
    color: str = ""
    head: str = ""
    name: str = ""
    tail: str = ""
    version: str = ""


_Read = TypeVar("_Read", _Answer, _Description)


class UrlPlayer(Player):
    """Posts /start, /move and /end. Create it in the event loop that uses it."""

    remote = True

    def __init__(self, url: str, name: str, limits: MoveLimits, is_named: bool = True) -> None:
        """Create the player. Unless `is_named`, a name in the description of the snake replaces `name`."""
        assert limits.milliseconds is not None
        self._url = url
        self._name = name
        self._is_named = is_named
        self._timeout = limits.milliseconds
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=self._timeout / 1000),
            headers=_CONTENT,
            # The official engine sends no cookies back.
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def check_reachable(self) -> None:
        """Get the description of the snake, as the official engine does before a game.

        Raises ConnectionError, with the reason, unless the answer is a JSON object whose fields are texts.
        """
        try:
            reason = _reason_against(*await self._description())
        except TimeoutError:
            reason = f"no answer within {CHECK_SECONDS:g} s"
        except aiohttp.ClientError as error:
            reason = reason_of(error)
        if reason:
            raise ConnectionError(f"no snake can be reached at {self._url}: {reason}")

    async def looks(self) -> Looks:
        """Return the name, and the looks in the description of the snake.

        Missing looks are empty, as for the engine. Without a description they are plain.
        """
        with suppress(TimeoutError, aiohttp.ClientError, ValueError, RecursionError):
            described = _as_in_go((await self._description())[1], _Description)
            name = self._name if self._is_named else described.name or self._name
            texts = (described.color, described.head, described.tail, name)
            return Looks(*(text[:LONGEST_NAME] for text in texts))
        return msgspec.structs.replace(PLAIN, name=self._name)

    async def _description(self) -> tuple[int, bytes]:
        """Return the status and the content of the answer to GET."""
        patience = aiohttp.ClientTimeout(total=CHECK_SECONDS)
        async with self._session.get(index_url(self._url), timeout=patience) as response:
            return response.status, await response.read()

    async def start(self, view: View) -> None:
        """Post /start, and ignore the answer."""
        await self._post_event("start", view)

    async def choose(self, view: View) -> ChosenMove:
        """Return the move in the answer to /move. Raises FaultError if the engine would reject it."""
        try:
            async with self._session.post(webhook_url(self._url, "move"), data=self._body(view)) as response:
                content = await response.read()
        except TimeoutError as error:
            raise FaultError("late", f"no answer within {self._timeout} ms") from error
        except aiohttp.ClientError as error:
            raise FaultError("crashed", f"{type(error).__name__}: {error}") from error
        if response.status != 200:
            raise FaultError("refused", f"HTTP status {response.status}")
        return ChosenMove(_move_in(content))

    async def outlive(self, view: View) -> None:
        """Post a last /move, as the official engine does, and ignore the answer."""
        await self._post_event("move", view)

    async def end(self, view: View) -> None:
        """Post /end, and ignore the answer."""
        await self._post_event("end", view, view.you.latency)

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()

    async def _post_event(self, verb: str, view: View, latency: int | None = 0) -> None:
        with suppress(TimeoutError, aiohttp.ClientError):
            url, body = webhook_url(self._url, verb), self._body(view, latency)
            async with self._session.post(url, data=body) as response:
                await response.read()

    def _body(self, view: View, latency: int | None = 0) -> bytes:
        """Return a body. Only in the /end, the official engine writes the latency of `you`."""
        you = replace(view.you, latency=latency)
        body = request_body(Form.OFFICIAL, replace(view, you=you), self._timeout)
        return msgspec.json.encode(body)


def _reason_against(status: int, content: bytes) -> str | None:
    """Return why an answer to GET is not the answer of a Battlesnake, or None if it may be one.

    As for the official engine, neither the status nor the values of the fields matter.
    """
    try:
        _as_in_go(content, _Description)
    except msgspec.ValidationError as error:
        return f"the answer to GET is no description of a Battlesnake: {error}"
    except (ValueError, RecursionError):
        if status != 200:
            return f"GET is answered with HTTP status {status}"
        return (
            "GET is answered with HTTP status 200, but without a JSON object, so this is no Battlesnake. "
            "The console of a gateway has another port than its snakes"
        )
    return None


NOT_HTTP = "the port does not speak HTTP: the target of a searcher is written without http://"


def reason_of(error: Exception) -> str:
    """Return why a request has no answer, in words where there are some."""
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "the name has no address"
    if isinstance(error, aiohttp.ClientConnectorSSLError):
        return "the TLS handshake failed: for a port without TLS write http://"
    if isinstance(error, aiohttp.ClientResponseError) and "status line" in error.message:
        return NOT_HTTP
    # Numbers below 0 belong to name resolution, and `strerror` does not know them.
    if isinstance(error, OSError) and error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return str(error) or type(error).__name__


def _move_in(content: bytes) -> Direction:
    """Return the move in an answer."""
    try:
        word = _as_in_go(content, _Answer).move
    except (ValueError, RecursionError) as error:
        raise FaultError("invalid", f"malformed answer: {error}") from error
    if not word.islower() or word.upper() not in Direction.__members__:
        raise FaultError("invalid", f"move {word!r}")
    return Direction[word.upper()]


def _as_in_go(content: bytes, kind: type[_Read]) -> _Read:
    """Return JSON as Go's decoder, and so the official engine, reads it. Raises ValueError or RecursionError.

    Keys have any case. Null leaves the field as it is. Broken characters are replaced.
    """
    fields = json.loads(
        content.decode(errors="replace"), object_pairs_hook=_fields, parse_constant=_no_number
    )
    if not isinstance(fields, dict):
        raise ValueError("no JSON object")
    return msgspec.convert(fields, kind)


def _fields(pairs: list[tuple[str, Any]]) -> Json:
    return {key.lower(): value for key, value in pairs if value is not None}


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


_PLAIN = "$&+,/:;=@"
"""The characters besides letters, digits and -_.~ that Go does not escape in a path."""

_ESCAPED = re.compile(r"([\w!$&'()*+,/:;=@.~\[\]-]|%[0-9a-f]{2})*", re.ASCII | re.IGNORECASE)
"""A path that Go sends as written."""

_BROKEN = re.compile(r"%(?![0-9a-f]{2})|[\0-\x1f\x7f]", re.IGNORECASE)


def is_accepted(url: str) -> bool:
    """Return whether the official command line accepts a URL with a host.

    It refuses a path in which a percent sign is not followed by two hexadecimal digits.
    """
    return not _BROKEN.search(url.partition("?")[0])


def index_url(url: str) -> URL:
    """Return the URL at which a snake describes itself: the path as written, with `#` as a part of it."""
    path = _path(url) or "/"
    return _with_path(url, path if _ESCAPED.fullmatch(path) else _escaped(unquote_to_bytes(path)))


def webhook_url(url: str, webhook: str) -> URL:
    """Return the URL of a webhook: start, move or end.

    The decoded path has the webhook's name after it. `%2F` separates folders, and `//`, `.` and `..` are
    resolved.
    """
    path = b"/".join([unquote_to_bytes(_path(url)).lstrip(b"/"), webhook.encode()])
    return _with_path(url, _escaped(normpath(b"/" + path.lstrip(b"/"))))


def _path(url: str) -> str:
    return urlsplit(url.partition("?")[0].replace("#", "%23")).path


def _escaped(path: bytes) -> str:
    return quote(path, safe=_PLAIN)


def _with_path(url: str, path: str) -> URL:
    query = url.partition("?")[2].partition("#")[0]
    parts = urlsplit(url)
    base = URL(f"{parts.scheme}://{parts.netloc}").with_path(path, encoded=True)
    return URL(f"{base}?{quote(query, safe=punctuation)}", encoded=True) if query else base
