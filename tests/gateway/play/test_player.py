"""The player, over real sockets, in front of scripted searchers."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from aiohttp.test_utils import TestClient, TestServer

from battlesnake_search.plan import OWN
from battlesnake_search.reader import decode
from battlesnake_search.record.events import Source
from battlesnake_search.searchable import position_of
from battlesnake_search.searcher_client import Failure
from battlesnake_search.translate import MoveResult
from gateway import app, reflex
from gateway.metrics import Metrics
from gateway.play import player
from gateway.play.budget import Budget, divide, first_delays
from gateway.play.player import Answer, Player
from gateway.play.shadows import SeenTurn, Shadows
from gateway.routes import loading
from gateway.routes.draw import choose_arm
from gateway.searchers.pool import SearcherPool
from gateway.settings import NO_CONSOLE, Settings
from tests.gateway import scripted_searcher
from tests.gateway.clients import PATIENCE, move_by, playing, timed_move
from tests.gateway.scripted_searcher import Script, ScriptedService, body
from tests.support.event_loop import until

SLOW_MACHINE = 0.5
"""Seconds that a busy machine may add; without a deadline the searches here would take a minute."""


async def test_the_best_so_far_is_played_in_time() -> None:
    """If a searcher falls silent, its best move so far is played within the engine's timeout."""
    move, seconds, metrics = await move_by(scripted_searcher.one_depth_then_silence, body(timeout=300))
    assert move == "right" and seconds < 0.3 + SLOW_MACHINE
    assert 'gateway_moves_total{source="best-so-far"} 1.0' in metrics


async def test_a_stranger_gets_no_longer_search_than_configured() -> None:
    """A game that waits for days is answered like one with the longest timeout, by a search as short."""
    service = ScriptedService(scripted_searcher.one_depth_then_silence)
    async with scripted_searcher.searcher(service) as target:
        built = app.build(Settings(searcher=target, console=NO_CONSOLE, max_timeout=300))
        async with TestClient(TestServer(built)) as client:
            move, seconds = await timed_move(client, body(timeout=1_000_000_000))
    assert move == "right" and seconds < 0.3 + SLOW_MACHINE
    assert 0 < service.requests[0].limits.time.ToTimedelta().total_seconds() < 0.3


async def test_long_moves_of_a_crowd_are_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger's long moves don't keep out those of games. Beyond a number of moves there are reflexes."""
    monkeypatch.setattr(player, "CROWD", 1)
    monkeypatch.setattr(player, "MOST_SEARCHES", 2)
    service = ScriptedService(scripted_searcher.one_depth_then_silence)
    async with (
        scripted_searcher.searcher(service) as target,
        TestClient(TestServer(app.build(Settings(searcher=target, console=NO_CONSOLE)))) as client,
    ):
        first = asyncio.create_task(timed_move(client, body(timeout=3000, id="a")))
        await until(lambda: len(service.requests) == 1)
        second = asyncio.create_task(timed_move(client, body(timeout=3000, id="b")))
        await until(lambda: len(service.requests) == 2)
        _, reflex_seconds = await timed_move(client, body(timeout=3000, id="c"))
        await asyncio.gather(first, second)
    times = [request.limits.time.ToTimedelta().total_seconds() for request in service.requests]
    assert times[0] > 2 > 1 > times[1] and len(times) == 2
    assert reflex_seconds < SLOW_MACHINE


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
    move, seconds, metrics = await move_by(script, sent)
    assert move == reflex.choose(decode(json.dumps(sent).encode())) and seconds < 0.5 + SLOW_MACHINE
    assert 'gateway_moves_total{source="reflex"} 1.0' in metrics


async def test_many_games_at_once_are_answered_in_time() -> None:
    """The slow searches of 32 games run concurrently."""
    async with playing(scripted_searcher.one_depth_then_silence) as client:
        moves = await asyncio.gather(*(timed_move(client, body(id=str(n), timeout=2_000)) for n in range(32)))
    assert {move for move, _ in moves} == {"right"}
    # One after another they would take a minute.
    assert max(seconds for _, seconds in moves) < 10


@asynccontextmanager
async def _player(script: Script, longest: float) -> AsyncIterator[tuple[Player, ScriptedService]]:
    service = ScriptedService(script)
    async with scripted_searcher.searcher(service) as target, SearcherPool(target) as pool:
        await pool.open([OWN])
        async with Shadows(pool, lambda _comparison: None, Metrics().shadows.count_dropped) as shadows:
            yield Player(pool, shadows, longest), service


async def _answer(player: Player, sent: dict[str, Any], budget: Budget, late: bool = False) -> Answer:
    """Have a body answered; `late`: the answer before was."""
    turn, routes = decode(json.dumps(sent).encode()), loading.load(None, "")
    arrived = time.monotonic()
    view = SeenTurn(turn, position_of(turn), late)
    return await player.answer(view, choose_arm(routes, routes.default, turn), budget, arrived)


async def test_times_are_those_of_the_budget() -> None:
    """The search ends with its budget, and the time left is counted up to the engine's timeout."""
    timeout = 1_000_000_000
    budget = divide(timeout, first_delays(timeout)).search / 1000
    async with _player(scripted_searcher.at_once, timeout) as (player, service):
        answer = await _answer(player, body(timeout=timeout), Budget(timeout))
    [request] = service.requests
    assert budget - PATIENCE < request.limits.time.ToMicroseconds() / 1e6 <= budget
    assert answer.budget == pytest.approx(budget)
    assert answer.left + answer.elapsed == pytest.approx(timeout / 1000) and 0 < answer.elapsed < PATIENCE


async def test_an_unexpected_error_costs_no_move() -> None:
    """The engine waits for a move, whatever goes wrong in a search."""
    drop = Metrics().shadows.count_dropped
    async with SearcherPool("127.0.0.1:1") as pool, Shadows(pool, lambda _one: None, drop) as shadows:
        # No target is open: the pool has no client for the plan.
        answer = await _answer(Player(pool, shadows), body(), Budget(500))
    assert (answer.source, answer.failures, answer.result) == (Source.REFLEX, (), None)


RESULT = MoveResult("up", 0.5, 7, 10, 0.3)
FAILURE = Failure(grpc.StatusCode.UNAVAILABLE, "not now")


@pytest.mark.parametrize(
    ("source", "result", "failures", "overhead"),
    [
        (Source.SEARCH, RESULT, (), pytest.approx(0.1)),
        (Source.SEARCH, RESULT, (FAILURE,), None),
        (Source.BEST_SO_FAR, RESULT, (), None),
        (Source.REFLEX, None, (), None),
    ],
)
def test_the_overhead_is_that_of_a_search_without_failures(
    source: Source, result: MoveResult | None, failures: tuple[Failure, ...], overhead: float | None
) -> None:
    """For other answers, the time of the search itself is unknown."""
    assert Answer("up", source, "", 0.4, 0.0, 0.1, result, failures, False).overhead == overhead
