"""GET /experiments without a report."""

from typing import Any

from aiohttp.test_utils import TestClient, TestServer

from gateway import app
from gateway.outcomes.database import NO_DATABASE, OutcomesDatabase, read_database

NOBODY = "127.0.0.1:1"


async def _ask(outcomes: OutcomesDatabase, **query: str) -> tuple[int, Any]:
    async with (
        TestClient(TestServer(app.build(NOBODY, "", outcomes=outcomes, public_metrics=True))) as client,
        client.get("/experiments", params=query) as answer,
    ):
        return answer.status, await answer.json()


async def test_without_a_database_the_page_is_not_found() -> None:
    """A gateway that records nothing answers 404 with the reason."""
    assert await _ask(NO_DATABASE) == (404, {"error": "no outcomes are recorded: --outcomes is none"})


async def test_an_unknown_format_is_refused() -> None:
    """An unknown format is answered with 400 and the valid formats."""
    status, answer = await _ask(NO_DATABASE, format="xml")
    assert status == 400 and "json, csv, html" in answer["error"] and "xml" in answer["error"]


async def test_a_lost_database_is_unavailable() -> None:
    """An unreachable database is answered with 503, without its address."""
    status, answer = await _ask(read_database("postgresql://me:secret@127.0.0.1:1/games"))
    assert (status, answer) == (503, {"error": "the database can't be read"})
