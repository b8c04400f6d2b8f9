"""A player that calls a Battlesnake at a URL, with the requests of the official engine."""

import os
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import msgspec

from arena.players.bodies import Form, Reported, Scene, request_body
from arena.players.player import CHECK_SECONDS, ChosenMove, FaultError, Player, View
from arena.records import MoveLimits
from searcher.engine.position import Direction

_CONTENT = {"Content-Type": "application/json"}


class _Answer(msgspec.Struct):
    move: str
    shout: str | None = None


_encode = msgspec.json.encode
_decode = msgspec.json.Decoder(dict[str, Any]).decode


class UrlPlayer(Player):
    """Posts /start, /move and /end. Create it in the event loop that uses it."""

    remote = True

    def __init__(self, url: str, name: str, limits: MoveLimits) -> None:
        assert limits.milliseconds is not None
        self._url = urlsplit(url)
        self._name = name
        self._timeout = limits.milliseconds
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=self._timeout / 1000), headers=_CONTENT
        )

    async def check_reachable(self) -> None:
        """Get the description of the snake, as the official engine does before a game.

        Raises ConnectionError, with the reason, unless the answer is a JSON object with status 200.
        """
        url, patience = self._url.geturl(), aiohttp.ClientTimeout(total=CHECK_SECONDS)
        try:
            async with self._session.get(url, timeout=patience) as response:
                reason = _reason_against(response.status, await response.read())
        except TimeoutError:
            reason = f"no answer within {CHECK_SECONDS:g} s"
        except aiohttp.ClientError as error:
            reason = reason_of(error)
        if reason:
            raise ConnectionError(f"no snake can be reached at {url}: {reason}")

    async def start(self, view: View) -> None:
        """Post /start, and ignore the answer."""
        await self._post_event("start", view)

    async def choose(self, view: View) -> ChosenMove:
        """Return the move in the answer to /move. Raises FaultError if the engine would reject it."""
        try:
            async with self._session.post(self._at("move"), data=self._body(view)) as response:
                content = await response.read()
        except TimeoutError as error:
            raise FaultError("late", f"no answer within {self._timeout} ms") from error
        except aiohttp.ClientError as error:
            raise FaultError("crashed", f"{type(error).__name__}: {error}") from error
        if response.status != 200:
            raise FaultError("refused", f"HTTP status {response.status}")
        return ChosenMove(_move_in(content))

    async def end(self, view: View) -> None:
        """Post /end, and ignore the answer."""
        await self._post_event("end", view)

    async def close(self) -> None:
        """Close the connections."""
        await self._session.close()

    async def _post_event(self, verb: str, view: View) -> None:
        with suppress(TimeoutError, aiohttp.ClientError):
            async with self._session.post(self._at(verb), data=self._body(view)) as response:
                await response.read()

    def _at(self, verb: str) -> str:
        """Return the URL of a webhook. As in the official engine, the snake's path and query are kept."""
        return self._url._replace(path=f"{self._url.path.rstrip('/')}/{verb}").geturl()

    def _body(self, view: View) -> bytes:
        position = view.position
        reported = zip(position.snakes, view.names, view.latencies, strict=True)
        scene = Scene(
            game_id=view.game_id,
            rules=view.rules,
            timeout=self._timeout,
            turn=position.turn,
            snakes=tuple(Reported(snake, name, latency) for snake, name, latency in reported),
            food=position.food,
            hazards=position.hazards,
        )
        return _encode(request_body(Form.OFFICIAL, scene, Reported(view.you, self._name)))


def _reason_against(status: int, content: bytes) -> str | None:
    """Return why an answer to GET is not the answer of a Battlesnake, or None if it may be one.

    Snakes without the field `apiversion` play as well, so any JSON object will do.
    """
    if status != 200:
        return f"GET is answered with HTTP status {status}"
    try:
        _decode(content)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
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
    """Return the move in an answer. Go's decoder, and so the official engine, ignores the case of keys."""
    try:
        fields = {key.lower(): value for key, value in _decode(content).items()}
        word = msgspec.convert(fields, _Answer).move
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FaultError("invalid", str(error)) from error
    if not word.islower() or word.upper() not in Direction.__members__:
        raise FaultError("invalid", f"move {word!r}")
    return Direction[word.upper()]
