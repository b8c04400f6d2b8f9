"""The experiments as JSON: GET /api/experiments, and /api/experiments/NAME."""

import msgspec
from aiohttp import web

from gateway.experiments.page import NoReportError, report_of


class _Named(msgspec.Struct):
    """An experiment of which only the name is decoded."""

    name: str


class _Report(msgspec.Struct):
    """The report, whose experiments are decoded only as far as needed."""

    experiments: list[msgspec.Raw]


_report = msgspec.json.Decoder(_Report)
_named = msgspec.json.Decoder(_Named)


async def experiments(request: web.Request) -> web.Response:
    """Answer with all experiments, as `python -m gateway experiments --json` prints them."""
    try:
        return _json(await report_of(request.app, "json"))
    except NoReportError as error:
        return error.response()


async def experiment(request: web.Request) -> web.Response:
    """Answer with the experiment of this name."""
    name = request.match_info["name"]
    try:
        report = _report.decode(await report_of(request.app, "json"))
        return _json(_experiment(report, name))
    except NoReportError as error:
        return error.response()


HANDLERS = (web.get("/api/experiments", experiments), web.get("/api/experiments/{name}", experiment))


def _experiment(report: _Report, name: str) -> msgspec.Raw:
    found = next((one for one in report.experiments if _named.decode(one).name == name), None)
    if found is None:
        raise NoReportError(404, f"there is no experiment {name}")
    return found


def _json(body: bytes | msgspec.Raw) -> web.Response:
    return web.Response(body=bytes(body), content_type="application/json", charset="utf-8")
