"""Games of servers that the console reads, over real sockets."""

import asyncio
from typing import Any

from yarl import URL

from console.store.database import OutcomesDatabase
from tests.console.replay.game_server import GameServer, first_turns, platform_game, serving, walk
from tests.console.web.console import Console, running
from tests.console.web.script import DUEL, duel
from tests.gateway.scripted_searcher import body

PATIENCE = 20.0


def _names(server: GameServer) -> list[str]:
    return [URL(server.url).authority]


async def _import(console: Console, address: object, status: int = 200) -> Any:
    async with console.admin.post("/api/games/import", json={"address": address}) as answer:
        assert answer.status == status, await answer.text()
        return await answer.json()


async def test_a_game_of_a_server_is_opened(database: OutcomesDatabase) -> None:
    """It can be read at once, is in the list, and is kept after the gateway."""
    sent = platform_game()
    async with serving(sent) as server:
        async with running(outcomes=database, replay_servers=_names(server)) as console:
            game = (await _import(console, f"{server.url}/games/{sent['Game']['ID']}"))["game"]
            found = await console.get(f"/api/games/{game}")
            assert (found["source"], found["over"]) == ("imported", True)
            assert found["result"] == {"winner": 2, "turns": 84}
            assert found["turns"][70]["deaths"] == [
                {"snake": 1, "cause": "head-collision", "by": 3, "late": False}
            ]
            [listed] = (await console.get("/api/games"))["games"]
            assert (listed["id"], listed["turns"], listed["started_at"]) == (game, 84, None)
        async with running(outcomes=database) as console:
            assert await console.get(f"/api/games/{game}") == found


async def test_a_running_game_grows(database: OutcomesDatabase) -> None:
    """Reading it again adds the turns since, the deaths and the result, also after a new start."""
    sent = platform_game()
    game = sent["Game"]["ID"]
    async with serving(first_turns(sent, 20)) as server:
        async with running(replay_servers=_names(server), outcomes=database) as console:
            await _import(console, f"{server.url}/games/{game}")
            begun = await console.get(f"/api/games/{game}")
            assert (begun["source"], begun["result"], len(begun["turns"])) == ("running", None, 20)
            assert (await console.get("/api/overview"))["counts"]["games_now"] == 0
            server.games[game] = first_turns(sent, 40)
            await _import(console, f"{server.url}/games/{game}")
            assert len((await console.get(f"/api/games/{game}"))["turns"]) == 40
        server.games[game] = sent
        async with running(replay_servers=_names(server), outcomes=database) as console:
            await _import(console, f"{server.url}/games/{game}")
            whole = await console.get(f"/api/games/{game}")
    assert (whole["source"], whole["result"]) == ("imported", {"winner": 2, "turns": 84})
    assert [turn["turn"] for turn in whole["turns"]] == [*range(75), 84]
    assert sum(len(turn["deaths"]) for turn in whole["turns"]) == 3


async def test_a_game_of_ours_gets_what_it_lacks() -> None:
    """Decisions and snakes stay as they were recorded; the end and later turns are added."""
    sent = walk(5, ID="ours")
    ours = body("standard-start-0")["you"]["id"]
    for frame in sent["Frames"]:
        frame["Snakes"][0]["ID"] = ours
    sent["Game"] |= {"Width": 11, "Height": 11}
    async with serving(sent) as server, running(replay_servers=_names(server)) as console:
        await console.play("ours", range(3))
        async with asyncio.timeout(PATIENCE):
            while not (await console.game("ours"))["over"]:
                await asyncio.sleep(0.02)
        await _import(console, f"{server.url}/games/ours")
        game = await console.game("ours")
    assert game["source"] == "recorded"
    assert [snake["id"] for snake in game["snakes"] if snake["ours"]] == [ours]
    assert [turn["turn"] for turn in game["turns"]] == [*range(5), 85]
    assert all(any(turn["decisions"]) for turn in game["turns"][:3])


async def test_a_game_that_is_played_here_is_not_read() -> None:
    """It is recorded anyway; the console opens it."""
    async with serving(walk(3)) as server, running(replay_servers=_names(server)) as console:
        await console.play("walk", range(2), ends=False)
        assert (await console.game("walk"))["source"] == "live"
        assert await _import(console, f"{server.url}/games/walk") == {"game": "walk"}
        assert server.asked == []


async def test_another_game_with_the_same_id_stays() -> None:
    """The second one is refused."""
    async with serving(walk(3)) as server, running(replay_servers=_names(server)) as console:
        await _import(console, f"{server.url}/games/walk")
        server.games["walk"]["Game"]["Width"] = 9
        error = await _import(console, f"{server.url}/games/walk", status=409)
        assert error == {"error": "another game with the id walk is kept"}
        assert (await console.get("/api/games/walk"))["width"] == 7


async def test_only_the_named_servers_are_read() -> None:
    """Neither another port of theirs nor a server that they redirect to."""
    async with serving(walk(3)) as named, serving(walk(3)) as other:
        async with running(replay_servers=_names(named)) as console:
            error = await _import(console, f"{other.url}/games/walk", status=403)
            assert _names(named)[0] in error["error"]
            await _import(console, f"{named.url}/games/elsewhere", status=502)
            await _import(console, f"http://b.example/?game=walk&engine={other.url}", status=400)
            assert (await console.get("/api/overview"))["replay_servers"] == _names(named)
        assert other.asked == []


async def test_a_fault_is_answered() -> None:
    """The API's errors have a status and a reason."""
    async with serving() as server, running(replay_servers=_names(server)) as console:
        for name, status in (("unknown", 404), ("html", 502), ("error", 502), ("a b", 400)):
            assert (await _import(console, f"{server.url}/games/{name}", status=status))["error"]
        assert (await _import(console, 7, status=400))["field"] == "address"


async def test_one_game_is_read_at_a_time() -> None:
    """A second one is refused meanwhile."""
    async with serving() as server, running(replay_servers=_names(server)) as console:
        slow = asyncio.create_task(_import(console, f"{server.url}/games/slow", status=502))
        async with asyncio.timeout(PATIENCE):
            while not server.asked:
                await asyncio.sleep(0.01)
        error = await _import(console, f"{server.url}/games/walk", status=429)
        assert error == {"error": "another game is being read"}
        server.released.set()
        await slow


async def test_a_file_of_the_engine_is_kept(database: OutcomesDatabase) -> None:
    """The game in the text of a file is in the list, and kept after the gateway. A bad line is named."""
    text = DUEL.read_text()
    async with running(outcomes=database) as console:
        async with console.admin.post("/api/games/import", json={"file": text}) as answer:
            assert (answer.status, await answer.json()) == (200, {"game": duel().id})
        found = await console.get(f"/api/games/{duel().id}")
        assert (found["source"], found["over"]) == ("imported", True)
        assert [turn["turn"] for turn in found["turns"]] == [turn.turn for turn in duel().turns]
        async with console.admin.post("/api/games/import", json={"file": "{}\n{}\n{}\n"}) as answer:
            assert (answer.status, "line 2" in (await answer.json())["error"]) == (400, True)
    async with running(outcomes=database) as console:
        assert await console.get(f"/api/games/{duel().id}") == found
