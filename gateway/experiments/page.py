"""GET /experiments: what `python -m gateway experiments` says, over HTTP."""

import asyncio
import os
import sys
from contextlib import suppress

import msgspec
import structlog
from aiohttp import hdrs, web

from gateway.outcomes.target import MissingExtraError, Target, require

log = structlog.get_logger(__name__)

OUTCOMES = web.AppKey("outcomes", Target)

READING = web.AppKey("reading", asyncio.Lock)
"""A report reads a whole table: one at a time."""

_FORMATS = {"json": "application/json", "csv": "text/csv", "html": "text/html"}

_NICENESS = 10


async def experiments(request: web.Request) -> web.Response:
    """Each experiment with its arms: ?format= says how; by default a page for browsers, JSON for the rest."""
    browses = _FORMATS["html"] in request.headers.get(hdrs.ACCEPT, "")
    form = request.query.get("format", "html" if browses else "json")
    if form not in _FORMATS:
        return _error(400, f"format must be one of {', '.join(_FORMATS)}: not {form}")
    outcomes = request.app[OUTCOMES]
    if not outcomes.url:
        return _error(404, f"no outcomes are recorded: {outcomes.reason}")
    try:
        require("experiments")
    except MissingExtraError as error:
        return _error(501, str(error))
    async with request.app[READING]:
        body = await _report(outcomes, form)
    if body is None:
        return _error(503, "the database can't be read")
    return web.Response(body=body, content_type=_FORMATS[form], charset="utf-8")


ROUTES = (web.get("/experiments", experiments),)


async def _report(outcomes: Target, form: str) -> bytes | None:
    """What the command prints; None if it fails, which is logged.

    A process of its own: a thread that computes would hold up moves for tenths of a second.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "gateway", "experiments", f"--{form}"),
        # Not among the arguments, which others can read: it may hold a password.
        env=os.environ | {"OUTCOMES_URL": outcomes.text},
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
        log.warning("no report of experiments", reason=error.decode().strip())
        return None
    return output


def _error(status: int, reason: str) -> web.Response:
    body = msgspec.json.encode({"error": reason})
    return web.Response(body=body, status=status, content_type="application/json")
