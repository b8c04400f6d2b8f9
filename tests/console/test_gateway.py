"""The states of gateways, alone and together."""

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from battlesnake_search.record.status import (
    ArmStatus,
    ExperimentStatus,
    MovesStatus,
    ReadinessStatus,
    SearcherStatus,
    SnakeStatus,
    Status,
)
from console import gateway
from console.gateway import Gateways, GatewayStream, together

START = datetime(2026, 1, 2, 3, tzinfo=UTC)
MOVES = MovesStatus(START, 10, 1, 2, 3, 200.0, 400.0, None)
SNAKE = SnakeStatus("/", "Root", "#112233", "default", "default", ["paranoid/area"], False)


def status_with(**fields: Any) -> Status:
    """Return the state of a ready gateway, with other values of some fields."""
    plain = Status(
        readiness=ReadinessStatus(True),
        snakes=[SNAKE],
        searchers=[SearcherStatus("a:1", "", "v1")],
        experiments=[],
        moves=MOVES,
        started_at=START,
        probes=1,
        port=8000,
    )
    return msgspec.structs.replace(plain, **fields)


def test_counts_of_two_gateways_are_added() -> None:
    """Times are those of the slower gateway, and the start is the earlier one."""
    later = START + timedelta(hours=1)
    other = MovesStatus(later, 5, 0, 0, 1, 300.0, 350.0, 2)
    both = together([status_with(), status_with(moves=other, started_at=later, probes=4)])
    assert both.moves == MovesStatus(START, 15, 1, 2, 4, 300.0, 400.0, 2)
    assert (both.started_at, both.probes) == (START, 5)


def test_common_parts_of_gateways_are_shown_once() -> None:
    """A searcher that one of them can't reach has a trouble. An experiment is that of the first gateway."""
    more = msgspec.structs.replace(SNAKE, path="/more")
    arms = [[ArmStatus("a", "", share), ArmStatus("b", "", 1 - share)] for share in (0.5, 0.9)]
    lost = SearcherStatus("a:1", "searcher at a:1: UNAVAILABLE", "")
    both = together(
        [
            status_with(experiments=[ExperimentStatus("x", arms[0])]),
            status_with(snakes=[SNAKE, more], searchers=[lost], experiments=[ExperimentStatus("x", arms[1])]),
        ]
    )
    assert [snake.path for snake in both.snakes] == ["/", "/more"]
    assert both.searchers == [lost]
    assert both.experiments == [ExperimentStatus("x", arms[0])]


def test_gateways_are_ready_together() -> None:
    """One that is not ready makes the whole not ready. Reasons and notes of all gateways are kept."""
    warned = status_with(readiness=ReadinessStatus(True, "", ["w"], ["c"]))
    failed = status_with(readiness=ReadinessStatus(False, "r", [], ["c"]))
    assert together([status_with(), warned]).readiness == warned.readiness
    assert together([warned, failed, failed]).readiness == ReadinessStatus(False, "r", ["w"], ["c"])


async def _answering(gateways: Gateways, stream: GatewayStream, status: Status) -> None:
    """Answer each question for the state of a gateway."""
    while True:
        await stream.told.wait()
        stream.told.clear()
        if stream.wants_status:
            stream.wants_status = False
            gateways.set_status(stream, status)


async def test_a_gateway_that_has_left_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reason names its port. After a while it is forgotten, and its searchers with it."""
    named: list[Iterable[str]] = []
    gateways, stream = Gateways(named.append), GatewayStream()
    gateways.add(stream)
    gateways.set_status(stream, status_with())
    gateways.remove(stream)
    [left] = await gateways.statuses()
    assert not left.readiness.is_ready and left.snakes == [SNAKE] and len(gateways) == 0
    assert left.readiness.reason.startswith("the gateway at port 8000 has left at ")
    monkeypatch.setattr(gateway, "_REMEMBERED", 0.0)
    assert await gateways.statuses() == []
    assert list(named[-1]) == []


async def test_a_restarted_gateway_takes_the_place_of_the_former() -> None:
    """It has the same port and the same snakes, whichever of the two streams ends first."""
    gateways, former, restarted = Gateways(), GatewayStream(), GatewayStream()
    gateways.add(former)
    gateways.set_status(former, status_with())
    gateways.remove(former)
    gateways.add(restarted)
    gateways.set_status(restarted, status_with(probes=0))
    answering = asyncio.create_task(_answering(gateways, restarted, status_with(probes=0)))
    assert await gateways.statuses() == [status_with(probes=0)]
    answering.cancel()
    other = GatewayStream()
    gateways.add(other)
    gateways.set_status(other, status_with())
    gateways.remove(other)
    assert [status.readiness.is_ready for status in await gateways.statuses()] == [True]


async def test_a_gateway_that_hangs_is_not_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers wait a moment for its answer, and then get its last state."""
    monkeypatch.setattr(gateway, "_PATIENCE", 0.01)
    monkeypatch.setattr(gateway, "_SHARED_FOR", 0.0)
    gateways, stream = Gateways(), GatewayStream()
    gateways.add(stream)
    gateways.set_status(stream, status_with())
    assert await gateways.statuses() == [status_with()]
    monkeypatch.setattr(gateway, "_SILENT", 0.0)
    [silent] = await gateways.statuses()
    assert silent.readiness == ReadinessStatus(False, "the gateway at port 8000 does not answer")
