"""Answers that are server-sent events."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from aiohttp import web

_WRITE_TIMEOUT = 10.0
"""Seconds in which a reader must take an event."""


async def send_events(request: web.Request, events: AsyncGenerator[bytes]) -> web.StreamResponse:
    """Answer with events until they end, or until the reader is gone or too slow, and close them."""
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
    await response.prepare(request)
    try:
        async with aclosing(events):
            async for event in events:
                async with asyncio.timeout(_WRITE_TIMEOUT):
                    await response.write(event)
    except (TimeoutError, ConnectionResetError):
        # What the reader has not taken would only wait in memory.
        if request.transport:
            request.transport.abort()
    return response
