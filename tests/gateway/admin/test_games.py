"""The API of games over real sockets."""

import asyncio

import pytest

from gateway.store.database import OutcomesDatabase
from gateway.store.records import Bounds
from tests.gateway.admin.console import Console, Json, running

PATIENCE = 20.0


async def _listed(console: Console, number: int, query: str = "") -> list[Json]:
    """Wait until a number of games is over; return the list."""
    async with asyncio.timeout(PATIENCE):
        while True:
            games: list[Json] = (await console.get(f"/api/games{query}"))["games"]
            if sum(game["over"] for game in games) >= number:
                return games
            await asyncio.sleep(0.02)


async def test_a_game_can_be_watched_while_it_is_played() -> None:
    """A live game has its turns so far, and is over after its end."""
    async with running() as console:
        await console.play("g", range(3), ends=False)
        async with asyncio.timeout(PATIENCE):
            while len((game := await console.get("/api/games/g"))["turns"]) < 3:
                await asyncio.sleep(0.02)
        assert (game["source"], game["over"], game["result"]) == ("live", False, None)
        assert [turn["turn"] for turn in game["turns"]] == [0, 1, 2]
        await console.play("g", range(3, 4))
        [listed] = await _listed(console, 1)
        assert (listed["source"], listed["over"], listed["turns"]) == ("recorded", True, 85)
        assert "settings" in listed and listed["ended_at"] is not None
        ours = [snake["name"] for snake in listed["snakes"] if snake["ours"]]
        assert len(ours) == 1


async def test_games_survive_their_gateway(database: OutcomesDatabase) -> None:
    """A new gateway shows the games of the former one, with their decisions."""
    async with running(outcomes=database) as console:
        await console.play("g", range(3))
        before = await _listed(console, 1)
    async with running(outcomes=database) as console:
        assert await _listed(console, 1) == before
        game = await console.get("/api/games/g")
        decided = [turn["turn"] for turn in game["turns"] if any(turn["decisions"])]
        assert decided == [0, 1, 2] and game["result"]["turns"] == 85
        overview = await console.get("/api/overview")
        assert overview["counts"] == {"lost_records": 0, "probes": 0, "games_now": 0, "games_kept": 1}


async def test_lists_are_read_page_by_page(database: OutcomesDatabase) -> None:
    """Pages are the newest games first, and those before another one."""
    async with running(outcomes=database) as console:
        for number in range(5):
            await console.play(f"g{number}", range(1))
            await _listed(console, number + 1)
        first = await console.get("/api/games?limit=2")
        assert [game["id"] for game in first["games"]] == ["g4", "g3"]
        second = await console.get("/api/games?limit=2&before=g3")
        assert [game["id"] for game in second["games"]] == ["g2", "g1"]


@pytest.mark.parametrize("limit", ["0", "201", "x", "-1", "1.5"])
async def test_a_wrong_limit_is_refused(limit: str) -> None:
    """The error has the valid values."""
    async with running() as console:
        answer = await console.get(f"/api/games?limit={limit}", status=400)
        assert answer["error"] == f"limit must be from 1 to 200: not {limit}"


@pytest.mark.parametrize("limit", ["1", "200"])
async def test_the_ends_of_the_range_are_valid(limit: str) -> None:
    """A page has at least one game, and at most two hundred."""
    async with running() as console:
        assert await console.get(f"/api/games?limit={limit}") == {"games": []}


async def test_an_unknown_game_is_named() -> None:
    """A game that is not kept is 404, in its own address and as the beginning of a page."""
    async with running() as console:
        assert await console.get("/api/games/x", status=404) == {"error": "no such game: x"}
        assert await console.get("/api/games?before=x", status=404) == {"error": "no such game: x"}


async def test_only_so_many_games_are_kept_in_memory() -> None:
    """Without a database, the newest games are kept."""
    async with running(games=Bounds(2, 30, 10**9)) as console:
        for number in range(4):
            await console.play(f"g{number}", range(1))
        async with asyncio.timeout(PATIENCE):
            while [game["id"] for game in await _listed(console, 0)] != ["g3", "g2"]:
                await asyncio.sleep(0.02)


async def test_without_recording_there_are_no_games() -> None:
    """The console says why there is nothing to see, and moves are answered."""
    async with running(games=None) as console:
        await console.play("g", range(2))
        assert await console.get("/api/games") == {"games": []}
        assert "--games is none" in (await console.get("/api/games/g", status=404))["error"]
        assert (await console.get("/api/overview"))["counts"] == {"lost_records": 0, "probes": 0}
