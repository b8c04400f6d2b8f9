"""The deadlines of searches, and the margins before the deadlines of calls."""

import time

import grpc
import pytest

from searcher.serving.scheduling.deadlines import (
    LONGEST_UNTIMED,
    MOST_CONNECTIONS,
    ResponseMargins,
    entry_of_task,
    rounding,
)
from searcher.serving.translate import task_of
from tests.searcher.fakes import OFFER
from tests.searcher.requests import search_request

PEER = "ipv4:127.0.0.1:40000"


def settled(peer: str = PEER) -> ResponseMargins:
    """Return margins that have seen a thousand prompt responses to a caller."""
    margins = ResponseMargins()
    for _ in range(1000):
        margins.record(peer, 0.0)
    return margins


@pytest.mark.parametrize(
    ("remaining", "margin"),
    [(0.05, 0.01), (0.1, 0.01), (0.2, 0.02), (0.25, 0.025), (0.5, 0.025), (10, 0.025)],
)
def test_the_reserve_is_a_tenth_within_bounds(remaining: float, margin: float) -> None:
    """A prompt connection gets a tenth of the time left, at least 10 ms and at most 25 ms."""
    assert settled().of(PEER, remaining) == pytest.approx(margin)


def test_a_search_keeps_half_of_a_short_time() -> None:
    """However short the time left is, at least half of it is for the search."""
    for remaining in (0.0, 0.001, 0.012, 0.03):
        assert 0 <= ResponseMargins().of(PEER, remaining) <= remaining / 2


def test_a_lost_response_raises_the_margin_at_once() -> None:
    """After a call whose deadline came first, the next one leaves more time."""
    margins = settled()
    lost_with = margins.of(PEER, 0.2)
    margins.record(PEER, lost_with)
    assert margins.of(PEER, 0.2) == pytest.approx(2 * lost_with)


def test_the_margin_falls_slowly() -> None:
    """After a late response, ten prompt ones undo less than half of the rise, and a hundred nearly all."""
    margins = settled()
    margins.record(PEER, 0.02)
    for _ in range(10):
        margins.record(PEER, 0.0)
    assert 0.03 < margins.of(PEER, 0.2) < 0.04
    for _ in range(90):
        margins.record(PEER, 0.0)
    assert margins.of(PEER, 0.2) == pytest.approx(0.02, abs=0.001)


@pytest.mark.parametrize(
    "seconds", [0.2, 0.999, 1.001, 9.991, 10.001, 12.34, 99.91, 100.1, 999.1, 1000.1, 5001.0]
)
async def test_the_rounding_of_a_calls_time_is_within_the_margin(seconds: float) -> None:
    """The time that the searcher sees is at most this much longer than the time that the caller gave."""
    seen: list[float] = []

    async def answer(_: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        seen.append(context.time_remaining() or 0.0)
        return b""

    server = grpc.aio.server()
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Answer": grpc.unary_unary_rpc_method_handler(answer)
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Service", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Service/Answer")
        await call(b"", timeout=seconds)
    await server.stop(0.0)
    assert seen[0] <= seconds + rounding(seen[0])


def test_a_late_message_does_not_hide_the_rounding() -> None:
    """The time at the arrival of the call counts, and not the time that its message has left."""
    margins, now = settled(), time.monotonic()
    prompt = margins.latest_end(PEER, 12.0, now)
    late = margins.latest_end(PEER, 6.0, now - 6.0)
    assert prompt is not None and late is not None
    assert prompt - now == pytest.approx(12.0 - 0.1 - 0.025, abs=0.1 - 0.01)
    assert late - now == pytest.approx(6.0 - 0.1 - 0.025, abs=0.05)


def test_the_memory_is_bounded() -> None:
    """Of too many connections those with the latest calls are remembered."""
    margins = settled()
    for number in range(MOST_CONNECTIONS):
        margins.record(f"ipv4:10.0.0.1:{number}", 0.0)
        margins.record(PEER, 0.0)
    assert len(margins) == MOST_CONNECTIONS
    assert margins.of(PEER, 0.2) == pytest.approx(0.02)


def test_a_tokens_longest_search_ends_all_others() -> None:
    """It bounds searches to a depth, and doesn't lengthen those that end before."""
    timed, deep = (
        task_of(each, OFFER) for each in (search_request(milliseconds=500), search_request(depth=9))
    )
    assert entry_of_task(timed, 100.0, None, 0.25).deadline == 100.25
    assert entry_of_task(timed, 100.0, None, 30.0).deadline == 100.5
    assert entry_of_task(deep, 100.0, None, 0.25).deadline == 100.25
    assert entry_of_task(deep, 100.0, None).deadline == 100.0 + LONGEST_UNTIMED
