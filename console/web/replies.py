"""Requests and answers of the API."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from functools import lru_cache
from html import escape
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

import grpc
import grpc.aio
import msgspec
from aiohttp import hdrs, web
from aiohttp.typedefs import Middleware

from battlesnake_search.ports.headers import HTML, JSON, accepts_gzip, prefers_html
from battlesnake_search.reader import BadBody
from battlesnake_search.searcher_client import reason_of
from console.store.feed import read_event, server_event

_MISSING = re.compile(r"missing required field `(\w+)`")
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_Posted = TypeVar("_Posted")
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

WRITE_TIMEOUT = 10.0
"""The most seconds that a reader may take for an event."""

PUBLIC = web.AppKey("is public", bool)
"""A key of the application of the public port. Its answers leave out how our snakes are made."""

_WITH_PAGE = {404: "Not found", 405: "Not allowed"}
"""The statuses for which browsers get a page, with its title."""

_STATUSES = {
    grpc.StatusCode.INVALID_ARGUMENT: HTTPStatus.BAD_REQUEST,
    grpc.StatusCode.RESOURCE_EXHAUSTED: HTTPStatus.SERVICE_UNAVAILABLE,
    grpc.StatusCode.UNAVAILABLE: HTTPStatus.SERVICE_UNAVAILABLE,
    grpc.StatusCode.UNIMPLEMENTED: HTTPStatus.NOT_IMPLEMENTED,
}
"""The statuses for errors of a searcher."""

_HIDDEN = {"strategy": "", "experiment": "", "arm": "", "error": "The console has an error."}
"""The fields that the public port does not show, with their replacements."""


def json_reply(body: object, status: int = 200) -> web.Response:
    """Return an answer as JSON."""
    return web.Response(body=msgspec.json.encode(body), status=status, content_type=JSON)


def compress(request: web.Request, response: web.Response) -> web.Response:
    """Let gzip compress an answer for a client that accepts gzip. A thread compresses a large answer."""
    response.headers[hdrs.VARY] = hdrs.ACCEPT_ENCODING
    if accepts_gzip(request.headers.get(hdrs.ACCEPT_ENCODING, "")):
        response.enable_compression(web.ContentCoding.gzip)
    return response


def shown(request: web.Request, body: object) -> object:
    """Return a body as the port shows it: the public port leaves out the names of strategies and arms."""
    return _without_names(msgspec.to_builtins(body)) if PUBLIC in request.app else body


def _without_names(value: object) -> object:
    if isinstance(value, dict):
        return {
            name: _HIDDEN.get(name) if name in _HIDDEN else _without_names(each)
            for name, each in value.items()
        }
    return [_without_names(each) for each in value] if isinstance(value, list) else value


@lru_cache(maxsize=64)
def _public_event(event: bytes) -> bytes:
    """Return an event without the names of strategies and arms. Readers of the same event share the work."""
    name, data = read_event(event)
    return server_event(name, _without_names(msgspec.json.decode(data))) if name else event


def whole_number(text: str) -> int | None:
    """Return the number in a query; None unless it has one to nine digits."""
    return int(text) if _NUMBER.fullmatch(text) else None


def error_reply(status: int, reason: str) -> web.Response:
    """Return an error with its reason."""
    return json_reply({"error": reason}, status)


class RefusedError(Exception):
    """A refused request, with the status and the reason of the answer."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


def decode_posted(type_: type[_Posted], body: bytes) -> _Posted:
    """Parse a body that the console posts. Raises BadBody that names the invalid field."""
    try:
        return msgspec.json.decode(body, type=type_)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        names = [path.rstrip("`"), *_MISSING.findall(reason)]
        raise BadBody(reason, ".".join(filter(None, names))) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadBody(f"not JSON: {error}", "") from error


async def send_events(request: web.Request, events: AsyncGenerator[bytes]) -> web.StreamResponse:
    """Send events until they end, the reader disconnects or it is too slow. Then close the events."""
    headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-store"}
    if request.method == hdrs.METH_HEAD:
        # A stream would have a body, which the caller would take for the next answer.
        await events.aclose()
        return web.Response(headers=headers)
    response = web.StreamResponse(headers=headers)
    await response.prepare(request)
    try:
        async with aclosing(events):
            async for event in events:
                async with asyncio.timeout(WRITE_TIMEOUT):
                    await response.write(_public_event(event) if PUBLIC in request.app else event)
    except (TimeoutError, ConnectionResetError):
        # After a disconnection, further events would only wait in memory.
        if request.transport:
            request.transport.abort()
    return response


def readable_errors(page: Path) -> Middleware:
    """Return the middleware that gives each error a reason, as JSON or on this page.

    It answers RefusedError, BadBody and errors of searchers. Browsers get the page for an unknown address or
    a wrong method outside of the API. Register the middleware first, because it also sees the refusals of the
    others.
    """

    @web.middleware
    async def answer(request: web.Request, handler: _Handler) -> web.StreamResponse:
        try:
            response = await handler(request)
        except RefusedError as error:
            response = error_reply(error.status, str(error))
        except BadBody as error:
            response = json_reply({"error": error.reason, "field": error.field}, HTTPStatus.BAD_REQUEST)
        except grpc.aio.AioRpcError as error:
            response = error_reply(_STATUSES.get(error.code(), HTTPStatus.BAD_GATEWAY), words_of(error))
        if response.status < HTTPStatus.BAD_REQUEST or not isinstance(response, web.Response):
            return response
        if response.content_type != JSON:
            # The answer of aiohttp. Its other headers stay.
            response.body = msgspec.json.encode({"error": _reason(request, response)})
            response.headers[hdrs.CONTENT_TYPE] = JSON
        is_api = request.path.startswith("/api/") or not prefers_html(request.headers.get(hdrs.ACCEPT, ""))
        if not is_api and response.status in _WITH_PAGE:
            reason = msgspec.json.decode(response.text or "{}", type=dict[str, str]).get("error", "")
            text = page.read_text(encoding="utf-8").replace("{title}", _WITH_PAGE[response.status])
            response.body = text.replace("{reason}", escape(reason)).encode()
            response.headers[hdrs.CONTENT_TYPE] = f"{HTML}; charset=utf-8"
        return response

    return answer


def words_of(error: grpc.aio.AioRpcError) -> str:
    """Return the reason of a searcher's error."""
    return reason_of(error) or error.code().name


def _reason(request: web.Request, refusal: web.Response) -> str:
    """Return the reason of a refusal by aiohttp."""
    if refusal.status == HTTPStatus.NOT_FOUND:
        return f"There is nothing at {request.path}."
    if refusal.status == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = refusal.headers[hdrs.ALLOW].replace(",", ", ")
        return f"{request.path} allows {allowed}, not {request.method}."
    return refusal.text or ""
