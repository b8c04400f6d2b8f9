"""Requests and answers of the API."""

import re
from typing import TypeVar

import msgspec
from aiohttp import web

from battlesnake_search.reader import BadBody

_MISSING = re.compile(r"missing required field `(\w+)`")
_Posted = TypeVar("_Posted")


def json_reply(body: object, status: int = 200) -> web.Response:
    """Return an answer as JSON."""
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json")


def error_reply(status: int, reason: str) -> web.Response:
    """Return an error with its reason."""
    return json_reply({"error": reason}, status)


def decode_posted(decoder: msgspec.json.Decoder[_Posted], body: bytes) -> _Posted:
    """Parse what the console posts. Raises BadBody, which names the invalid field."""
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        reason, _, path = str(error).partition(" - at `$.")
        names = [path.rstrip("`"), *_MISSING.findall(reason)]
        raise BadBody(reason, ".".join(filter(None, names))) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadBody(f"not JSON: {error}", "") from error
