"""The output of `python -m console experiments --json` over HTTP: GET /experiments and /api/experiments."""

import asyncio

from aiohttp import web

from battlesnake_search.common.logs import get_logger
from console.experiments.report import Experiment, report
from console.store.database import in_a_line
from console.web.games import DATABASE
from console.web.replies import RefusedError, json_reply

log = get_logger(__name__)

REPORTING = web.AppKey("reporting", asyncio.Lock)
"""A report reads a whole table, so only one runs at a time."""


async def experiments(request: web.Request) -> web.Response:
    """Answer with all experiments, or with the experiment that the path names."""
    found, name = await _report_of(request.app), request.match_info.get("name")
    if name is None:
        return json_reply({"experiments": found})
    for each in found:
        if each.name == name:
            return json_reply(each)
    raise RefusedError(404, f"there is no experiment {name}")


HANDLERS = (
    web.get("/experiments", experiments),
    web.get("/api/experiments", experiments),
    web.get("/api/experiments/{name}", experiments),
)


async def _report_of(app: web.Application) -> list[Experiment]:
    """Return the report of an application's database. Raises RefusedError."""
    database = app[DATABASE]
    if not database.url:
        raise RefusedError(404, f"no outcomes are recorded: {database.reason}")
    async with app[REPORTING]:
        try:
            # The thread has a loop of its own, because the decoding of rows takes time, too.
            return await asyncio.to_thread(lambda: asyncio.run(report(database.url)))
        except Exception as error:
            # SQLAlchemy, its drivers and the network share no base exception.
            log.warning("experiments report failed", reason=in_a_line(error))
            raise RefusedError(503, "the database can't be read") from error
