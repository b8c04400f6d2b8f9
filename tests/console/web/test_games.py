"""The overview, games, and the events of games over real sockets."""

import asyncio
import json
import socket
from pathlib import Path

from console.store.database import OutcomesDatabase
from tests.console.web.console import Console, Event, Json, events_of, running
from tests.gateway import scripted_searcher
from tests.gateway.listing_searcher import ListingService

PATIENCE = 30.0
READERS = 20
TURNS = 30


async def _listed(console: Console, number: int, query: str = "") -> list[Json]:
    """Wait until a number of games is over; return the list."""
    async with asyncio.timeout(PATIENCE):
        while True:
            games: list[Json] = (await console.get(f"/api/games{query}"))["games"]
            if sum(game["over"] for game in games) >= number:
                return games
            await asyncio.sleep(0.02)


async def test_a_game_is_compressed_for_clients_that_accept_it() -> None:
    """Gzip makes a game a tenth as large. A client that does not ask for gzip gets plain JSON."""
    async with running() as console:
        await console.play("g", range(40))
        await _listed(console, 1)
        plain, path = await console.game("g"), "/api/games/g"
        for accepted in ("gzip, deflate, br", "deflate", "identity", "gzip;q=0", ""):
            coding = "gzip" if accepted.startswith("gzip,") else None
            async with console.admin.get(path, headers={"Accept-Encoding": accepted}) as answer:
                assert answer.headers.get("Content-Encoding") == coding
                assert answer.headers["Vary"] == "Accept-Encoding"
                assert await answer.json() == plain
                length = int(answer.headers["Content-Length"])
            assert (length < len(json.dumps(plain)) / 10) == (coding == "gzip")


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


async def test_games_are_filtered(database: OutcomesDatabase) -> None:
    """The fields of the query are the filter of the list and of the results, and pages go on within it."""
    async with running(outcomes=database) as console:
        for number in range(3):
            await console.play(f"g{number}", range(1))
            await _listed(console, number + 1)
        await console.play("live", range(1), ends=False)
        await console.game("live")

        async def ids(query: str) -> list[str]:
            return [game["id"] for game in (await console.get(f"/api/games?{query}"))["games"]]

        assert await ids("state=over") == ["g2", "g1", "g0"]
        assert await ids("state=over&limit=1&before=g2") == ["g1"]
        assert await ids("state=playing") == ["live"]
        assert await ids("q=G1") == ["g1"] and await ids("arm=other") == []
        results = await console.get("/api/results?state=over")
        [arm] = results["arms"]
        assert results["games"] == 3 and sum(arm[name] for name in ("win", "draw", "loss", "none")) == 3
        assert (await console.get("/api/results?q=nothing"))["games"] == 0
        for path in ("/api/games", "/api/results"):
            for accepted in ("gzip", "deflate"):
                async with console.admin.get(path, headers={"Accept-Encoding": accepted}) as answer:
                    encoding = answer.headers.get("Content-Encoding")
                    assert encoding == ("gzip" if accepted == "gzip" else None)


async def test_a_wrong_limit_or_filter_is_refused() -> None:
    """The error has the field and its values. A game that is not kept is named."""
    async with running() as console:
        for limit in ("0", "201", "x", "-1", "1.5", "9" * 5000):
            answer = await console.get(f"/api/games?limit={limit}", status=400)
            assert answer["error"] == f"limit must be from 1 to 200: not {limit}"
        for path in ("/api/games", "/api/results"):
            for query, named in (("result=won", "result: must be one of win"), ("colour=red", "colour: ")):
                assert (await console.get(f"{path}?{query}", 400))["error"].startswith(named)
        assert await console.get("/api/games/x", status=404) == {"error": "no such game: x"}
        assert await console.get("/api/games?before=x", status=404) == {"error": "no such game: x"}


async def test_operators_see_the_moves_and_the_database(database: OutcomesDatabase) -> None:
    """The overview has the moves of the last hour, the gateway's start and the state of the database."""
    async with running(outcomes=database) as console:
        await console.play("g", range(3))
        await _listed(console, 1)
        async with asyncio.timeout(PATIENCE):
            # All readers within a second get the same state of the gateway.
            while (overview := await console.get("/api/overview"))["moves"]["answered"] < 3:
                await asyncio.sleep(0.02)
    moves = overview["moves"]
    # The board stays as it is, so the first two answers look late.
    assert (moves["answered"], moves["late"], moves["best_so_far"], moves["reflexes"]) == (3, 2, 0, 0)
    assert 0 < moves["median_ms"] <= moves["p99_ms"]
    # The searcher is not embedded, so the gateway does not restart it.
    assert moves["searcher_restarts"] is None
    assert overview["started_at"] <= moves["since"]
    assert overview["database"] == {"state": "connected", "lost": False, "waiting": 0}
    async with running() as console:
        assert (await console.get("/api/overview"))["database"] is None


async def test_without_recording_there_are_no_games() -> None:
    """The console shows the reason for missing games and counts lost records, and moves get answers."""
    async with running(games=None) as console:
        await console.play("g", range(2))
        assert await console.get("/api/games") == {"games": []}
        for path in ("/api/games/g", "/api/events", "/api/games/g/events"):
            assert await console.get(path, 404) == {"error": "no games are recorded: --games is none"}
        async with console.admin.post("/api/games/import", json={"address": "localhost/games/x"}) as answer:
            assert answer.status == 404
        assert (await console.get("/api/overview"))["counts"] == {"lost_records": 0, "probes": 0}


ROUTES = """
[[snakes]]
path = "/"
name = "Root"
color = "#112233"
arms = [{ name = "a", strategy = "paranoid/area", weight = 3 }, { name = "b" }]

[[snakes]]
path = "/away"
arms = [{ name = "far", searcher = "127.0.0.1:1", strategy = "maxn/area" }]
"""


async def test_it_names_snakes_searchers_and_experiments(tmp_path: Path) -> None:
    """Snakes have looks and addresses, searchers their state, and draws of several arms their shares."""
    routes = tmp_path / "routes.toml"
    routes.write_text(ROUTES)
    async with running(routes=routes) as console:
        overview = await console.get("/api/overview")
    root, away = overview["snakes"]
    assert (root["name"], root["color"], root["url"]) == ("Root", "#112233", "http://127.0.0.1:8000/")
    assert (away["path"], away["strategy"], away["url"]) == (
        "/away",
        "maxn/area",
        "http://127.0.0.1:8000/away",
    )
    assert sorted(searcher["serving"] for searcher in overview["searchers"]) == [False, True]
    [down] = [one for one in overview["searchers"] if not one["serving"]]
    assert down["address"] == "127.0.0.1:1" and "UNAVAILABLE" in down["trouble"]
    [experiment] = overview["experiments"]
    assert experiment["name"] == "default"
    assert [(arm["name"], arm["share"]) for arm in experiment["arms"]] == [("a", 0.75), ("b", 0.25)]


async def test_it_has_the_reason_why_a_snake_plays_only_reflexes(tmp_path: Path) -> None:
    """The searcher serves, but it has found the snake's evaluator faulty."""
    service = ListingService("area")
    service.listed.faulty_evaluators.add(name="raising", reason="ValueError: no (raising.py:11)")
    routes = tmp_path / "routes.toml"
    async with scripted_searcher.searcher(service) as target:
        arm = f'{{ name = "a", strategy = "paranoid/raising", searcher = "{target}" }}'
        routes.write_text(f'[[snakes]]\npath = "/"\narms = [{arm}]')
        async with running(routes=routes) as console:
            overview = await console.get("/api/overview")
    assert [searcher["serving"] for searcher in overview["searchers"]] == [True]
    reason = "/, arm a: faulty evaluator raising: ValueError: no (raising.py:11)"
    assert overview["readiness"] == {"status": "not ready", "reason": reason}


async def test_an_address_that_is_unknown_or_secret_is_not_shown(tmp_path: Path) -> None:
    """An address is missing if it contains a token, or if the gateway has any free port."""
    routes = tmp_path / "routes.toml"
    routes.write_text(ROUTES.replace('path = "/away"\n', 'path = "/away"\ntoken = "a-token-of-16-letters"\n'))
    async with running(routes=routes) as console:
        root, away = (await console.get("/api/overview"))["snakes"]
    assert "url" in root and "url" not in away
    async with running(public_port=0) as console:
        [snake] = (await console.get("/api/overview"))["snakes"]
    assert "url" not in snake


async def _follow(console: Console, path: str, opened: asyncio.Semaphore) -> list[Event]:
    async with console.admin.get(path) as answer:
        opened.release()
        return await events_of(answer, "end")


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
    """A connection that is never read is dropped, while games run and other readers read them."""
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


async def test_the_head_of_an_event_stream_has_no_body() -> None:
    """The connection can be used for the next request."""
    async with running() as console:
        async with console.admin.head("/api/events") as answer:
            assert (answer.status, answer.content_type) == (200, "text/event-stream")
        assert (await console.get("/api/games"))["games"] == []
