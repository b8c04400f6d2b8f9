"""A searcher whose evaluator does not end in a position: it starts again without the evaluator."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2_grpc
from battlesnake_search.contract import search_pb2 as pb
from searcher.serving.scheduling.scheduler import PATIENCE, Patience
from searcher.serving.server import Server
from tests.searcher.fakes import FakeStrategies
from tests.searcher.plugins.packages import PACKAGE, path_with, source, unpack
from tests.searcher.requests import search_request
from tests.support.child_process import killed
from tests.support.searchers import until_serving
from tests.support.services import ROOT

LONG = 180.0
"""Seconds, far more than a searcher needs for any step on a busy machine."""

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING

TRAP = source(
    "total = 0\n"
    "while board.health[snake] > 0 and game.turn == 999:\n"
    "    total ^= 1\n"
    "return 0.001 * board.length[snake] + total"
)
"""An evaluator that passes its trial, because no position of it is of this turn."""


def request(evaluator: str, turn: int) -> pb.SearchRequest:
    """Return a search of 100 ms with an evaluator."""
    asked = search_request(milliseconds=100)
    asked.strategy.search, asked.strategy.evaluator = "paranoid", evaluator
    asked.position.turn = turn
    return asked


@asynccontextmanager
async def searcher_with_trap(folder: Path) -> AsyncIterator[tuple[grpc.aio.Channel, Path]]:
    """Yield a channel to a searcher with one worker whose trap has passed its trial, and its log."""
    unpack(folder / "site", {"heads": "", "trap": TRAP}, {"trap": f"{PACKAGE}.trap"})
    address, log = f"unix:{folder}/searcher.sock", folder / "log"
    command = [sys.executable, "-m", "searcher", "serve", "--listen", address, "--workers", "1"]
    env = os.environ | {"PYTHONPATH": path_with(folder / "site"), "SEARCHER_ONLY": "paranoid/trap"}
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=env, stderr=errors)
    try:
        async with asyncio.timeout(LONG), grpc.aio.insecure_channel(address) as channel:
            await until_serving(address)
            yield channel, log
    finally:
        await killed(process)


async def answered(channel: grpc.aio.Channel, asked: pb.SearchRequest, words: str = "") -> None:
    """Repeat a search until it succeeds, or until it is refused with these words."""
    search = search_pb2_grpc.SearchServiceStub(channel).Search
    while True:
        try:
            await search(asked, wait_for_ready=True)
            if not words:
                return
        except grpc.aio.AioRpcError as error:
            # A call that arrives while the searcher ends is cancelled.
            assert error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)
            if words and words in (error.details() or ""):
                return
        await asyncio.sleep(0.1)


@pytest.mark.rest("play against the clock")
async def test_an_endless_evaluator_is_taken_off(tmp_path: Path) -> None:
    """The log names it, the same process starts again without it, and other strategies play.

    The list of strategies has the reason.
    """
    async with searcher_with_trap(tmp_path) as (channel, log):
        await answered(channel, request("trap", 5))
        await answered(channel, request("trap", 999), "evaluator trap can't play: a search in turn 999")
        await answered(channel, request("hungry", 999))
        listed = await search_pb2_grpc.SearchServiceStub(channel).ListStrategies(pb.ListStrategiesRequest())
        assert [fault.name for fault in listed.faulty_evaluators] == ["trap"]
        assert f"{PACKAGE}/trap.py:8" in listed.faulty_evaluators[0].reason
        assert "trap" not in {each.name for each in listed.evaluators}
        assert "evaluator trap is left out: a search in turn 999 did not end" in log.read_text()


@pytest.mark.rest("play against the clock")
async def test_an_endless_evaluation_takes_off_the_evaluator(tmp_path: Path) -> None:
    """The console evaluates positions without a search; meanwhile the searcher answers others."""
    async with searcher_with_trap(tmp_path) as (channel, log):
        await answered(channel, request("trap", 5))
        asked = request("trap", 999)
        evaluate = analysis_pb2_grpc.AnalysisServiceStub(channel).Evaluate
        evaluating = asyncio.ensure_future(
            evaluate(analysis_pb2.EvaluateRequest(position=asked.position, strategy=asked.strategy))
        )
        await answered(channel, request("hungry", 999))
        assert not evaluating.done()
        with pytest.raises(grpc.aio.AioRpcError, match="an evaluation in turn 999 did not end"):
            await evaluating
        await answered(channel, request("trap", 5), "evaluator trap can't play: an evaluation in turn 999")
        await answered(channel, request("hungry", 999))
        assert "evaluator trap is left out: an evaluation in turn 999 did not end" in log.read_text()


async def status(channel: grpc.aio.Channel) -> int:
    """Return the health of the whole searcher."""
    answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest())
    return int(answer.status)


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_searcher_is_not_serving_while_late_searches_hold_all_workers(workers: int) -> None:
    """With a worker left it stays SERVING; the evaluator of an endless search is taken off once."""
    strategies = FakeStrategies(depth_seconds=LONG)
    deaf = replace(strategies.offer.searches["steady"], name="deaf")
    strategies.offer = replace(strategies.offer, searches={"deaf": deaf})
    server = Server("127.0.0.1:0", workers, strategies, patience=Patience(2.0, 1.0))
    async with grpc.aio.insecure_channel(await server.start()) as channel:
        await server.warm()
        asked = search_request(milliseconds=50)
        asked.strategy.search = "deaf"
        searching = asyncio.ensure_future(search_pb2_grpc.SearchServiceStub(channel).Search(asked))
        await asyncio.sleep(1.5)
        assert await status(channel) == (SERVING if workers > 1 else NOT_SERVING)
        async with asyncio.timeout(LONG):
            await server.endless
        assert strategies.taken_off == ["weighed"]
        with pytest.raises(grpc.aio.AioRpcError, match="UNAVAILABLE"):
            await searching
        await server.stop(0.0)


def test_a_search_counts_as_endless_long_after_its_deadline() -> None:
    """No machine is so busy that a good search is that late."""
    assert PATIENCE.seconds >= 3.0 and PATIENCE.times >= 3.0
