"""A gateway that is killed in each step of a game, and the events that its successor finds."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from battlesnake_search.contract import search_pb2
from tests.gateway import scripted_searcher
from tests.gateway.outbox.served import PAUSE, Served, gateway, stored
from tests.gateway.scripted_searcher import Context
from tests.support.event_loop import until
from tests.support.processes import family
from tests.support.services import free_port

TURNS = 40

LAST_SECOND = 20
"""The moves of a second, with 20 moves a second."""

SLOW = 99
"""The turn whose search does not end."""


REST = pytest.mark.rest("killed processes")


@pytest.fixture
def place() -> Iterator[Path]:
    """Return a temporary folder whose path is short enough for sockets."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


async def _script(
    request: search_pb2.StreamSearchRequest, context: Context
) -> AsyncIterator[search_pb2.StreamSearchResponse]:
    answers = scripted_searcher.never if request.position.turn == SLOW else scripted_searcher.at_once
    async for answer in answers(request, context):
        yield answer


async def _kill(served: Served) -> None:
    """Kill the gateway, and wait until its children have ended, too."""
    children = [pid for pid in family(served.process.pid) if pid != served.process.pid]
    served.process.kill()
    await served.process.wait()
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in children))


async def _found(tmp_path: Path, port: str, is_over: bool) -> list[int]:
    """Return the turns that are stored once the next gateway has sent what it found."""
    database = tmp_path / "games.sqlite"
    async with gateway(tmp_path, port=port, OUTCOMES_URL=str(database)) as served:
        async with asyncio.timeout(20):
            while True:
                async with served.client.get("/metrics") as answer:
                    if "gateway_outbox_events 0.0" in await answer.text():
                        break
                await asyncio.sleep(0.05)
        return await stored(database, "g", is_over)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param("before an answer", marks=REST),
        pytest.param("during an end", marks=REST),
        "after an end",
    ],
)
async def test_a_killed_gateway_loses_the_moves_of_a_second(
    tmp_path: Path, step: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each answered end and all older moves are in the database of the next gateway, in order.

    No process is left behind, although the console is stopped.
    """
    port = str(free_port())
    script = _script
    async with gateway(tmp_path, script, port, OUTCOMES_URL=str(tmp_path / "games.sqlite")) as served:
        await served.post("/start", "g", 0)
        await until(lambda: served.count("console listens"))
        for turn in range(TURNS):
            if turn == TURNS // 2:
                served.stop_console()
            await served.post("/move", "g", turn)
            await asyncio.sleep(PAUSE)
        asked: asyncio.Task[None] | None = None
        if step == "before an answer":
            asked = asyncio.create_task(served.post("/move", "g", SLOW))
            await asyncio.sleep(0.1)
        elif step == "during an end":
            asked = asyncio.create_task(served.post("/end", "g", TURNS))
            # About the time until the request has arrived.
            await asyncio.sleep(0.001)
        elif step == "after an end":
            await served.post("/end", "g", TURNS)
        await _kill(served)
        is_answered = step == "after an end"
        if asked:
            with suppress(aiohttp.ClientError):
                await asked
                is_answered = step == "during an end"
    turns = await _found(tmp_path, port, is_over=is_answered)
    assert turns == [*range(len(turns))]
    assert len(turns) == TURNS if is_answered else len(turns) >= TURNS - LAST_SECOND
    with capsys.disabled():
        print(f"\n{step}: answered {is_answered}, lost {TURNS - len(turns)} of {TURNS}")


async def test_the_next_gateway_removes_what_a_killed_one_left(tmp_path: Path, place: Path) -> None:
    """Each of them has a folder with a console's temporary database, and only the living one's stays."""

    def databases() -> list[Path]:
        return list(place.glob("*/games.sqlite"))

    async with gateway(tmp_path, TMPDIR=str(place)) as served:
        [left] = databases()
        await _kill(served)
        assert databases() == [left]
    async with gateway(tmp_path, TMPDIR=str(place)) as served:
        [kept] = databases()
        assert kept != left and list(place.iterdir()) == [kept.parent]
        served.process.terminate()
        await served.process.wait()
    assert not list(place.iterdir())
