"""Strangers who know a searcher's address. Some have a token."""

import asyncio
from itertools import cycle, repeat
from typing import Any

from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.reader import decode
from battlesnake_search.translate import game_position
from benchmarks.strangers.calls import arrive, call, idle_connections, stream
from benchmarks.strangers.http import hold
from benchmarks.strangers.plan import Plan, Report, Stranger
from tests.gateway.scripted_searcher import REQUESTS

_ANALYZE = "/battlesnake.search.v1.AnalysisService/AnalyzeGame"

_REFLECT = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"

_LIST_SERVICES = b"\x3a\x00"
"""A ServerReflectionRequest with an empty `list_services`."""


_HALF = b"GET /metrics HTTP/1.1\r\nHost: a\r\nX-Half: "


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
    await call(plan, report, _ANALYZE, messages, plan.limited, at_once=20)


async def analyze_large_games(plan: Plan, report: Report) -> None:
    """Ask for many analyses of 1 MB at once."""
    turn = decode((REQUESTS / "standard-move-mid-42.json").read_bytes())
    part = game_position(turn)
    request = analysis_pb2.AnalyzeGameRequest(
        positions=[part] * min(1_990, 1_040_000 // (part.ByteSize() + 4))
    )
    await call(plan, report, _ANALYZE, repeat(request.SerializeToString()), plan.unlimited, at_once=64)


async def reflect(plan: Plan, report: Report) -> None:
    """Keep many streams of the reflection open."""
    await stream(plan, report, _REFLECT, _LIST_SERVICES, plan.limited, streams=2000, channels=5)


async def connect_silently(plan: Plan, report: Report) -> None:
    """Keep many connections without a call open, while other callers arrive."""
    await asyncio.gather(idle_connections(plan, report, 1000), arrive(plan, report))


async def ask_half_for_metrics(plan: Plan, report: Report) -> None:
    """Keep half requests of the metrics open."""
    await hold(report, plan.metrics, _HALF, 1000)


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
    Stranger(
        "silent connections",
        "1,000 connections of HTTP/2 without a call or a token. Others must be able to connect.",
        connect_silently,
        is_at_searcher=True,
    ),
    Stranger(
        "half requests of metrics",
        "1,000 half requests at the port of the metrics.",
        ask_half_for_metrics,
        is_at_searcher=True,
    ),
)
"""The strangers at a searcher's ports."""
