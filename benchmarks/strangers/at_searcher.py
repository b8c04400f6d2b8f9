"""Strangers who know a searcher's address. Some have a token."""

import asyncio
from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Any

from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.plan import Plan as SearchPlan
from battlesnake_search.reader import decode
from battlesnake_search.translate import game_position, search_request
from benchmarks.strangers.at_snake import RECORDED
from benchmarks.strangers.bodies import nonsense
from benchmarks.strangers.calls import Call, arrive, call, idle_connections, reset_calls, stream
from benchmarks.strangers.http import hold
from benchmarks.strangers.plan import Plan, Report, Stranger

_ANALYZE = "/battlesnake.search.v1.AnalysisService/AnalyzeGame"

_REFLECTION = "grpc.reflection.v1.ServerReflection"

_LIST_SERVICES = b"\x3a\x00"
"""A ServerReflectionRequest with an empty `list_services`."""

_METHODS = (
    *(
        f"/battlesnake.search.v1.SearchService/{name}"
        for name in ("Search", "StreamSearch", "ListStrategies")
    ),
    *(f"/battlesnake.search.v1.AnalysisService/{name}" for name in ("Evaluate", "Advance", "AnalyzeGame")),
    "/grpc.health.v1.Health/Check",
    f"/{_REFLECTION}/ServerReflectionInfo",
    "/nobody/Knows",
)
"""The methods that get nonsense."""

_SHORT = search_pb2.Limits(nodes=100)
"""Limits for messages that happen to be valid, so that their searches don't take time from the game."""

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
    messages = cycle([(_ANALYZE, message) for size in (60_000, 720_000) for message in invalid_games(size)])
    await call(plan, report, messages, plan.limited, at_once=20)


async def analyze_large_games(plan: Plan, report: Report) -> None:
    """Ask for many analyses of 1 MB at once."""
    turn = decode((RECORDED / "standard-move-mid-42.json").read_bytes())
    part = game_position(turn)
    request = analysis_pb2.AnalyzeGameRequest(
        positions=[part] * min(1_990, 1_040_000 // (part.ByteSize() + 4))
    )
    await call(plan, report, cycle([(_ANALYZE, request.SerializeToString())]), plan.unlimited, at_once=64)


async def reflect(plan: Plan, report: Report) -> None:
    """Keep many streams of the reflection open."""
    method = f"/{_REFLECTION}/ServerReflectionInfo"
    await stream(plan, report, method, _LIST_SERVICES, plan.limited, streams=2000, channels=5)


async def connect_silently(plan: Plan, report: Report) -> None:
    """Keep many connections without a call open, while other callers arrive."""
    await asyncio.gather(idle_connections(plan, report, 1000), arrive(plan, report))


async def reset(plan: Plan, report: Report) -> None:
    """Begin calls and reset them."""
    await reset_calls(plan, report, _METHODS[0], connections=8)


async def ask_half_for_metrics(plan: Plan, report: Report) -> None:
    """Keep half requests of the metrics open."""
    await hold(report, [(plan.metrics, _HALF, False)] * 1000)


async def send_nonsense(plan: Plan, report: Report) -> None:
    """Call all methods with messages that are mutated or random."""
    await call(plan, report, _nonsense(Random(plan.course)), plan.unlimited, at_once=16)


def _nonsense(rng: Random) -> Iterator[Call]:
    position = search_request(
        decode(next(RECORDED.glob("*-move-*.json")).read_bytes()), SearchPlan()
    ).position
    requests = (
        search_pb2.SearchRequest(position=position, limits=_SHORT),
        search_pb2.StreamSearchRequest(position=position, limits=_SHORT),
        analysis_pb2.EvaluateRequest(position=position),
        analysis_pb2.AdvanceRequest(position=position),
    )
    valid = [request.SerializeToString() for request in requests]
    while True:
        yield rng.choice(_METHODS), nonsense(rng, valid)


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
        "reset calls",
        "Calls without a token that are reset at once, on 8 connections.",
        reset,
        is_at_searcher=True,
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
    Stranger(
        "nonsense messages",
        "Random messages, and mutations of valid ones, 16 at once.",
        send_nonsense,
        is_at_searcher=True,
    ),
)
"""The strangers at a searcher's ports."""
