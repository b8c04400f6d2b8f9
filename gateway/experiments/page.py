"""The output of `python -m gateway experiments` over HTTP: GET /experiments, and as JSON /api/experiments."""

import asyncio
import os
import subprocess
import sys
from contextlib import suppress
from typing import Any

import msgspec
from aiohttp import hdrs, web

from battlesnake_search.common.logs import get_logger
from gateway.ports.headers import page_headers, prefers_html
from gateway.store.database import MissingExtraError, OutcomesDatabase, require

log = get_logger(__name__)

DATABASE = web.AppKey("database", OutcomesDatabase)

REPORTING = web.AppKey("reporting", asyncio.Lock)
"""A report reads a whole table, so only one runs at a time."""

BACK = web.AppKey("back", str)
"""The page from which browsers come to the report, if there is one."""

_FORMATS = {"json": "application/json", "csv": "text/csv", "html": "text/html"}

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


async def report_of(app: web.Application, form: str) -> bytes:
    """Return the report of an application's database in a format. Raises NoReportError."""
    database = app[DATABASE]
    if not database.url:
        raise NoReportError(404, f"no outcomes are recorded: {database.reason}")
    try:
        require("experiments")
    except MissingExtraError as error:
        raise NoReportError(501, str(error)) from error
    async with app[REPORTING]:
        body = await _report(database, form)
    if body is None:
        raise NoReportError(503, "the database can't be read")
    return body


async def experiments(request: web.Request) -> web.Response:
    """Answer with the report in the format ?format=. The default is a page for browsers, JSON for others."""
    is_browser = prefers_html(request.headers.get(hdrs.ACCEPT, ""))
    form = request.query.get("format", "html" if is_browser else "json")
    if form not in _FORMATS:
        return NoReportError(400, f"format must be one of {', '.join(_FORMATS)}: not {form}").response()
    return await _answer(request, form)


async def experiments_json(request: web.Request) -> web.Response:
    """Answer with all experiments, or with the experiment that the path names."""
    return await _answer(request, "json")


HANDLERS = (web.get("/experiments", experiments),)

API_HANDLERS = (
    web.get("/api/experiments", experiments_json),
    web.get("/api/experiments/{name}", experiments_json),
)
"""The handlers that only the admin port has."""


async def _answer(request: web.Request, form: str) -> web.Response:
    try:
        body = await report_of(request.app, form)
        if name := request.match_info.get("name"):
            body = _experiment(body, name)
    except NoReportError as error:
        return error.response()
    headers = page_headers(body) if form == "html" else {}
    if form == "html" and (back := request.app.get(BACK)):
        body = body.replace(b"<body>", f'<body>\n<p><a href="{back}">Back to Experiments</a></p>'.encode(), 1)
    return web.Response(body=body, content_type=_FORMATS[form], charset="utf-8", headers=headers)


def _experiment(report: bytes, name: str) -> bytes:
    """Return the experiment of this name in a JSON report."""
    experiments: list[dict[str, Any]] = msgspec.json.decode(report)["experiments"]
    found = next((one for one in experiments if one["name"] == name), None)
    if found is None:
        raise NoReportError(404, f"there is no experiment {name}")
    return msgspec.json.encode(found)


async def _report(database: OutcomesDatabase, form: str) -> bytes | None:
    """Return the output of the command; log and return None if it fails.

    The report has its own process, because a computing thread would delay moves for tenths of a second.
    """
    # The loop's own processes are forks, and gRPC's threads may keep a fork from executing its program.
    process = subprocess.Popen(
        [sys.executable, "-m", "gateway", "experiments", f"--{form}"],
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
