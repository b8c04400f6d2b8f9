"""GET /experiments without a report."""

import asyncio
from typing import Any

import pytest
from aiohttp.test_utils import TestClient, TestServer

from gateway import app
from gateway.settings import Settings
from gateway.store import database
from gateway.store.database import NO_DATABASE, OutcomesDatabase, read_database
from tests.gateway.conftest import Recorded
from tests.gateway.store.outcome_samples import OUTCOME

NOBODY = "127.0.0.1:1"


async def _ask(outcomes: OutcomesDatabase, **query: str) -> tuple[int, Any]:
    async with (
        TestClient(
            TestServer(app.build(Settings(searcher=NOBODY, outcomes=outcomes, public_metrics=True)))
        ) as client,
        client.get("/experiments", params=query) as answer,
    ):
        return answer.status, await answer.json()


async def test_without_a_database_the_page_is_not_found() -> None:
    """A gateway that records nothing answers 404 with the reason."""
    assert await _ask(NO_DATABASE) == (404, {"error": "no outcomes are recorded: --outcomes is none"})


async def test_without_its_packages_there_is_no_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer says what is missing, and how to install it."""
    missing = {**database._REQUIRED, "experiments": ("no_such_package",)}
    monkeypatch.setattr(database, "_REQUIRED", missing)
    status, answer = await _ask(read_database("postgresql://127.0.0.1:1/games"))
    assert status == 501
    assert answer["error"].startswith("no_such_package not installed: run pip install 'battlesnake-search[")


async def test_an_unknown_format_is_refused() -> None:
    """An unknown format is answered with 400 and the valid formats."""
    status, answer = await _ask(NO_DATABASE, format="xml")
    assert status == 400 and "json, csv, html" in answer["error"] and "xml" in answer["error"]


async def test_a_lost_database_is_unavailable() -> None:
    """An unreachable database is answered with 503, without its address."""
    status, answer = await _ask(read_database("postgresql://me:secret@127.0.0.1:1/games"))
    assert (status, answer) == (503, {"error": "the database can't be read"})


@pytest.mark.parametrize(
    ("accept", "query", "kind"),
    [
        ("text/html,*/*;q=0.8", {}, "text/html"),
        ("*/*", {}, "application/json"),
        ("text/html", {"format": "csv"}, "text/csv"),
        ("*/*", {"format": "html"}, "text/html"),
    ],
)
async def test_browsers_get_a_page_and_programs_json(
    recorded: Recorded, accept: str, query: dict[str, str], kind: str
) -> None:
    """Unless the request names a format. Only a page has a style sheet, which its headers allow."""
    file = (await asyncio.to_thread(recorded, [OUTCOME])).removeprefix("sqlite+aiosqlite:///")
    built = app.build(Settings(searcher=NOBODY, outcomes=read_database(file), public_metrics=True))
    async with (
        TestClient(TestServer(built)) as client,
        client.get("/experiments", params=query, headers={"Accept": accept}) as answer,
    ):
        assert (answer.status, answer.content_type, answer.charset) == (200, kind, "utf-8")
        policy = answer.headers["Content-Security-Policy"]
        assert ("style-src 'sha256-" in policy) == (kind == "text/html")
