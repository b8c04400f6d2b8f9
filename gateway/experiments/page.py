"""GET /experiments: the output of `python -m gateway experiments`, over HTTP."""

import asyncio
import os
import sys
from contextlib import suppress

import msgspec
import structlog
from aiohttp import hdrs, web

from gateway.outcomes.database import MissingExtraError, OutcomesDatabase, require

log = structlog.get_logger(__name__)

DATABASE = web.AppKey("database", OutcomesDatabase)

REPORTING = web.AppKey("reporting", asyncio.Lock)
"""A report reads a whole table, so only one runs at a time."""

_FORMATS = {"json": "application/json", "csv": "text/csv", "html": "text/html"}

_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'"}
"""The page has its styles in itself, and nothing else."""

_NICENESS = 10
"""The low priority of a report's process."""


async def experiments(request: web.Request) -> web.Response:
    """Answer with the report in the format of ?format=; by default a page for browsers, else JSON."""
    is_browser = _FORMATS["html"] in request.headers.get(hdrs.ACCEPT, "")
    form = request.query.get("format", "html" if is_browser else "json")
    if form not in _FORMATS:
        return _error(400, f"format must be one of {', '.join(_FORMATS)}: not {form}")
    database = request.app[DATABASE]
    if not database.url:
        return _error(404, f"no outcomes are recorded: {database.reason}")
    try:
        require("experiments")
    except MissingExtraError as error:
        return _error(501, str(error))
    async with request.app[REPORTING]:
        body = await _report(database, form)
    if body is None:
        return _error(503, "the database can't be read")
    return web.Response(body=body, content_type=_FORMATS[form], charset="utf-8", headers=_HEADERS)


HANDLERS = (web.get("/experiments", experiments),)


async def _report(database: OutcomesDatabase, form: str) -> bytes | None:
    """Return what the command prints; log and return None if it fails.

    The report has its own process: a computing thread would delay moves for tenths of a second.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gateway", "experiments", f"--{form}"),
        # The URL may hold a password; others can read arguments but not the environment.
        env=os.environ | {"OUTCOMES_URL": database.text},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
        output, error = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode:
        log.warning("experiments report failed", reason=error.decode().strip())
        return None
    return output


def _error(status: int, reason: str) -> web.Response:
    body = msgspec.json.encode({"error": reason})
    return web.Response(body=body, status=status, content_type="application/json")
