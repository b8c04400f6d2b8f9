"""Draining: on SIGTERM both services finish the moves in flight and exit quickly."""

import asyncio
import signal
import time

import aiohttp
import grpc.aio
import pytest

from battlesnake_search.contract import search_pb2 as pb
from battlesnake_search.contract import search_pb2_grpc
from tests.gateway.gateway_process import serving
from tests.gateway.scripted_searcher import body
from tests.searcher.requests import search_request, stream_request
from tests.support.searchers import Process, searcher, wait_until_idle
from tests.support.services import free_port

IN_FLIGHT = 50
"""The least number of moves in flight at the signal; some of the requested moves may be finished by then."""

MOVES = 60

TIMEOUT = 2500
"""Milliseconds for each move."""

ALL_ARRIVED = 0.3
"""Seconds after which a service has read all requests, many times what that takes."""

EXIT_WITHIN = 5.0
"""Seconds from SIGTERM to the exit of a service."""

pytestmark = [pytest.mark.usefixtures("compiled"), pytest.mark.alone]


async def _exits_in_time(process: Process, signalled: float) -> None:
    """Assert that the process exits with code 0 and in time."""
    await asyncio.wait_for(process.communicate(), 4 * EXIT_WITHIN)
    assert process.returncode == 0
    assert time.monotonic() - signalled < EXIT_WITHIN


async def _move(client: aiohttp.ClientSession, game: str) -> str:
    async with client.post("/move", json=body(id=game, timeout=TIMEOUT)) as answer:
        assert answer.status == 200
        move: str = (await answer.json())["move"]
        return move


async def test_a_gateway_finishes_moves_in_flight() -> None:
    """The embedded searcher serves until the last response and exits with the gateway."""
    async with serving("") as (process, client):
        moves = [asyncio.create_task(_move(client, f"game {number}")) for number in range(MOVES)]
        await asyncio.sleep(ALL_ARRIVED)
        assert sum(not move.done() for move in moves) >= IN_FLIGHT
        process.send_signal(signal.SIGTERM)
        signalled = time.monotonic()
        assert set(await asyncio.gather(*moves)) <= {"up", "down", "left", "right"}
        await _exits_in_time(process, signalled)


async def _searched(channel: grpc.aio.Channel) -> pb.SearchResult:
    request = stream_request(search_request())
    request.limits.time.FromMilliseconds(TIMEOUT)
    calls = search_pb2_grpc.SearchServiceStub(channel).StreamSearch(request)
    answers = [answer async for answer in calls]
    assert [answer.final for answer in answers].count(True) == 1 and answers[-1].final
    result: pb.SearchResult = answers[-1].result
    return result


async def test_a_searcher_finishes_searches_in_flight() -> None:
    """Each search keeps its share of the cores and returns its final result."""
    address = f"127.0.0.1:{free_port()}"
    async with searcher(address) as process, grpc.aio.insecure_channel(address) as channel:
        await wait_until_idle(process)
        searches = [asyncio.create_task(_searched(channel)) for _ in range(MOVES)]
        await asyncio.sleep(ALL_ARRIVED)
        assert sum(not search.done() for search in searches) >= IN_FLIGHT
        process.terminate()
        signalled = time.monotonic()
        results = await asyncio.gather(*searches)
        assert all(result.depth > 0 for result in results)
        await _exits_in_time(process, signalled)
