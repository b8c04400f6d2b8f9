"""The snake's description of itself."""

from typing import Any

import pytest
from aiohttp import web

from arena.compliance.exchanges import Endpoint
from arena.compliance.index import UnreachableError, check_index, check_methods
from tests.arena.compliance.checking import IN_TIME, passed, results
from tests.arena.outside_snake import OutsideSnake
from tests.support.services import free_port


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


async def test_an_unreachable_snake_has_no_result() -> None:
    """Where no connection can be opened, there is no result."""
    with pytest.raises(UnreachableError, match="Connection refused"):
        await check_index(Endpoint(f"http://127.0.0.1:{free_port()}", IN_TIME, 1))


async def test_wrong_methods_are_refused() -> None:
    """A snake that refuses wrong methods passes, and its answers are listed."""
    result = (await results(check_methods, OutsideSnake()))["wrong methods"]
    assert result.outcome == "pass"
    assert (
        result.came
        == "GET /start: status 405, GET /move: status 405, GET /end: status 405, POST /: status 405"
    )


async def test_accepted_wrong_methods_are_reported() -> None:
    """A snake that answers any method gets a warning only."""

    class Anything(OutsideSnake):
        def application(self) -> web.Application:
            application = super().application()
            application.router.add_get("/move", self.index)
            return application

    result = (await results(check_methods, Anything()))["wrong methods"]
    assert (result.outcome, result.came) == ("warn", "GET /move: status 200")
