"""The output of `python -m console experiments --json` over HTTP: GET /experiments and /api/experiments."""

import asyncio

import msgspec
from aiohttp import web

from battlesnake_search.common.logs import get_logger
from console.experiments.report import Experiment, report
from console.store.database import OutcomesDatabase, in_a_line

log = get_logger(__name__)

DATABASE = web.AppKey("database", OutcomesDatabase)

REPORTING = web.AppKey("reporting", asyncio.Lock)
"""A report reads a whole table, so only one runs at a time."""


class NoReportError(Exception):
    """A missing report, with the HTTP status and the reason for the client."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status

    def response(self) -> web.Response:
        """Return the answer to the client."""
        body = msgspec.json.encode({"error": str(self)})
        return web.Response(body=body, status=self.status, content_type="application/json")


async def experiments(request: web.Request) -> web.Response:
    """Answer with all experiments, or with the experiment that the path names."""
    try:
        found = await _report_of(request.app)
        name = request.match_info.get("name")
        body = msgspec.json.encode(_named(found, name) if name else {"experiments": found})
    except NoReportError as error:
        return error.response()
    return web.Response(body=body, content_type="application/json", charset="utf-8")


HANDLERS = (web.get("/experiments", experiments),)

API_HANDLERS = (
    web.get("/api/experiments", experiments),
    web.get("/api/experiments/{name}", experiments),
)
"""The handlers that only the admin port has."""


async def _report_of(app: web.Application) -> list[Experiment]:
    """Return the report of an application's database. Raises NoReportError."""
    database = app[DATABASE]
    if not database.url:
        raise NoReportError(404, f"no outcomes are recorded: {database.reason}")
    async with app[REPORTING]:
        try:
            # The thread has a loop of its own, because the decoding of rows takes time, too.
            return await asyncio.to_thread(lambda: asyncio.run(report(database.url)))
        except Exception as error:
            # SQLAlchemy, its drivers and the network share no base exception.
            log.warning("experiments report failed", reason=in_a_line(error))
            raise NoReportError(503, "the database can't be read") from error


def _named(found: list[Experiment], name: str) -> Experiment:
    """Return the experiment of this name in a report."""
    if named := [each for each in found if each.name == name]:
        return named[0]
    raise NoReportError(404, f"there is no experiment {name}")
