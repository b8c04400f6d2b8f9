"""The events of games over real sockets."""

import asyncio
import json
import socket

import aiohttp
import pytest

from gateway.store import feed
from tests.gateway.admin.console import Console, running

READERS = 20
TURNS = 30
PATIENCE = 30.0

Event = tuple[str, dict[str, object]]


async def _events(answer: aiohttp.ClientResponse, last: str) -> list[Event]:
    """Return the events up to the first one of a name."""
    events: list[Event] = []
    name = ""
    async for line in answer.content:
        text = line.decode().rstrip("\n")
        if text.startswith("event: "):
            name = text.removeprefix("event: ")
        elif text.startswith("data: "):
            events.append((name, json.loads(text.removeprefix("data: "))))
            if name == last:
                break
    return events


async def _follow(console: Console, path: str, opened: asyncio.Semaphore) -> list[Event]:
    async with console.admin.get(path) as answer:
        assert answer.content_type == "text/event-stream"
        opened.release()
        return await _events(answer, "end")


async def test_twenty_readers_see_a_whole_game() -> None:
    """Each of them gets each turn and each decision in order, and the end."""
    async with running() as console:
        opened = asyncio.Semaphore(0)
        paths = ["/api/games/g/events"] * READERS + ["/api/events"]
        following = [asyncio.create_task(_follow(console, path, opened)) for path in paths]
        for _ in paths:
            await opened.acquire()
        await console.play("g", range(TURNS))
        async with asyncio.timeout(PATIENCE):
            *each_game, all_games = await asyncio.gather(*following)
    assert all(events == each_game[0] for events in each_game)
    turns = [data["turn"] for name, data in each_game[0] if name == "turn"]
    decided = [data["turn"] for name, data in each_game[0] if name == "decision"]
    assert turns == [*range(TURNS), 85] and decided == list(range(TURNS))
    assert each_game[0][-1] == ("end", {"result": {"winner": 0, "turns": 85}}) or each_game[0][-1][0] == "end"
    assert [name for name, _ in all_games] == ["start", *["turn"] * (TURNS + 1), "end"]
    assert {data["game"] for _, data in all_games} == {"g"}


async def test_a_reader_that_takes_nothing_delays_nobody() -> None:
    """A connection that is never read is dropped, while games go on and others read them."""
    async with running() as console:
        port = int(console.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port)) as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            deaf.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            opened = asyncio.Semaphore(0)
            following = asyncio.create_task(_follow(console, "/api/games/g/events", opened))
            await opened.acquire()
            await console.play("g", range(600))
            async with asyncio.timeout(PATIENCE):
                events = await following
    assert len([1 for name, _ in events if name == "turn"]) == 601


async def test_without_games_there_are_no_events() -> None:
    """The answer says why nothing is recorded."""
    async with running(games=None) as console:
        for path in ("/api/events", "/api/games/g/events"):
            assert await console.get(path, status=404) == {"error": "no games are recorded: --games is none"}


async def test_more_readers_than_the_most_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader too many is told so, and may come again when another has gone."""
    monkeypatch.setattr(feed, "MAX_READERS", 1)
    async with running() as console, console.admin.get("/api/events") as first:
        assert first.status == 200
        refused = await console.get("/api/games/g/events", status=503)
        assert refused == {"error": "too many readers of events"}
