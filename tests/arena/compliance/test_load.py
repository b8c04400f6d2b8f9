"""Many connections, many games."""

import asyncio

from aiohttp import web

from arena.compliance.recorded import check_fresh_connections, check_parallel_games
from tests.arena.compliance.checking import passed, results
from tests.arena.outside_snake import Body, Fault, OutsideSnake


async def test_every_request_has_a_connection_of_its_own() -> None:
    """No two requests of the game come from the same port."""
    ports: list[int] = []

    class Watching(OutsideSnake):
        async def read(self, request: web.Request) -> Body:
            assert request.transport is not None
            ports.append(request.transport.get_extra_info("peername")[1])
            return await super().read(request)

    assert passed(await results(check_fresh_connections, Watching()))
    assert len(ports) == len(set(ports)) == 6


async def test_a_fault_over_a_fresh_connection_fails() -> None:
    """A problem is reported with its request."""
    found = await results(check_fresh_connections, OutsideSnake({1: Fault.DROPPED}.get))
    result = found["fresh connections"]
    assert result.outcome == "fail" and "crashed: " in result.came and "move-early" in result.came


async def test_parallel_games_overlap() -> None:
    """Two games overlap: the first move of each waits for that of the other."""
    both = asyncio.Barrier(2)

    class Waiting(OutsideSnake):
        async def start(self, request: web.Request) -> web.StreamResponse:
            await both.wait()
            return await super().start(request)

    assert passed(await results(check_parallel_games, Waiting()))


async def test_a_snake_that_plays_one_game_at_a_time_fails() -> None:
    """A snake that is in time for one game is late if two games wait for each other."""
    lock = asyncio.Lock()

    class OneByOne(OutsideSnake):
        async def move(self, request: web.Request) -> web.StreamResponse:
            async with lock:
                return await super().move(request)

    result = (await results(check_parallel_games, OneByOne(pause=0.15), timeout=200))["parallel games"]
    assert result.outcome == "fail" and result.came.startswith("late: ")
