"""The snake's description of itself."""

from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from arena.compliance.exchanges import Endpoint
from arena.compliance.suite import UnreachableError, check_index, examine
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from tests.arena.compliance import checking
from tests.arena.compliance.checking import IN_TIME, passed, results
from tests.arena.outside_snake import OutsideSnake
from tests.support.watched import TIMEOUT, watched_gateway


class _Described(OutsideSnake):
    """Answers GET / with a given response."""

    def __init__(self, status: int = 200, text: str | None = None, **fields: Any) -> None:
        super().__init__()
        self._status, self._text = status, text
        self._fields = {"apiversion": "1"} | fields

    async def index(self, _request: web.Request) -> web.StreamResponse:
        if self._text is not None:
            return web.Response(text=self._text, status=self._status)
        return web.json_response(self._fields, status=self._status)


@pytest.mark.parametrize(
    "snake",
    [
        OutsideSnake(),
        _Described(),
        _Described(color="#aBc123", head="smile", tail="bolt", version="1.0", author="me", extra=5),
        _Described(color=None, head=None),
    ],
)
async def test_a_correct_index_passes(snake: OutsideSnake) -> None:
    """Only the version is required; null counts as missing."""
    found = await results(check_index, snake)
    assert passed(found) and len(found) == 4


@pytest.mark.parametrize(
    ("snake", "name", "came"),
    [
        (_Described(status=500), "index", "refused: HTTP status 500"),
        (_Described(text="hello"), "index", "invalid: not a JSON object: 'hello'"),
        (_Described(text="[]"), "index", "invalid: not a JSON object: '[]'"),
        (_Described(apiversion=1), "index: apiversion", "apiversion is 1"),
        (_Described(apiversion=None), "index: apiversion", "apiversion is None"),
        (_Described(color="red"), "index: colour", "color is 'red'"),
        (_Described(color="#12345g"), "index: colour", "color is '#12345g'"),
        (_Described(color=5), "index: types", "color is 5"),
        (_Described(version=1.5), "index: types", "version is 1.5"),
        (_Described(head=["smile"]), "index: types", "head is ['smile']"),
    ],
)
async def test_a_wrong_index_fails_by_name(snake: OutsideSnake, name: str, came: str) -> None:
    """Each wrong field fails its own check, which shows what came."""
    result = (await results(check_index, snake))[name]
    assert result.outcome == "fail" and came in result.came


async def test_a_correct_snake_passes_everything() -> None:
    """All results have names of their own, and all pass."""
    snake = OutsideSnake()
    async with checking.endpoint(snake) as endpoint:
        results = await examine(endpoint)
    names = [result.name for result in results]
    assert len(names) == len(set(names))
    assert {result.outcome for result in results} == {"pass"}, results
    # Every game has the mark of games that count for nothing.
    ids = {body["game"]["id"] for _, body in snake.requests}
    assert ids and all(id_.startswith(TEST_GAME_PREFIX) for id_ in ids)


async def test_a_path_in_the_url_is_kept() -> None:
    """A snake may have a path; a slash at the end of its URL is ignored."""

    class Somebody(OutsideSnake):
        def application(self) -> web.Application:
            application = web.Application()
            application.router.add_get("/somebody", self.index)
            return application

    async with checking.endpoint(Somebody()) as endpoint:
        results = await check_index(Endpoint(f"{endpoint.url}/somebody/", IN_TIME, 1))
    assert {result.outcome for result in results} == {"pass"}


async def test_a_path_without_a_snake_has_no_result() -> None:
    """The checks end before the first game, because each of them would fail in the same way."""
    snake = OutsideSnake()
    async with checking.endpoint(snake) as endpoint:
        with pytest.raises(UnreachableError, match=r"HTTP status 404\. Is a token missing in the path\?$"):
            await examine(Endpoint(f"{endpoint.url}/nobody", 5000, 1))
    assert snake.requests == []


async def test_our_own_gateway_complies(compiled: None, tmp_path: Path) -> None:
    """The gateway with its searcher passes without warnings, however busy the machine is."""
    with watched_gateway(tmp_path) as gateway:
        results = await examine(Endpoint(gateway.url, timeout=TIMEOUT, games=8))
    assert [result for result in results if result.outcome != "pass" and result.name != "latency"] == []
