"""The player, over real sockets, in front of scripted searchers."""

import asyncio
import json
from typing import Any

import grpc
import pytest
from aiohttp.test_utils import TestClient, TestServer

from gateway import app, reflex
from gateway.bodies import decode
from protos.battlesnake.search.v1 import search_pb2
from tests.gateway import scripted_searcher
from tests.gateway.clients import move_by, playing, timed_move
from tests.gateway.scripted_searcher import Script, ScriptedService, body

SLOW_MACHINE = 0.5
"""Seconds that a busy machine may add; without a deadline the searches here would take a minute."""


@pytest.mark.parametrize("timeout", [100, 500])
async def test_the_best_so_far_is_played_in_time(timeout: int) -> None:
    """If a searcher falls silent, its best move so far is played within the engine's timeout."""
    move, seconds, metrics = await move_by(scripted_searcher.one_depth_then_silence, body(timeout=timeout))
    assert move == "right" and seconds < timeout / 1000 + SLOW_MACHINE
    assert 'gateway_moves_total{source="best-so-far"} 1.0' in metrics


async def test_a_stranger_gets_no_longer_search_than_configured() -> None:
    """A game that waits for days is answered like one with the longest timeout, by a search as short."""
    service = ScriptedService(scripted_searcher.one_depth_then_silence)
    async with scripted_searcher.searcher(service) as target:
        built = app.build(target, "", longest_timeout=300)
        async with TestClient(TestServer(built)) as client:
            move, seconds = await timed_move(client, body(timeout=1_000_000_000))
    assert move == "right" and seconds < 0.3 + SLOW_MACHINE
    assert 0 < service.requests[0].limits.time.ToTimedelta().total_seconds() < 0.3


async def test_the_best_so_far_is_played_after_a_crash() -> None:
    """If a searcher crashes, its best move so far is played, and the failure is counted by its code."""
    move, _, metrics = await move_by(scripted_searcher.one_depth_then_crash, body())
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
    move, seconds, metrics = await move_by(script, sent)
    assert move == reflex.choose(decode(json.dumps(sent).encode())) and seconds < 0.5 + SLOW_MACHINE
    assert 'gateway_moves_total{source="reflex"} 1.0' in metrics


async def test_the_reflex_is_played_when_a_searcher_names_no_move() -> None:
    """A result without a direction counts as no result."""

    async def script(*_: object) -> Any:
        yield scripted_searcher.response(search_pb2.DIRECTION_UNSPECIFIED, final=True)

    _, _, metrics = await move_by(script, body())
    assert 'gateway_moves_total{source="reflex"} 1.0' in metrics


async def test_many_games_at_once_are_answered_in_time() -> None:
    """The slow searches of 32 games run concurrently."""
    async with playing(scripted_searcher.one_depth_then_silence) as client:
        moves = await asyncio.gather(*(timed_move(client, body(id=str(n))) for n in range(32)))
    assert {move for move, _ in moves} == {"right"}
    # One after another they would take 15 seconds.
    assert max(seconds for _, seconds in moves) < 3
