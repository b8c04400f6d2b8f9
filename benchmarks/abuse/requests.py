"""Requests that make no sense: bodies over HTTP and messages over gRPC."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import aiohttp
import grpc
import grpc.aio

from battlesnake_search.contract import analysis_pb2, search_pb2
from benchmarks.abuse.mutation import mutated, noise

_AT_ONCE = 16
_PATHS = ("/move", "/start", "/end")

_SHORT = search_pb2.Limits(nodes=100)
"""Limits of messages that happen to be valid: their searches must not take the games' time."""

_TIMEOUT = 5.0

METHODS = {
    "battlesnake.search.v1.SearchService": ("Search", "StreamSearch", "ListStrategies"),
    "battlesnake.search.v1.AnalysisService": ("Evaluate", "Advance"),
    "grpc.health.v1.Health": ("Check",),
    "grpc.reflection.v1.ServerReflection": ("ServerReflectionInfo",),
    "nobody": ("Knows",),
}
"""The methods that are called, by service."""

_STREAMING = ("StreamSearch", "ServerReflectionInfo")


async def post_bodies(url: str, valid: Sequence[bytes], count: int, seed: int) -> Counter[str]:
    """Post bodies that are mutated or noise; return how often each status was answered."""
    rng, found = Random(seed), Counter[str]()

    async def post(client: aiohttp.ClientSession) -> None:
        body = noise(rng) if rng.random() < 0.5 else mutated(rng, rng.choice(valid))
        try:
            async with client.post(rng.choice(_PATHS), data=body) as answer:
                found[str(answer.status)] += 1
        except (aiohttp.ClientError, TimeoutError) as error:
            found[type(error).__name__] += 1

    timeout = aiohttp.ClientTimeout(total=_TIMEOUT)
    async with aiohttp.ClientSession(url, timeout=timeout) as client:
        await _repeat(partial(post, client), count)
    return found


async def send_messages(target: str, position: search_pb2.Position, count: int, seed: int) -> Counter[str]:
    """Call all methods with messages that are mutated or noise; return how often each status came."""
    rng, found = Random(seed), Counter[str]()
    valid = _valid_messages(position)
    methods = [(service, name) for service, names in METHODS.items() for name in names]

    async def call(channel: grpc.aio.Channel) -> None:
        service, name = rng.choice(methods)
        message = noise(rng) if rng.random() < 0.5 else mutated(rng, rng.choice(valid))
        found[await _status(channel, f"/{service}/{name}", message, name in _STREAMING)] += 1

    async with grpc.aio.insecure_channel(target) as channel:
        await _repeat(partial(call, channel), count)
    return found


async def _status(channel: Any, method: str, message: bytes, streams: bool) -> str:
    try:
        if streams:
            async for _ in channel.unary_stream(method)(message, timeout=_TIMEOUT):
                pass
        else:
            await channel.unary_unary(method)(message, timeout=_TIMEOUT)
    except grpc.aio.AioRpcError as error:
        return error.code().name
    return "OK"


def _valid_messages(position: search_pb2.Position) -> list[bytes]:
    messages = (
        search_pb2.SearchRequest(position=position, limits=_SHORT),
        search_pb2.StreamSearchRequest(position=position, limits=_SHORT),
        analysis_pb2.EvaluateRequest(position=position),
        analysis_pb2.AdvanceRequest(position=position),
    )
    return [message.SerializeToString() for message in messages]


async def _repeat(make: Callable[[], Awaitable[None]], count: int) -> None:
    """Run a coroutine that many times, _AT_ONCE at the same time."""

    async def worker(times: int) -> None:
        for _ in range(times):
            await make()

    await asyncio.gather(*(worker(count // _AT_ONCE + (i < count % _AT_ONCE)) for i in range(_AT_ONCE)))
