"""GET /experiments: the report over HTTP, computed aside from the event loop."""

import asyncio

import msgspec
import structlog
from aiohttp import web

from gateway.outcomes.target import install_hint

log = structlog.get_logger(__name__)

OUTCOMES = web.AppKey("outcomes", str)
"""The SQLAlchemy URL of the database; empty: there is none."""

_FORMATS = {"json": "application/json", "csv": "text/csv"}

READING = web.AppKey("reading", asyncio.Lock)
"""A report reads a whole table: one at a time."""


async def experiments(request: web.Request) -> web.Response:
    """Each experiment with its arms, as JSON or, with ?format=csv, as CSV."""
    form = request.query.get("format", "json")
    if form not in _FORMATS:
        return _error(400, f"format must be one of {', '.join(_FORMATS)}: not {form}")
    if not request.app[OUTCOMES]:
        return _error(404, "no outcomes are recorded")
    try:
        async with request.app[READING]:
            body = await asyncio.to_thread(_report, request.app[OUTCOMES], form)
    except ImportError as error:
        return _error(501, f"{error}: {install_hint('experiments')}")
    except Exception as error:
        # SQLAlchemy, its drivers and the network have no error in common.
        log.warning("no report of experiments", reason=f"{type(error).__name__}: {error}".partition("\n")[0])
        return _error(503, "the database can't be read")
    return web.Response(body=body, content_type=_FORMATS[form], charset="utf-8")


ROUTES = (web.get("/experiments", experiments),)


def _report(url: str, form: str) -> bytes:
    # Imported by whoever asks first: it takes a second that no start of a gateway should wait for.
    from gateway.experiments import export, report

    found = asyncio.run(report.report(url))
    return export.as_json(found) if form == "json" else export.as_csv(found).encode()


def _error(status: int, reason: str) -> web.Response:
    body = msgspec.json.encode({"error": reason})
    return web.Response(body=body, status=status, content_type="application/json")
