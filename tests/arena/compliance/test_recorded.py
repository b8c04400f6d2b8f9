"""The recorded games, against snakes with one problem each."""

import asyncio

import pytest
from aiohttp import web

from arena.compliance.exchanges import Body, recorded_games
from arena.compliance.recorded import (
    check_endings,
    check_parallel_games,
    check_recorded,
)
from tests.arena.compliance.checking import IN_TIME, passed, results
from tests.arena.outside_snake import Fault, OutsideSnake, StrictSnake, choose

STANDARD = "recorded game: standard"
MID = 42
"""The turn of the request in the middle of the standard game; no other game has one of that turn."""


class _Formed(OutsideSnake):
    """Sends its correct moves in another form."""

    async def move(self, request: web.Request) -> web.StreamResponse:
        return await self.formed(request, choose(await self.read(request)))

    async def formed(self, _request: web.Request, move: str) -> web.StreamResponse:
        raise NotImplementedError


async def test_a_correct_snake_passes() -> None:
    """Every recorded request gets a result that passes."""
    snake = OutsideSnake()
    found = await results(check_recorded, snake)
    assert passed(found) and {f"recorded game: {game}" for game in recorded_games(1)} < found.keys()
    sent = [request for requests in recorded_games(1).values() for request in requests]
    assert len(snake.requests) == sum(request.phase != "end-eliminated" for request in sent)


@pytest.mark.parametrize(
    ("fault", "timeout", "came"),
    [
        (Fault.LATE, 400, "late: "),
        (Fault.SILENT, 400, "late: no answer within "),
        (Fault.ERROR, IN_TIME, "refused: HTTP status 500"),
        (Fault.NOT_JSON, IN_TIME, "invalid: not a JSON object"),
        (Fault.WRONG_WORD, IN_TIME, "invalid: move is 'north'"),
        (Fault.DROPPED, IN_TIME, "crashed: "),
    ],
)
async def test_a_fault_fails_its_game_by_name(fault: Fault, timeout: int, came: str) -> None:
    """One wrong answer fails its game, with the fault's name and the request."""
    result = (await results(check_recorded, OutsideSnake({MID: fault}.get), timeout))[STANDARD]
    assert result.outcome == "fail" and result.came.startswith(came)
    assert "(move-mid of standard, turn 42)" in result.came


async def test_a_crashing_start_and_end_fail() -> None:
    """An error in /start or /end is reported, though the engine ignores it."""

    class Crashing(OutsideSnake):
        async def start(self, request: web.Request) -> web.StreamResponse:
            return web.Response(status=500)

        end = start

    found = await results(check_recorded, Crashing())
    assert "start of standard" in found[STANDARD].came and "end of standard" in found[STANDARD].came


async def test_a_lone_survivor_gets_one_more_move() -> None:
    """A snake that fails when it is alone gets a warning, since the engine ignores that answer."""
    game = {request.phase: request for request in recorded_games(1)["standard"]}
    alone = game["move-alone"].body["turn"]
    found = await results(check_recorded, OutsideSnake({alone: Fault.ERROR}.get))
    assert found["lone survivor"].outcome == "warn" and "refused" in found["lone survivor"].came
    assert found[STANDARD].outcome == "pass"


async def test_latency_is_measured() -> None:
    """Percentiles are reported; a snake that uses nearly all of its time gets a warning."""
    quick = (await results(check_recorded, OutsideSnake()))["latency"]
    assert quick.outcome == "pass" and quick.came.endswith("42 moves")
    late = (await results(check_recorded, OutsideSnake({MID: Fault.LATE}.get), timeout=400))["latency"]
    assert late.outcome == "fail" and "longest " in late.came


async def test_an_unusual_form_of_answers_is_a_warning() -> None:
    """Another content type and a long shout are warnings, since the engine accepts both."""

    class Odd(_Formed):
        async def formed(self, _request: web.Request, move: str) -> web.StreamResponse:
            return web.json_response({"move": move, "shout": "a" * 300}, content_type="text/html")

    found = await results(check_recorded, Odd())
    assert (found["content type"].outcome, found["shouts"].outcome) == ("warn", "warn")
    assert found["content type"].came == "text/html (42 times)" and found["shouts"].came == "300 characters"
    assert found[STANDARD].outcome == "pass"


async def test_an_answer_in_two_packets_is_a_warning() -> None:
    """Headers and body in separate packets are a warning that names their cost."""

    class Apart(_Formed):
        async def formed(self, request: web.Request, move: str) -> web.StreamResponse:
            response = web.StreamResponse(headers={"Content-Type": "application/json"})
            await response.prepare(request)
            await response.write(b" ")
            await asyncio.sleep(0.005)
            await response.write_eof(f'{{"move":"{move}"}}'.encode())
            return response

    result = (await results(check_recorded, Apart()))["one packet"]
    assert result.outcome == "warn" and "42 of 42" in result.came and "45 ms" in result.came


async def test_closed_connections_are_a_warning() -> None:
    """A new connection for every request is reported."""

    class Closing(_Formed):
        async def formed(self, _request: web.Request, move: str) -> web.StreamResponse:
            response = web.json_response({"move": move})
            response.force_close()
            return response

    result = (await results(check_recorded, Closing()))["keep-alive"]
    assert (result.outcome, result.came) == ("warn", "60 requests, connections opened: 43")


async def test_a_snake_that_searches_itself_fails() -> None:
    """A snake that searches `you` among the living fails."""

    def dislikes(path: str, body: Body) -> bool:
        return path == "/end" and body["you"]["id"] not in [one["id"] for one in body["board"]["snakes"]]

    result = (await results(check_endings, StrictSnake(dislikes)))["dead in /end"]
    assert result.outcome == "fail" and "refused: HTTP status 400 (end-eliminated of " in result.came


async def test_a_snake_that_plays_one_game_at_a_time_fails() -> None:
    """A snake that is in time for one game is late if two games wait for each other."""
    lock = asyncio.Lock()

    class OneByOne(OutsideSnake):
        async def move(self, request: web.Request) -> web.StreamResponse:
            async with lock:
                return await super().move(request)

    result = (await results(check_parallel_games, OneByOne(pause=0.15), timeout=200))["parallel games"]
    assert result.outcome == "fail" and result.came.startswith("late: ")
