"""The metrics of the embedded searcher, which it serves on a Unix socket."""

from pathlib import Path

import aiohttp
import structlog
from aiohttp import hdrs

log = structlog.get_logger(__name__)

_PATIENCE = aiohttp.ClientTimeout(1.0)


async def read_metrics(socket: Path, accept: str) -> bytes:
    """Return the metrics in the format that a reader accepts; nothing if the searcher does not answer."""
    try:
        async with (
            aiohttp.ClientSession(connector=aiohttp.UnixConnector(str(socket)), timeout=_PATIENCE) as session,
            session.get("http://searcher/metrics", headers={hdrs.ACCEPT: accept}) as answer,
        ):
            return await answer.read()
    except (aiohttp.ClientError, TimeoutError) as error:
        log.debug("the embedded searcher's metrics are not read", reason=repr(error))
        return b""
