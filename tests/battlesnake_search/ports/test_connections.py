"""The bounds of open connections, and the ends of lost connections."""

import asyncio
import gc
import json
import logging
import time
from typing import cast

import pytest
from aiohttp import web

from battlesnake_search.ports.bounds import DEFAULT_PORT_BOUNDS, EarlyEnd, PortBounds
from battlesnake_search.ports.connections import Connections
from tests.battlesnake_search.ports.port import MOVE, serving
from tests.gateway.scripted_searcher import body, never
from tests.support.event_loop import until

BRIEF = PortBounds(request=0.3, idle=0.6)
CHUNKED = MOVE + b"Transfer-Encoding: chunked\r\n\r\n"


def _posted(sent: bytes, length: int | None = None) -> bytes:
    return MOVE + b"Content-Length: %d\r\n\r\n" % (len(sent) if length is None else length) + sent


GAME = _posted(json.dumps(body()).encode())


@pytest.mark.parametrize(
    ("sent", "ending"),
    [
        (b"", EarlyEnd.SILENT),
        (MOVE, EarlyEnd.SLOW),
        (_posted(b"{", 100), EarlyEnd.SLOW),
        (CHUNKED + b"1\r\n{\r\n", EarlyEnd.SLOW),
    ],
    ids=["silent", "head", "body", "chunked"],
)
async def test_a_request_that_does_not_arrive_is_cut_off(sent: bytes, ending: EarlyEnd) -> None:
    """The connection is closed when the time for head and body is over, and counted."""
    async with serving(BRIEF) as port:
        caller = await port.call(sent)
        assert await caller.is_closed()
        assert (port.counted(ending), len(port.connections)) == (1, 0)


async def test_an_answer_takes_its_time() -> None:
    """The time for a request ends with its arrival: the answer may take longer."""
    async with serving(BRIEF, never) as port:
        caller = await port.call(GAME)
        assert await caller.status() == 200
        assert await caller.ask() == 200
        assert port.counted(EarlyEnd.SLOW) == 0


async def test_an_idle_connection_is_closed_but_not_counted() -> None:
    """An idle connection is closed after a while, and each request restarts the time."""
    async with serving(BRIEF) as port:
        caller = await port.call()
        for _ in range(3):
            assert await caller.ask() == 200
            await asyncio.sleep(BRIEF.request)
        assert await caller.is_closed()
        assert sum(map(port.counted, EarlyEnd)) == 0


async def test_the_next_request_has_a_deadline_too() -> None:
    """The head of a further request must arrive in time, also if it began before the answer to the former."""
    async with serving(BRIEF, never) as port:
        caller = await port.call(GAME)
        await asyncio.sleep(0.1)
        caller.writer.write(MOVE)
        assert await caller.status() == 200
        assert await caller.is_closed()
        assert port.counted(EarlyEnd.SLOW) == 1


async def test_a_caller_that_takes_no_answer_is_cut_off() -> None:
    """A caller that sends requests without reading answers is disconnected."""
    async with serving(BRIEF) as port:
        caller = await port.call()
        cast(asyncio.Transport, caller.writer.transport).pause_reading()
        async with asyncio.timeout(20):
            while not port.counted(EarlyEnd.UNREAD):
                caller.writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n" * 200)
                await asyncio.sleep(0.01)
        assert len(port.connections) == 0


async def test_a_full_port_makes_room_for_those_who_ask() -> None:
    """The oldest connection without a request goes for a newcomer; one that had an answer stays."""
    async with serving(PortBounds(connections=3, per_address=3)) as port:
        playing = await port.call()
        assert await playing.ask() == 200
        idle = [await port.call(MOVE) for _ in range(2)]
        newcomer = await port.call()
        assert await newcomer.ask() == 200
        assert await idle[0].is_closed() and not await idle[1].is_closed(0.1)
        assert await playing.ask() == 200
        assert (port.counted(EarlyEnd.TOO_MANY), len(port.connections)) == (1, 3)


@pytest.mark.parametrize(
    "bounds", [PortBounds(connections=2), PortBounds(per_address=2)], ids=["all", "address"]
)
async def test_a_port_full_of_players_refuses(bounds: PortBounds) -> None:
    """If all connections have completed a request, a further connection is closed at once."""
    async with serving(bounds) as port:
        playing = [await port.call() for _ in range(2)]
        assert [await each.ask() for each in playing] == [200, 200]
        assert await (await port.call()).is_closed()
        assert [await each.ask() for each in playing] == [200, 200]
        assert port.counted(EarlyEnd.TOO_MANY) == 1
        playing[0].leave()
        await port.until_open(1)
        assert await (await port.call()).ask() == 200


Misbehaviour = tuple[bytes, EarlyEnd]

LEAVING: dict[str, Misbehaviour] = {
    "head": (MOVE, EarlyEnd.GONE_IN_HEAD),
    "body": (_posted(b"{", 100), EarlyEnd.GONE_IN_BODY),
    "answer": (GAME, EarlyEnd.GONE_BEFORE_ANSWER),
    "refused body": (_posted(b"x" * 1_100_000, 5_000_000), EarlyEnd.TOO_LARGE),
}

REFUSED: dict[str, Misbehaviour] = {
    "no HTTP": (b"\x16\x03\x01\x02\x00\x01", EarlyEnd.BAD_HTTP),
    "method": (b"HELO example.com\r\n\r\n", EarlyEnd.BAD_HTTP),
    "long head": (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n\r\n", EarlyEnd.BAD_HTTP),
    "chunk": (CHUNKED + b"zz\r\n", EarlyEnd.BAD_HTTP),
    "encoding": (MOVE + b"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello", EarlyEnd.BAD_HTTP),
    "too large": (_posted(b"x" * 1_100_000), EarlyEnd.TOO_LARGE),
    "said to be too large": (_posted(b"x", 1_100_000), EarlyEnd.TOO_LARGE),
}


async def test_connections_end_when_another_program_gets_the_port() -> None:
    """An idle connection ends at once, and another one after its answer."""
    async with serving(PortBounds()) as port:
        idle, busy = await port.call(GAME), await port.call(b"")
        assert await idle.status() == 200
        port.connections.leave()
        assert await idle.is_closed()
        busy.writer.write(GAME)
        assert await busy.status() == 200 and await busy.is_closed()


@pytest.mark.parametrize("misbehaviour", LEAVING.values(), ids=LEAVING)
async def test_a_caller_that_goes_away_is_counted(
    misbehaviour: Misbehaviour, caplog: pytest.LogCaptureFixture
) -> None:
    """It is not logged, because such requests are frequent."""
    sent, ending = misbehaviour
    async with serving(PortBounds(), never) as port:
        caller = await port.call(sent)
        await caller.writer.drain()
        await asyncio.sleep(0.1)
        caller.leave()
        await port.until_counted(ending)
        assert port.counted(ending) == 1
    assert _errors(caplog) == []


@pytest.mark.parametrize("misbehaviour", REFUSED.values(), ids=REFUSED)
async def test_bytes_that_are_no_request_are_refused_and_counted(
    misbehaviour: Misbehaviour, caplog: pytest.LogCaptureFixture
) -> None:
    """The answer is an error of the caller, its connection ends, and nothing is logged."""
    sent, ending = misbehaviour
    async with serving(PortBounds()) as port:
        caller = await port.call(sent)
        assert await caller.status() in (400, 413)
        assert await caller.is_closed()
        assert port.counted(ending) == 1
    assert _errors(caplog) == []


@pytest.mark.parametrize(
    "sent", [_posted(b"x" * 1_100_000), b"GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"]
)
async def test_a_refused_request_is_gone_immediately(sent: bytes) -> None:
    """A flood of refused requests would otherwise fill the memory until the garbage collector runs."""
    async with serving(PortBounds()) as port:
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                caller = await port.call(sent)
                assert await caller.status() in (404, 413)
                caller.leave()
            await port.until_open(0)
            await asyncio.sleep(0)
            assert [each for each in gc.get_objects() if isinstance(each, web.Request)] == []
        finally:
            gc.enable()


async def test_a_host_that_is_none_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    """A header Host of which no URL can be made is the caller's error."""
    async with serving(PortBounds()) as port:
        caller = await port.call(b"GET / HTTP/1.1\r\nHost: host:port\r\nAccept: text/html\r\n\r\n")
        assert await caller.status() == 400
    assert _errors(caplog) == []


async def test_a_gone_caller_that_expected_to_go_on_leaves_no_trace(caplog: pytest.LogCaptureFixture) -> None:
    """`Expect: 100-continue` is answered before the body is read, even if no client waits for it."""
    async with serving(PortBounds()) as port:
        for _ in range(20):
            caller = await port.call(MOVE + b"Expect: 100-continue\r\nContent-Length: 9\r\n\r\n")
            caller.leave()
        await port.until_open(0)
    assert _errors(caplog) == []


def _errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return warnings and errors, but for gRPC's about calls whose loop ended with an earlier test."""
    messages = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    return [message for message in messages if "PollerCompletionQueue" not in message]


async def test_requests_that_arrive_together_let_others_run() -> None:
    """Of many large requests, a turn of the event loop handles as many as fit in some milliseconds."""
    connections = Connections(DEFAULT_PORT_BOUNDS, lambda _ending: None)
    turns = [0]

    async def large() -> None:
        await connections.let_others_run()
        # Reading a body blocks the event loop, as this does.
        time.sleep(0.004)
        turns[-1] += 1

    async def watch() -> None:
        while True:
            await asyncio.sleep(0)
            turns.append(0)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(large() for _ in range(50)))
    watching.cancel()
    assert sum(turns) == 50 and max(turns) <= 2


async def test_large_requests_are_bounded_together() -> None:
    """Many large bodies or heads that arrive slowly would fill the memory. Small requests are answered."""
    bounds = PortBounds(request=5.0, bytes=200_000)
    heads = MOVE + b"".join(b"X-%d: %b\r\n" % (number, b"x" * 8000) for number in range(10))
    for large in (_posted(b"{" + b" " * 80_000, 200_000), heads):
        async with serving(bounds) as port:
            callers = [await port.call(large) for _ in range(10)]
            await port.until_counted(EarlyEnd.CROWDED, 8)
            assert port.connections.bytes <= bounds.bytes
            caller = await port.call(GAME)
            assert await caller.status() == 200
            for caller in callers:
                caller.leave()
            await until(lambda: port.connections.bytes == 0)
            assert (
                await (await port.call(_posted(b" " * 80_000 + json.dumps(body()).encode()))).status() == 200
            )


async def test_idle_connections_make_room() -> None:
    """A caller that fills the port with idle connections keeps no other out: its oldest one is closed."""
    async with serving(PortBounds(connections=5)) as port:
        idle = [await port.call() for _ in range(5)]
        for caller in idle:
            assert await caller.ask() == 200
        newcomer = await port.call(GAME, "127.0.0.2")
        assert await newcomer.status() == 200
        assert await idle[0].is_closed()
        assert await idle[1].ask() == 200
        assert port.counted(EarlyEnd.TOO_MANY) == 1


async def test_a_connection_in_use_is_not_closed_for_another() -> None:
    """If all connections wait for their answers, the new one is closed."""
    async with serving(PortBounds(connections=2), never) as port:
        moves = [await port.call(GAME) for _ in range(2)]
        await until(lambda: port.connections.bytes >= 2 * len(GAME))
        newcomer = await port.call(address="127.0.0.2")
        assert await newcomer.is_closed()
        for move in moves:
            assert await move.status() == 200
