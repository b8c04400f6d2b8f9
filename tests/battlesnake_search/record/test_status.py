"""The way of a gateway's status as a message."""

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


def test_a_status_beyond_the_bounds_is_refused() -> None:
    """A text, a list and the whole have bounds."""
    message = wire.status_message(STATUS)
    message.snakes[0].name = "a" * (wire.LONGEST_STATUS_TEXT + 1)
    with pytest.raises(ValueError, match=r"^snakes\.name: "):
        wire.status_of(message)
    message = record_pb2.Status(snakes=[record_pb2.SnakeStatus()] * (wire.MOST_STATUS_ENTRIES + 1))
    with pytest.raises(ValueError, match=r"^snakes: "):
        wire.status_of(message)
    message.readiness.reason = "a" * wire.MOST_EVENT_BYTES
    with pytest.raises(ValueError, match=r"^status: "):
        wire.status_of(message)
