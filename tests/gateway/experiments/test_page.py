"""GET /experiments when it can't show anything."""

from typing import Any

from aiohttp.test_utils import TestClient, TestServer

from gateway import app
from gateway.outcomes.target import NO_TARGET, Target, target_of

NOBODY = "127.0.0.1:1"


async def _ask(outcomes: Target, **query: str) -> tuple[int, Any]:
    async with (
        TestClient(TestServer(app.build(NOBODY, "", outcomes=outcomes))) as client,
        client.get("/experiments", params=query) as answer,
    ):
        return answer.status, await answer.json()


async def test_without_a_store_there_is_nothing() -> None:
    """A gateway that records nothing says so."""
    assert await _ask(NO_TARGET) == (404, {"error": "no outcomes are recorded: none was asked for"})


async def test_a_wrong_format_is_named() -> None:
    """Another format than those there are is refused with their names."""
    status, said = await _ask(NO_TARGET, format="xml")
    assert status == 400 and "json, csv, html" in said["error"] and "xml" in said["error"]


async def test_a_lost_database_is_said() -> None:
    """A database that nobody answers for is a 503, without its address."""
    status, said = await _ask(target_of("postgresql://me:secret@127.0.0.1:1/games"))
    assert (status, said) == (503, {"error": "the database can't be read"})
