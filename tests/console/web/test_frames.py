"""Recorded games at the paths of the official engine's server, over real sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest
from yarl import URL

from tests.console.replay.game_server import platform_game, serving
from tests.console.web.console import Console, Json, running

BOARD = "https://board.battlesnake.com"
PATIENCE = 30.0

_UNSEEN = {"Body", "Health", "Latency"}
"""The fields that nobody records of a dead snake."""


@asynccontextmanager
async def _showing_the_platforms_game() -> AsyncIterator[tuple[Console, Json]]:
    """Run a console that has imported the platform's game; yield it, and the platform's form of the game."""
    sent = platform_game()
    async with (
        serving(sent) as server,
        running(replay_servers=[_name(server.url)], boards=[BOARD]) as console,
    ):
        address = {"address": f"{server.url}/games/{sent['Game']['ID']}"}
        async with console.admin.post("/api/games/import", json=address) as answer:
            assert answer.status == 200
        yield console, sent


def _name(url: str) -> str:
    return URL(url).authority


async def _events(console: Console, game: str) -> list[Json]:
    """Return all events of a game's websocket, which ends by itself."""
    async with asyncio.timeout(PATIENCE), console.admin.ws_connect(f"/games/{game}/events") as socket:
        found = [message.json() async for message in socket]
        assert socket.close_code == aiohttp.WSCloseCode.OK
    return found


def _recorded(frame: Json) -> Json:
    """Return the part of a frame that is recorded."""
    shown = [
        {key: each[key] for key in each if not (each["Death"] and key in _UNSEEN)} for each in frame["Snakes"]
    ]
    return frame | {"Snakes": [{key: each[key] for key in each if key != "Squad"} for each in shown]}


async def test_the_frames_are_those_of_the_platform() -> None:
    """Pages of frames, the last frame and the websocket show the imported game as the platform does."""
    async with _showing_the_platforms_game() as (console, sent):
        game = sent["Game"]["ID"]
        found = await console.get(f"/games/{game}")
        assert sent["Game"].items() <= found["Game"].items()
        pages = [await console.get(f"/games/{game}/frames?offset={offset}&limit=50") for offset in (0, 50)]
        assert [page["Count"] for page in pages] == [50, 26]
        frames = [frame for page in pages for frame in page["Frames"]]
        *whole, last = map(_recorded, frames)
        *expected, end = map(_recorded, sent["Frames"])
        assert whole == expected
        # Of the turns between the last two frames, no death has a turn.
        assert [_death(snake) for snake in last["Snakes"]] == [_death(snake) for snake in end["Snakes"]]
        assert found["LastFrame"] == frames[-1]
        *streamed, ending = await _events(console, game)
        assert streamed == [{"Type": "frame", "Data": frame} for frame in frames]
        assert (ending["Type"], ending["Data"]) == ("game_end", found["Game"])


def _death(snake: Json) -> tuple[str, str] | None:
    death = snake["Death"]
    return death and (death["Cause"], death["EliminatedBy"])


async def test_a_running_game_grows_until_its_end() -> None:
    """The websocket sends the turns so far, each further one as it is stored, and the end."""
    async with running(boards=[BOARD]) as console:
        await console.play("g", range(2), ends=False)
        assert (await console.get("/games/g"))["Game"]["Status"] == "running"
        following = asyncio.create_task(_events(console, "g"))
        await console.play("g", range(2, 5))
        *frames, end = await following
        turns = [frame["Data"]["Turn"] for frame in frames]
        assert turns[:5] == [0, 1, 2, 3, 4] and turns == sorted(set(turns))
        assert (end["Type"], end["Data"]["Status"]) == ("game_end", "complete")
        again = await _events(console, "g")
        assert [each["Data"] for each in again[:-1]] == [each["Data"] for each in frames]


async def test_another_console_can_import_the_game() -> None:
    """The facts of the rules are told as the engine tells them, so that a reader gets the same game."""
    async with _showing_the_platforms_game() as (console, sent):
        game = sent["Game"]["ID"]
        before = await console.get(f"/api/games/{game}")
        async with running(replay_servers=[_name(console.url)]) as other:
            address = {"address": f"{console.url}/games/{game}"}
            async with other.admin.post("/api/games/import", json=address) as answer:
                assert answer.status == 200, await answer.text()
            assert await other.get(f"/api/games/{game}") == before


@pytest.mark.parametrize(
    ("boards", "origin", "is_allowed"),
    [
        ([BOARD], BOARD, True),
        ([BOARD], "https://evil.example", False),
        (["*"], "https://any.example", True),
    ],
)
async def test_only_pages_of_the_boards_may_read(boards: list[str], origin: str, is_allowed: bool) -> None:
    """Their pages get the headers of CORS and a websocket, the other paths never."""
    async with running(boards=boards) as console:
        await console.play("g", range(2))
        for path in ("/games/g", "/games/g/frames", "/games/missing"):
            async with console.admin.get(path, headers={"Origin": origin}) as answer:
                assert answer.headers.get("Access-Control-Allow-Origin") == (origin if is_allowed else None)
                assert "Origin" in ", ".join(answer.headers.getall("Vary"))
        async with console.admin.options("/games/g", headers={"Origin": origin}) as answer:
            assert ("Access-Control-Allow-Private-Network" in answer.headers) == is_allowed
        for path in ("/api/games", "/api/games/g"):
            async with console.admin.get(path, headers={"Origin": origin}) as answer:
                assert "Access-Control-Allow-Origin" not in answer.headers
        opening = console.admin.ws_connect("/games/g/events", headers={"Origin": origin})
        if is_allowed:
            async with opening as socket:
                assert (await socket.receive_json())["Type"] == "frame"
        else:
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await opening


async def test_a_wrong_number_is_named() -> None:
    """With the values that are valid. A plain request for a websocket is told so."""
    errors = {
        "limit=0": "limit must be from 1 to 1000: not 0",
        "limit=1001": "limit must be from 1 to 1000: not 1001",
        "offset=-1": "offset must be a number of frames: not -1",
        "offset=x": "offset must be a number of frames: not x",
    }
    async with running(boards=[BOARD]) as console:
        await console.play("g", range(2))
        for query, error in errors.items():
            assert await console.get(f"/games/g/frames?{query}", status=400) == {"error": error}
        assert (await console.get("/games/g/frames?offset=999999999"))["Frames"] == []
        answer = await console.get("/games/g/events", status=426)
        assert answer == {"error": "a websocket must be opened here"}
