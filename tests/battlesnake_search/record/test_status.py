"""The way of a gateway's status as a message."""

from collections.abc import Callable

import msgspec
import pytest

from battlesnake_search.contract import record_pb2
from battlesnake_search.record import wire
from battlesnake_search.record.status import SearcherStatus
from tests.battlesnake_search.record.samples import STATUS


def test_a_status_arrives_as_it_was() -> None:
    """The readiness, the snakes, searchers, experiments and moves of a gateway arrive."""
    assert wire.status_of(wire.status_message(STATUS)) == STATUS


def test_a_fault_of_any_text_does_not_stop_a_status() -> None:
    """A long text is cut off, and characters that can't be sent or stored are replaced or left out."""
    trouble = "\0a\udcff" + "b" * wire.LONGEST_STATUS_TEXT
    status = msgspec.structs.replace(STATUS, searchers=[SearcherStatus("b", trouble, "")])
    (searcher,) = wire.status_of(wire.status_message(status)).searchers
    assert searcher.trouble.startswith("a?b") and len(searcher.trouble) <= wire.LONGEST_STATUS_TEXT


def test_a_status_without_its_parts_is_refused() -> None:
    """The moves and the start are always there."""
    for field in ("moves", "started_at"):
        message = wire.status_message(STATUS)
        message.ClearField(field)
        with pytest.raises(ValueError, match=rf"^status: .*{field}"):
            wire.status_of(message)


def test_a_gateway_that_tells_no_readiness_is_not_ready() -> None:
    """Gateways in other languages may leave the field out."""
    message = wire.status_message(STATUS)
    message.ClearField("readiness")
    assert not wire.status_of(message).readiness.is_ready


def _many_snakes(message: record_pb2.Status) -> None:
    message.snakes.extend(message.snakes[0] for _ in range(300))


def _many_searchers(message: record_pb2.Status) -> None:
    message.searchers.extend(record_pb2.SearcherStatus() for _ in range(300))


def _large(message: record_pb2.Status) -> None:
    message.readiness.reason = "a" * wire.MOST_EVENT_BYTES


def _timeless(message: record_pb2.Status) -> None:
    message.started_at.seconds = 2**62


def _script(message: record_pb2.Status) -> None:
    message.snakes[0].path = "javascript:alert()"


@pytest.mark.parametrize("change", [_large, _many_snakes, _many_searchers, _timeless, _script])
def test_a_status_that_no_gateway_sends_is_refused(change: Callable[[record_pb2.Status], None]) -> None:
    """The whole and its lists have bounds, times are of the calendar, and paths are within the gateway."""
    message = wire.status_message(STATUS)
    change(message)
    with pytest.raises(ValueError, match=r"^status"):
        wire.status_of(message)
