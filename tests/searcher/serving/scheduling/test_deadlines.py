"""The deadlines of searches, and the margins before the deadlines of calls."""

import time

import grpc
import pytest

from searcher.serving.scheduling.deadlines import (
    LONGEST_UNTIMED,
    entry_of_task,
    latest_end,
    margin_of,
    rounding,
)
from searcher.serving.translate import task_of
from tests.searcher.fakes import OFFER
from tests.searcher.requests import search_request


@pytest.mark.parametrize(
    ("remaining", "margin"),
    [(0.1, 0.03), (0.2, 0.04), (0.25, 0.045), (0.5, 0.045), (10, 0.045)],
)
def test_the_reserve_is_a_tenth_within_bounds(remaining: float, margin: float) -> None:
    """The margin is the caller's delay and a tenth of the time left, at least 10 ms and at most 25 ms."""
    assert margin_of(remaining) == pytest.approx(margin)


def test_a_search_keeps_half_of_a_short_time() -> None:
    """However short the time left is, at least half of it is for the search."""
    for remaining in (0.0, 0.001, 0.012, 0.03):
        assert 0 <= margin_of(remaining) <= remaining / 2


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
    now = time.monotonic()
    prompt, late = latest_end(12.0, now), latest_end(6.0, now - 6.0)
    assert prompt is not None and late is not None
    assert prompt - now == pytest.approx(12.0 - 0.1 - 0.045, abs=0.1 - 0.01)
    assert late - now == pytest.approx(6.0 - 0.1 - 0.045, abs=0.05)


def test_a_tokens_longest_search_ends_all_others() -> None:
    """It bounds searches to a depth, and doesn't lengthen those that end before."""
    timed, deep = (
        task_of(each, OFFER) for each in (search_request(milliseconds=500), search_request(depth=9))
    )
    assert entry_of_task(timed, 100.0, None, 0.25).deadline == 100.25
    assert entry_of_task(timed, 100.0, None, 30.0).deadline == 100.5
    assert entry_of_task(deep, 100.0, None, 0.25).deadline == 100.25
    assert entry_of_task(deep, 100.0, None).deadline == 100.0 + LONGEST_UNTIMED
