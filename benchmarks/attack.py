"""The attack of benchmarks.abuse, in a process of its own: python -m benchmarks.attack PLAN."""

import asyncio
import resource
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import aiohttp
import grpc.aio
import msgspec

from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.plan import Plan
from battlesnake_search.reader import decode
from battlesnake_search.translate import search_request

_BODIES = Path(__file__).parents[1] / "tests" / "fixtures" / "requests"

_HEADS = (
    b"",
    b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Le",
    b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
    b"POST /move HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{",
)
"""The bytes after which half-open connections fall silent."""

_SLOW = b"POST /move HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + 1000 * b" "

_PAUSE = 0.5
"""Seconds between two bytes of a slow sender."""

_OPENED_AT_ONCE, _REQUESTS_AT_ONCE = 100, 16

PATIENCE = 60.0
"""Seconds after which a connection counts as open for ever."""

_TIMEOUT = 5.0
"""Seconds that a request may take."""

_SHORT = search_pb2.Limits(nodes=100)
"""Limits for messages that happen to be valid, so that their searches don't take time from the games."""

_PATHS = ("/move", "/start", "/end")

METHODS = {
    "battlesnake.search.v1.SearchService": ("Search", "StreamSearch", "ListStrategies"),
    "battlesnake.search.v1.AnalysisService": ("Evaluate", "Advance"),
    "grpc.health.v1.Health": ("Check",),
    "grpc.reflection.v1.ServerReflection": ("ServerReflectionInfo",),
    "nobody": ("Knows",),
}
"""The methods that are called, by service."""

_STREAMING = ("StreamSearch", "ServerReflectionInfo")


class Attack(msgspec.Struct, frozen=True):
    """The ports of the targets on loopback, and the number of each kind of attack."""

    http: int
    """The gateway's port."""
    grpc: int
    """The searcher's port."""
    half_open: int
    slow: int
    bodies: int
    messages: int
    seed: int = 1


class Report(msgspec.Struct, frozen=True):
    """The seconds until connections were closed, and the number of answers by status."""

    half_open: list[float]
    slow: list[float]
    bodies: dict[str, int]
    messages: dict[str, int]


async def run(attack: Attack) -> Report:
    """Run all attacks at once, and wait until they are over."""
    valid = [path.read_bytes() for path in sorted(_BODIES.glob("*-move-*.json"))]
    position = search_request(decode(valid[0]), Plan()).position
    ports = attack.http, attack.grpc
    half_open, slow, bodies, messages = await asyncio.gather(
        hold([(ports[i % 2], _HEADS[i % len(_HEADS)], False) for i in range(attack.half_open)]),
        hold([(attack.http, _SLOW, True)] * attack.slow),
        post_bodies(f"http://127.0.0.1:{attack.http}", valid, attack.bodies, attack.seed),
        send_messages(f"127.0.0.1:{attack.grpc}", position, attack.messages, attack.seed),
    )
    return Report(half_open, slow, dict(bodies), dict(messages))


async def hold(connections: Sequence[tuple[int, bytes, bool]]) -> list[float]:
    """Connect to ports, send data at once or a byte at a time; return the seconds until each was closed."""
    gate = asyncio.Semaphore(_OPENED_AT_ONCE)
    return await asyncio.gather(*(_hold_one(gate, *connection) for connection in connections))


async def _hold_one(gate: asyncio.Semaphore, port: int, data: bytes, slowly: bool) -> float:
    begin = monotonic()
    with suppress(OSError):
        async with gate:
            begin = monotonic()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            sending = asyncio.create_task(_send(writer, data, 1 if slowly else len(data) or 1))
            # The connection must end, with or without an answer.
            with suppress(TimeoutError):
                async with asyncio.timeout(PATIENCE):
                    while await reader.read(65536):
                        pass
            sending.cancel()
        finally:
            writer.close()
    return monotonic() - begin


async def _send(writer: asyncio.StreamWriter, data: bytes, size: int) -> None:
    with suppress(OSError):
        for start in range(0, len(data), size):
            writer.write(data[start : start + size])
            await writer.drain()
            await asyncio.sleep(_PAUSE)


async def post_bodies(url: str, valid: Sequence[bytes], count: int, seed: int) -> Counter[str]:
    """Post bodies that are mutated or noise; return how often each status was answered."""
    rng, found = Random(seed), Counter[str]()

    async def post() -> None:
        try:
            async with client.post(rng.choice(_PATHS), data=_nonsense(rng, valid)) as answer:
                found[str(answer.status)] += 1
        except (aiohttp.ClientError, TimeoutError) as error:
            found[type(error).__name__] += 1

    async with aiohttp.ClientSession(url, timeout=aiohttp.ClientTimeout(total=_TIMEOUT)) as client:
        await _repeat(post, count)
    return found


async def send_messages(target: str, position: search_pb2.Position, count: int, seed: int) -> Counter[str]:
    """Call all methods with messages that are mutated or noise; return how often each status came."""
    rng, found = Random(seed), Counter[str]()
    methods = [(service, name) for service, names in METHODS.items() for name in names]
    requests = (
        search_pb2.SearchRequest(position=position, limits=_SHORT),
        search_pb2.StreamSearchRequest(position=position, limits=_SHORT),
        analysis_pb2.EvaluateRequest(position=position),
        analysis_pb2.AdvanceRequest(position=position),
    )
    valid = [request.SerializeToString() for request in requests]

    async def call() -> None:
        service, name = rng.choice(methods)
        message = _nonsense(rng, valid)
        found[await _status(channel, f"/{service}/{name}", message, name in _STREAMING)] += 1

    async with grpc.aio.insecure_channel(target) as channel:
        await _repeat(call, count)
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


async def _repeat(make: Callable[[], Awaitable[None]], count: int) -> None:
    """Run a coroutine `count` times, some of them at the same time."""
    rounds = iter(range(count))

    async def work() -> None:
        for _ in rounds:
            await make()

    await asyncio.gather(*(work() for _ in range(_REQUESTS_AT_ONCE)))


def _nonsense(rng: Random, valid: Sequence[bytes]) -> bytes:
    """Return random bytes, or a nearly valid message."""
    return rng.randbytes(rng.randint(0, 4096)) if rng.random() < 0.5 else mutated(rng, rng.choice(valid))


def mutated(rng: Random, valid: bytes) -> bytes:
    """Return a message with one to four small changes."""
    changed = bytearray(valid)
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(changed) + 1)
        length = rng.randint(1, 8)
        kind = rng.randrange(4)
        if kind == 0:
            changed[place : place + length] = rng.randbytes(length)
        elif kind == 1:
            del changed[place : place + length]
        elif kind == 2:
            changed[place:place] = changed[place : place + length]
        else:
            del changed[place:]
    return bytes(changed)


def main() -> None:
    """Run the plan of the command line and print the report as JSON."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    report = asyncio.run(run(msgspec.json.decode(sys.argv[1], type=Attack)))
    print(msgspec.json.encode(report).decode())


if __name__ == "__main__":
    main()
