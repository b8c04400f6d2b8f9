"""The Battlesnake API over real sockets, in front of scripted searchers."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
import structlog

from gateway import reflex
from gateway.bodies import decode
from protos.battlesnake.search.v1 import search_pb2
from tests.gateway import scripted
from tests.gateway.scripted import REQUESTS, Gateway, Script, ScriptedService, body

NOBODY = "127.0.0.1:1"

SLOW_MACHINE = 0.5
"""Seconds that a busy machine may add; the searches that these tests wait for would take a minute."""


def _webhook(path: Path) -> str:
    """The path that a recorded body was posted to."""
    return next(name for name in ("/start", "/move", "/end") if f"-{name[1:]}-" in path.name)


async def _move(client: Gateway, sent: dict[str, Any]) -> tuple[str, float]:
    """The answered move, and the seconds that it took."""
    now = asyncio.get_running_loop().time
    started = now()
    async with client.post("/move", json=sent) as answer:
        assert answer.status == 200
        return (await answer.json())["move"], now() - started


@asynccontextmanager
async def _playing(script: Script) -> AsyncIterator[Gateway]:
    """A gateway in front of a searcher that follows the script."""
    async with scripted.searcher(ScriptedService(script)) as target, scripted.gateway(target) as client:
        yield client


async def _move_by(script: Script, sent: dict[str, Any]) -> tuple[str, float, str]:
    """As _move, with a searcher that follows the script; and the counters after it."""
    async with _playing(script) as client:
        move, seconds = await _move(client, sent)
        async with client.get("/metrics") as counters:
            return move, seconds, await counters.text()


@pytest.mark.parametrize("path", sorted(REQUESTS.glob("*.json")), ids=lambda path: path.stem)
async def test_every_recorded_request_is_answered(path: Path) -> None:
    """Each request of the official engine gets 200 and, on /move, the searcher's move."""
    service = ScriptedService(scripted.at_once)
    async with (
        scripted.searcher(service) as target,
        scripted.gateway(target) as client,
        client.post(_webhook(path), data=path.read_bytes()) as answer,
    ):
        expected = {"move": "up"} if _webhook(path) == "/move" else {}
        assert (answer.status, await answer.json()) == (200, expected)
    assert len(service.requests) == (_webhook(path) == "/move")


async def test_the_index_says_what_the_snake_looks_like() -> None:
    """GET / gives the version of the API and the looks, all of them text."""
    async with scripted.gateway(NOBODY) as client, client.get("/") as answer:
        looks = await answer.json()
    assert set(looks) == {"apiversion", "author", "color", "head", "tail", "version"}
    assert looks["apiversion"] == "1" and all(isinstance(value, str) for value in looks.values())


async def test_a_bad_body_is_refused_by_field() -> None:
    """A body with a wrong field gets 400 and the field's path, on all three paths."""
    sent = body()
    sent["board"]["snakes"][0]["body"][2]["x"] = "7"
    async with scripted.gateway(NOBODY) as client:
        for path in ("/start", "/move", "/end"):
            async with client.post(path, json=sent) as answer:
                assert answer.status == 400
                assert (await answer.json())["field"] == "board.snakes[0].body[2].x"
        async with client.get("/metrics") as counters:
            assert "gateway_bad_requests_total 3.0" in await counters.text()


async def test_the_strategy_is_asked_for() -> None:
    """The snake's strategy and position reach the searcher."""
    service = ScriptedService(scripted.at_once)
    sent = body()
    async with scripted.searcher(service) as target, scripted.gateway(target, "paranoid/area") as client:
        await _move(client, sent)
    [request] = service.requests
    assert request.strategy == search_pb2.Strategy(search="paranoid", evaluator="area")
    assert request.position.you_id == sent["you"]["id"]
    assert len(request.position.board.snakes) == len(sent["board"]["snakes"])


async def test_a_completed_search_is_counted_as_one() -> None:
    """The source, depth, nodes and overhead of a searched move are counted."""
    _, _, counters = await _move_by(scripted.at_once, body())
    assert 'gateway_moves_total{source="search"} 1.0' in counters
    assert "gateway_search_depth_sum 2.0" in counters and "gateway_search_nodes_total 20.0" in counters
    assert "gateway_overhead_seconds_count 1.0" in counters


@pytest.mark.parametrize("timeout", [100, 500])
async def test_the_best_so_far_is_played_in_time(timeout: int) -> None:
    """A searcher that falls silent costs depth, and isn't waited for beyond the engine's timeout."""
    move, seconds, counters = await _move_by(scripted.one_depth_then_silence, body(timeout=timeout))
    assert move == "right" and seconds < timeout / 1000 + SLOW_MACHINE
    assert 'gateway_moves_total{source="best-so-far"} 1.0' in counters


async def test_the_best_so_far_is_played_after_a_crash() -> None:
    """A searcher that crashes in mid-search costs depth; the failure is counted by its code."""
    move, _, counters = await _move_by(scripted.one_depth_then_crash, body())
    assert move == "right"
    assert 'gateway_searcher_failures_total{code="INTERNAL"} 1.0' in counters


@pytest.mark.parametrize(
    "script",
    [
        scripted.never,
        scripted.refusing(grpc.StatusCode.RESOURCE_EXHAUSTED, times=1000),
        scripted.refusing(grpc.StatusCode.INVALID_ARGUMENT, times=1000),
    ],
    ids=["never answering", "overloaded", "refusing"],
)
async def test_the_reflex_is_played_when_no_searcher_answers(script: Script) -> None:
    """Without any result the reflex is answered, in time."""
    sent = body()
    move, seconds, counters = await _move_by(script, sent)
    assert move == reflex.choose(decode(json.dumps(sent).encode())) and seconds < 0.5 + SLOW_MACHINE
    assert 'gateway_moves_total{source="reflex"} 1.0' in counters


async def test_the_reflex_is_played_when_a_searcher_names_no_move() -> None:
    """A result without a direction is as good as none."""

    async def script(*_: object) -> Any:
        yield scripted.response(search_pb2.DIRECTION_UNSPECIFIED, final=True)

    _, _, counters = await _move_by(script, body())
    assert 'gateway_moves_total{source="reflex"} 1.0' in counters


async def test_many_games_at_once_are_answered_in_time() -> None:
    """Slow searches of 32 games run side by side."""
    async with _playing(scripted.one_depth_then_silence) as client:
        moves = await asyncio.gather(*(_move(client, body(id=str(n))) for n in range(32)))
    assert {move for move, _ in moves} == {"right"}
    # One after another they would take 15 seconds.
    assert max(seconds for _, seconds in moves) < 3


async def test_start_and_end_wait_for_nothing() -> None:
    """With a searcher that never answers, games still start and end at once."""
    now = asyncio.get_running_loop().time
    async with _playing(scripted.never) as client:
        started = now()
        for path in ("/start", "/end"):
            async with client.post(path, json=body()) as answer:
                assert answer.status == 200
        assert now() - started < 0.3


async def test_an_answer_leaves_in_one_packet() -> None:
    """One read from the socket holds headers and body: apart they would cost the engine 45 ms."""
    sent = json.dumps(body()).encode()
    head = b"POST /move HTTP/1.1\r\nHost: snake\r\nContent-Length: %d\r\n\r\n" % len(sent)
    loop = asyncio.get_running_loop()
    async with _playing(scripted.at_once) as client:
        with socket.create_connection(("127.0.0.1", client.port or 0)) as connection:
            connection.setblocking(False)
            for _ in range(5):
                await loop.sock_sendall(connection, head + sent)
                answer = await loop.sock_recv(connection, 65536)
                assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b'{"move":"up"}')


async def test_a_move_is_logged_in_one_line() -> None:
    """The line of a move tells the game, the turn, the search and the time."""
    sent = body()
    with structlog.testing.capture_logs() as lines:
        await _move_by(scripted.at_once, sent)
    [line] = [line for line in lines if line["event"] == "move"]
    expected = {"log_level": "info", "game_id": sent["game"]["id"], "turn": 42, "move": "up", "depth": 2}
    assert line.items() >= (expected | {"nodes": 20, "score": 0.25, "source": "search"}).items()
    assert 0 < line["time_left_ms"] < 500 and line["elapsed_ms"] > 0


async def test_a_reported_timeout_is_counted() -> None:
    """An answer that the engine found late shows in the counters a turn later."""
    sent = body()
    for snake in sent["board"]["snakes"]:
        snake["latency"] = "501"
    _, _, counters = await _move_by(scripted.at_once, sent)
    assert "gateway_late_moves_total 1.0" in counters
