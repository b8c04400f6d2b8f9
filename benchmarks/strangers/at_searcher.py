"""Strangers who know a searcher's address. Some have a token."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import cycle, repeat
from typing import Any

import grpc.aio

from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.reader import decode
from battlesnake_search.translate import game_position
from benchmarks.strangers.http import HOST
from benchmarks.strangers.plan import Plan, Report, Stranger
from tests.gateway.scripted_searcher import REQUESTS

_ANALYZE = "/battlesnake.search.v1.AnalysisService/AnalyzeGame"

_REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"

_LIST_SERVICES = b"\x3a\x00"
"""A ServerReflectionRequest with an empty `list_services`."""

_STREAMS, _CHANNELS = 2000, 5

_LEFT = "Internal error from Core"
"""The details of a status of gRPC's client: a call was refused while the client was sending."""

_OWN_CONNECTION = [("grpc.use_local_subchannel_pool", 1)]
"""Gives a channel its own connection. Otherwise channels to an address share one."""

_TIMEOUT = 10.0
"""Seconds that a call may take."""

_PAUSE = 0.05
"""Seconds before the next call after a refused one, so that this process leaves its core to the services."""


async def analyze(plan: Plan, report: Report, messages: Iterator[bytes], token: str, at_once: int) -> None:
    """Keep `at_once` analyses running until the plan's number is sent."""
    metadata = [("authorization", f"Bearer {token}")]
    options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]

    async def work(channel: grpc.aio.Channel) -> None:
        call: Any = channel.unary_stream(_ANALYZE)
        while report.sent < plan.requests:
            report.sent += 1
            try:
                async for _ in call(next(messages), timeout=_TIMEOUT, metadata=metadata):
                    pass
                report.count("OK")
            except grpc.aio.AioRpcError as error:
                report.count(error.code().name)
                await asyncio.sleep(_PAUSE)

    async with grpc.aio.insecure_channel(f"{HOST}:{plan.grpc}", options=options) as channel:
        await asyncio.gather(*(work(channel) for _ in range(at_once)))


def invalid_games(size: int) -> list[bytes]:
    """Return analyses of about this many bytes with as many invalid parts as fit in."""
    bad = search_pb2.Position(you_id="nobody", board=search_pb2.Board(width=99, height=99))
    part = analysis_pb2.GamePosition(position=bad)
    few = analysis_pb2.AnalyzeGameRequest(positions=[part] * min(2000, size // 20))
    per_position = size // len(few.positions)
    for number, each in enumerate(few.positions):
        snakes = each.position.board.snakes
        while each.ByteSize() < per_position:
            snakes.add(id=f"{number}-{len(snakes)}", health=-1)
    # Numbers that are no moves are possible, but not in the annotations.
    unknown: Any = [99] * (size // 2)
    moves = analysis_pb2.AnalyzeGameRequest(avoided_moves=unknown)
    weights = search_pb2.Strategy(
        evaluator="area", weights={f"w{number}": 1.0 for number in range(size // 20)}
    )
    named = analysis_pb2.AnalyzeGameRequest(positions=[part], strategy=weights)
    return [each.SerializeToString() for each in (few, moves, named)]


async def analyze_invalid_games(plan: Plan, report: Report) -> None:
    """Ask for analyses with invalid parts."""
    messages = cycle([message for size in (60_000, 720_000) for message in invalid_games(size)])
    await analyze(plan, report, messages, plan.limited, at_once=20)


async def analyze_large_games(plan: Plan, report: Report) -> None:
    """Ask for many analyses of 1 MB at once."""
    turn = decode((REQUESTS / "standard-move-mid-42.json").read_bytes())
    part = game_position(turn)
    request = analysis_pb2.AnalyzeGameRequest(
        positions=[part] * min(1_990, 1_040_000 // (part.ByteSize() + 4))
    )
    await analyze(plan, report, repeat(request.SerializeToString()), plan.unlimited, at_once=64)


async def reflect(plan: Plan, report: Report) -> None:
    """Keep many streams of the server reflection open: each sends a message, and nothing more."""
    metadata = (("authorization", f"Bearer {plan.limited}"),)

    async def messages() -> AsyncIterator[bytes]:
        yield _LIST_SERVICES
        await asyncio.sleep(plan.seconds)

    async def keep(channel: Any) -> None:
        while True:
            report.sent += 1
            try:
                async for _ in channel.stream_stream(_REFLECT)(messages(), metadata=metadata):
                    report.count("answer")
            except grpc.aio.AioRpcError as error:
                report.count("refused" if error.details() == _LEFT else error.code().name)
            await asyncio.sleep(1.0)

    async def keep_some() -> None:
        async with grpc.aio.insecure_channel(f"{HOST}:{plan.grpc}", options=_OWN_CONNECTION) as channel:
            await asyncio.gather(*(keep(channel) for _ in range(_STREAMS // _CHANNELS)))

    await asyncio.gather(*(keep_some() for _ in range(_CHANNELS)))


STRANGERS = (
    Stranger(
        "invalid analyses",
        "AnalyzeGame with many invalid parts in 60 and 720 KB, by a token with 20 calls a second.",
        analyze_invalid_games,
        is_at_searcher=True,
    ),
    Stranger(
        "large analyses", "64 simultaneous AnalyzeGame of 1 MB.", analyze_large_games, is_at_searcher=True
    ),
    Stranger(
        "reflection streams", "2,000 streams of a token with 20 calls a second.", reflect, is_at_searcher=True
    ),
)
"""The strangers at a searcher's ports."""
