"""A searcher whose evaluator does not end in a position: it starts again without the evaluator."""

import asyncio
import os
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2_grpc
from battlesnake_search.contract import search_pb2 as pb
from searcher.serving import analysis
from searcher.serving.scheduling import scheduler
from tests.searcher.fakes import FakeStrategies
from tests.searcher.plugins.packages import PACKAGE, path_with, source, unpack
from tests.searcher.requests import search_request
from tests.searcher.serving.calls import serving
from tests.support.child_process import killed
from tests.support.searchers import until_serving
from tests.support.services import ROOT

LONG = 180.0
"""Seconds, far more than a searcher needs for any step on a busy machine."""

RETRIED = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
)

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
            # A call that arrives while the searcher ends is cancelled. A busy machine may use up its time.
            assert error.code() in RETRIED
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


async def test_an_endless_search_takes_off_its_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    """The caller gets the reason, and the process is to end."""
    monkeypatch.setattr(scheduler, "PATIENCE", 0.1)
    monkeypatch.setattr(scheduler, "_PATIENCE_TIMES", 1.0)
    strategies = FakeStrategies(depth_seconds=LONG)
    deaf = replace(strategies.offer.searches["steady"], name="deaf")
    strategies.offer = replace(strategies.offer, searches={"deaf": deaf})
    asked = search_request(milliseconds=50)
    asked.strategy.search = "deaf"
    async with serving(strategies) as (server, channel):
        with pytest.raises(grpc.aio.AioRpcError, match="a search in turn 12 did not end within"):
            await search_pb2_grpc.SearchServiceStub(channel).Search(asked)
        assert server.endless.done()
        assert strategies.taken_off == ["weighed"]


async def test_an_endless_evaluation_takes_off_its_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    """The console evaluates positions without a search. Meanwhile the searcher answers others."""
    may_end = threading.Event()
    monkeypatch.setattr(analysis, "PATIENCE", 0.5)
    strategies = FakeStrategies()
    monkeypatch.setattr(strategies, "evaluate", lambda *_: may_end.wait(LONG))
    request = analysis_pb2.EvaluateRequest(position=search_request().position)
    async with serving(strategies) as (server, channel):
        evaluating = asyncio.ensure_future(analysis_pb2_grpc.AnalysisServiceStub(channel).Evaluate(request))
        await search_pb2_grpc.SearchServiceStub(channel).Search(search_request(depth=1))
        with pytest.raises(grpc.aio.AioRpcError, match="an evaluation in turn 12 did not end"):
            await evaluating
        may_end.set()
        assert server.endless.done()
        assert strategies.taken_off == ["weighed"]
