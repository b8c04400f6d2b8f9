"""The /end request that reports the snake's own death."""

from aiohttp import web

from arena.compliance.recorded import check_endings
from tests.arena.compliance.checking import passed, results
from tests.arena.outside_snake import Body, OutsideSnake


class _Particular(OutsideSnake):
    """Crashes at an /end that it dislikes."""

    async def end(self, request: web.Request) -> web.StreamResponse:
        body = await self.read(request)
        return web.Response(status=500 if self.dislikes(body) else 200)

    def dislikes(self, _body: Body) -> bool:
        raise NotImplementedError


async def test_a_correct_snake_passes() -> None:
    """Every dead snake has received the /start of its game before."""
    snake = OutsideSnake()
    assert passed(await results(check_endings, snake))
    starts = {(body["game"]["id"], body["you"]["id"]) for path, body in snake.requests if path == "/start"}
    ends = {(body["game"]["id"], body["you"]["id"]) for path, body in snake.requests if path == "/end"}
    assert starts == ends and len(ends) == 9


async def test_a_snake_that_searches_itself_fails() -> None:
    """A snake that searches `you` among the living fails."""

    class Searching(_Particular):
        def dislikes(self, body: Body) -> bool:
            return body["you"]["id"] not in [snake["id"] for snake in body["board"]["snakes"]]

    result = (await results(check_endings, Searching()))["dead in /end"]
    assert result.outcome == "fail" and "refused: HTTP status 500 (end-eliminated of " in result.came


async def test_a_snake_that_looks_up_its_cell_fails() -> None:
    """A snake that looks up the cell of its last head fails if that head is beyond the edge."""

    class Indexing(_Particular):
        def dislikes(self, body: Body) -> bool:
            return bool(body["you"]["head"]["y"] < 0)

    found = await results(check_endings, Indexing())
    assert found["dead off the board"].outcome == "fail" and found["dead in /end"].outcome == "pass"
