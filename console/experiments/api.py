"""The output of `python -m gateway experiments --json` over HTTP: GET /experiments and /api/experiments."""

import asyncio
import os
import subprocess
import sys
from contextlib import suppress

import msgspec
from aiohttp import web

from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.types import Json
from console.store.database import MissingExtraError, OutcomesDatabase, require

log = get_logger(__name__)

DATABASE = web.AppKey("database", OutcomesDatabase)

REPORTING = web.AppKey("reporting", asyncio.Lock)
"""A report reads a whole table, so only one runs at a time."""

_NICENESS = 10
"""The low priority of a report's process."""


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
        body = await _report_of(request.app)
        if name := request.match_info.get("name"):
            body = _experiment(body, name)
    except NoReportError as error:
        return error.response()
    return web.Response(body=body, content_type="application/json", charset="utf-8")


HANDLERS = (web.get("/experiments", experiments),)

API_HANDLERS = (
    web.get("/api/experiments", experiments),
    web.get("/api/experiments/{name}", experiments),
)
"""The handlers that only the admin port has."""


async def _report_of(app: web.Application) -> bytes:
    """Return the report of an application's database. Raises NoReportError."""
    database = app[DATABASE]
    if not database.url:
        raise NoReportError(404, f"no outcomes are recorded: {database.reason}")
    try:
        require("experiments")
    except MissingExtraError as error:
        raise NoReportError(501, str(error)) from error
    async with app[REPORTING]:
        body = await _report(database)
    if body is None:
        raise NoReportError(503, "the database can't be read")
    return body


def _experiment(report: bytes, name: str) -> bytes:
    """Return the experiment of this name in a report."""
    experiments: list[Json] = msgspec.json.decode(report)["experiments"]
    found = next((one for one in experiments if one["name"] == name), None)
    if found is None:
        raise NoReportError(404, f"there is no experiment {name}")
    return msgspec.json.encode(found)


async def _report(database: OutcomesDatabase) -> bytes | None:
    """Return the output of the command; log and return None if it fails.

    The report has its own process, because a computing thread would delay moves for tenths of a second.
    """
    # The loop's own processes are forks, and gRPC's threads may keep a fork from executing its program.
    process = subprocess.Popen(
        [sys.executable, "-m", "gateway", "experiments", "--json"],
        # The URL may hold a password. Other users can read arguments but not the environment.
        env=os.environ | {"OUTCOMES_URL": database.text},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        with suppress(ProcessLookupError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
        output, error = await asyncio.to_thread(process.communicate)
    finally:
        # The thread then ends, too.
        process.kill()
    if process.returncode:
        log.warning("experiments report failed", reason=error.decode().strip())
        return None
    return output
