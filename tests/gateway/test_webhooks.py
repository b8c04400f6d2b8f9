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
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import REQUESTS, Gateway, Script, ScriptedService, body

NOBODY = "127.0.0.1:1"

SLOW_MACHINE = 0.5
"""Seconds that a busy machine may add; without a deadline the searches here would take a minute."""


def _webhook(path: Path) -> str:
    """Return the path to which a recorded body was posted."""
    return next(name for name in ("/start", "/move", "/end") if f"-{name[1:]}-" in path.name)


async def _move(client: Gateway, sent: dict[str, Any]) -> tuple[str, float]:
    """Return the answered move, and the seconds that it took."""
    now = asyncio.get_running_loop().time
    started = now()
    async with client.post("/move", json=sent) as answer:
        assert answer.status == 200
        return (await answer.json())["move"], now() - started


@asynccontextmanager
async def _playing(script: Script) -> AsyncIterator[Gateway]:
    """Serve a gateway in front of a searcher that follows the script; yield a client."""
    async with (
        scripted_searcher.searcher(ScriptedService(script)) as target,
        scripted_searcher.gateway(target) as client,
    ):
        yield client


async def _move_by(script: Script, sent: dict[str, Any]) -> tuple[str, float, str]:
    """Return a move by a searcher that follows the script, the seconds, and the metrics after it."""
    async with _playing(script) as client:
        move, seconds = await _move(client, sent)
        async with client.get("/metrics") as metrics:
            return move, seconds, await metrics.text()


@pytest.mark.parametrize("path", sorted(REQUESTS.glob("*.json")), ids=lambda path: path.stem)
async def test_every_recorded_request_is_answered(path: Path) -> None:
    """Each request of the official engine gets 200 and, on /move, the searcher's move."""
    service = ScriptedService(scripted_searcher.at_once)
    async with (
        scripted_searcher.searcher(service) as target,
        scripted_searcher.gateway(target) as client,
        client.post(_webhook(path), data=path.read_bytes()) as answer,
    ):
        expected = {"move": "up"} if _webhook(path) == "/move" else {}
        assert (answer.status, await answer.json()) == (200, expected)
    assert len(service.requests) == (_webhook(path) == "/move")


async def test_the_index_has_the_snakes_appearance() -> None:
    """GET / answers with the API's version and the appearance, all of them strings."""
    async with scripted_searcher.gateway(NOBODY) as client, client.get("/") as answer:
        appearance = await answer.json()
    assert set(appearance) == {"apiversion", "author", "color", "head", "tail", "version"}
    assert appearance["apiversion"] == "1" and all(isinstance(value, str) for value in appearance.values())


async def test_an_invalid_body_is_refused_by_field() -> None:
    """A body with an invalid field gets 400 and the path of the field, on all three webhooks."""
    sent = body()
    sent["board"]["snakes"][0]["body"][2]["x"] = "7"
    async with scripted_searcher.gateway(NOBODY) as client:
        for path in ("/start", "/move", "/end"):
            async with client.post(path, json=sent) as answer:
                assert answer.status == 400
                assert (await answer.json())["field"] == "board.snakes[0].body[2].x"
        async with client.get("/metrics") as metrics:
            assert "gateway_bad_requests_total 3.0" in await metrics.text()


async def test_the_strategy_reaches_the_searcher() -> None:
    """The request to the searcher has the snake's strategy and position."""
    service = ScriptedService(scripted_searcher.at_once)
    sent = body()
    async with (
        scripted_searcher.searcher(service) as target,
        scripted_searcher.gateway(target, "paranoid/area") as client,
    ):
        await _move(client, sent)
    [request] = service.requests
    assert request.strategy == search_pb2.Strategy(search="paranoid", evaluator="area")
    assert request.position.you_id == sent["you"]["id"]
    assert len(request.position.board.snakes) == len(sent["board"]["snakes"])


async def test_a_completed_search_is_counted() -> None:
    """The metrics count the source, depth, nodes and overhead of a searched move."""
    _, _, metrics = await _move_by(scripted_searcher.at_once, body())
    assert 'gateway_moves_total{source="search"} 1.0' in metrics
    assert "gateway_search_depth_sum 2.0" in metrics and "gateway_search_nodes_total 20.0" in metrics
    assert "gateway_overhead_seconds_count 1.0" in metrics


@pytest.mark.parametrize("timeout", [100, 500])
async def test_the_best_so_far_is_played_in_time(timeout: int) -> None:
    """If a searcher falls silent, its best move so far is played within the engine's timeout."""
    move, seconds, metrics = await _move_by(scripted_searcher.one_depth_then_silence, body(timeout=timeout))
    assert move == "right" and seconds < timeout / 1000 + SLOW_MACHINE
    assert 'gateway_moves_total{source="best-so-far"} 1.0' in metrics


async def test_the_best_so_far_is_played_after_a_crash() -> None:
    """If a searcher crashes, its best move so far is played, and the failure is counted by its code."""
    move, _, metrics = await _move_by(scripted_searcher.one_depth_then_crash, body())
    assert move == "right"
    assert 'gateway_searcher_failures_total{code="INTERNAL"} 1.0' in metrics


@pytest.mark.parametrize(
    "script",
    [
        scripted_searcher.never,
        scripted_searcher.refusing(grpc.StatusCode.RESOURCE_EXHAUSTED, times=1000),
        scripted_searcher.refusing(grpc.StatusCode.INVALID_ARGUMENT, times=1000),
    ],
    ids=["never answering", "overloaded", "refusing"],
)
async def test_the_reflex_is_played_when_no_searcher_answers(script: Script) -> None:
    """Without any result the reflex is played, in time."""
    sent = body()
    move, seconds, metrics = await _move_by(script, sent)
    assert move == reflex.choose(decode(json.dumps(sent).encode())) and seconds < 0.5 + SLOW_MACHINE
    assert 'gateway_moves_total{source="reflex"} 1.0' in metrics


async def test_the_reflex_is_played_when_a_searcher_names_no_move() -> None:
    """A result without a direction counts as no result."""

    async def script(*_: object) -> Any:
        yield scripted_searcher.response(search_pb2.DIRECTION_UNSPECIFIED, final=True)

    _, _, metrics = await _move_by(script, body())
    assert 'gateway_moves_total{source="reflex"} 1.0' in metrics


async def test_many_games_at_once_are_answered_in_time() -> None:
    """The slow searches of 32 games run concurrently."""
    async with _playing(scripted_searcher.one_depth_then_silence) as client:
        moves = await asyncio.gather(*(_move(client, body(id=str(n))) for n in range(32)))
    assert {move for move, _ in moves} == {"right"}
    # One after another they would take 15 seconds.
    assert max(seconds for _, seconds in moves) < 3


async def test_start_and_end_wait_for_nothing() -> None:
    """Games start and end at once even if the searcher never answers."""
    now = asyncio.get_running_loop().time
    async with _playing(scripted_searcher.never) as client:
        started = now()
        for path in ("/start", "/end"):
            async with client.post(path, json=body()) as answer:
                assert answer.status == 200
        assert now() - started < 0.3


async def test_an_answer_is_sent_in_one_packet() -> None:
    """One read from the socket gets headers and body; two packets would cost the engine 45 ms."""
    sent = json.dumps(body()).encode()
    head = b"POST /move HTTP/1.1\r\nHost: snake\r\nContent-Length: %d\r\n\r\n" % len(sent)
    loop = asyncio.get_running_loop()
    async with _playing(scripted_searcher.at_once) as client:
        with socket.create_connection(("127.0.0.1", client.port or 0)) as connection:
            connection.setblocking(False)
            for _ in range(5):
                await loop.sock_sendall(connection, head + sent)
                answer = await loop.sock_recv(connection, 65536)
                assert answer.startswith(b"HTTP/1.1 200") and answer.endswith(b'{"move":"up"}')


async def test_a_move_is_logged_in_one_line() -> None:
    """The log line of a move has the game, the turn, the search and the time."""
    sent = body()
    with structlog.testing.capture_logs() as lines:
        await _move_by(scripted_searcher.at_once, sent)
    [line] = [line for line in lines if line["event"] == "move"]
    expected = {"log_level": "info", "game_id": sent["game"]["id"], "turn": 42, "move": "up", "depth": 2}
    assert line.items() >= (expected | {"nodes": 20, "score": 0.25, "source": "search"}).items()
    assert 0 < line["time_left_ms"] < 500 and line["elapsed_ms"] > 0


async def test_a_reported_timeout_is_counted() -> None:
    """An answer that the engine reports as late is counted a turn later."""
    sent = body()
    for snake in sent["board"]["snakes"]:
        snake["latency"] = "501"
    _, _, metrics = await _move_by(scripted_searcher.at_once, sent)
    assert "gateway_late_moves_total 1.0" in metrics
