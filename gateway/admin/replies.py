"""Answers of the API."""

import msgspec
from aiohttp import web


def json_reply(body: object, status: int = 200) -> web.Response:
    """Return an answer as JSON."""
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json")


def error_reply(status: int, reason: str) -> web.Response:
    """Return an error with its reason."""
    return json_reply({"error": reason}, status)
