"""The way of events as messages: each one arrives as it was."""

from dataclasses import replace
from datetime import UTC, datetime
from types import NoneType
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from hypothesis import given

from battlesnake_search.board import Looks, Point, Turn
from battlesnake_search.contract import record_pb2
from battlesnake_search.record import events, wire
from battlesnake_search.record.events import Answered, PlayedMove, Source
from battlesnake_search.record.outcome import Outcome
from battlesnake_search.translate import move_result
from tests.battlesnake_search.record.samples import (
    ARM,
    EVENTS,
    NOW,
    OUTCOME,
    TURN,
    answered,
    arrived,
    found,
    sent,
)
from tests.gateway.turn_strategies import any_turn


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_arrives_as_it_was(event: events.Event) -> None:
    """Each kind of event has all its values after its way, and its number."""
    assert arrived(event) == event
    assert sent(event, 2**40).number == 2**40


@given(any_turn())
def test_any_position_that_a_gateway_reads_arrives(turn: Turn) -> None:
    """A position is the same after its way, unless its board is too large for a record."""
    event = events.Started(turn, ARM)
    if turn.is_huge:
        with pytest.raises(ValueError, match=r"^started\.turn\.board: "):
            arrived(event)
    else:
        assert arrived(event) == event


UNKNOWN = [name for name, kind in get_type_hints(Outcome).items() if NoneType in get_args(kind)]
"""The facts of an outcome that may be unknown."""

EMPTY: dict[str, Any] = {"place": 0, "mean_depth": 0.0, "control": "", "shares": {}, "searched": {}}


@pytest.mark.parametrize("facts", [dict.fromkeys(UNKNOWN), EMPTY], ids=["unknown", "empty"])
def test_an_unknown_fact_is_not_an_empty_one(facts: dict[str, Any]) -> None:
    """Every fact of an outcome arrives, and an unknown one is not a 0 or an empty one."""
    assert len(UNKNOWN) > 15 and EMPTY.keys() <= set(UNKNOWN)
    outcome = msgspec.structs.replace(OUTCOME, **facts)
    assert arrived(events.Abandoned("game", outcome)) == events.Abandoned("game", outcome)


def test_joined_bytes_are_a_request_with_all_events() -> None:
    """Events that were encoded one by one are sent together, in their order."""
    joined = b"".join(wire.encode(event, number) for number, event in enumerate(EVENTS, 1))
    request = record_pb2.RecordRequest.FromString(joined)
    assert [message.number for message in request.events] == list(range(1, len(EVENTS) + 1))
    assert tuple(map(wire.decode, request.events)) == EVENTS


def test_a_name_may_have_the_letters_of_an_escape() -> None:
    """A backslash and u0000 in a snake's name are no null character."""
    for name in ("\\u0000", "\\\\u0000", "\\"):
        turn = msgspec.structs.replace(TURN, you=msgspec.structs.replace(TURN.you, name=name))
        assert arrived(events.Started(turn, ARM)) == events.Started(turn, ARM)


def test_our_snake_may_have_no_body() -> None:
    """The reader takes such a body, because the move is a reflex."""
    you = msgspec.structs.replace(TURN.you, id="gone", body=[], customizations=Looks())
    turn = msgspec.structs.replace(TURN, you=you)
    assert arrived(events.Started(turn, ARM)) == events.Started(turn, ARM)


def test_the_largest_body_with_a_deep_search_arrives() -> None:
    """The largest body that a gateway reads fits in an event."""
    turn = TURN.with_board(hazards=[Point(10, 10)] * 16_500)
    result = found(120)
    assert len(msgspec.json.encode(turn)) > 262_144
    event = Answered(turn, ARM, PlayedMove("left", Source.SEARCH, "", 0.4, 0.45, 0.1, move_result(result)))
    assert arrived(event) == event


def test_long_ids_do_not_make_an_event_too_large() -> None:
    """A stranger's ids cost the expected moves at most."""
    result, snake = found(0), "\N{SNAKE}"
    for _ in range(120):
        result.principal_variation.add(moves={f"{number}{snake * 127}": 1 for number in range(9)})
    event = answered(result)
    assert len(wire.encode(event, 1)) < 10_000
    assert arrived(event) == event


@pytest.mark.parametrize("event", EVENTS)
def test_an_event_keeps_its_time(event: events.Event) -> None:
    """It is the time at which the event was made, if none is given."""
    assert arrived(event).time == event.time
    assert arrived(replace(event, time=NOW)).time == NOW


@pytest.mark.parametrize(
    "fields", [{}, {"seconds": -1}, {"seconds": 2**62}, {"seconds": 1, "nanos": -1}, {"seconds": 9 * 10**9}]
)
def test_an_event_without_a_valid_time_happens_now(fields: dict[str, int]) -> None:
    """A time in the future is none, either."""
    message = sent(events.Probed("game"))
    message.ClearField("time")
    message.time.CopyFrom(Timestamp(**fields))
    before = datetime.now(UTC)
    assert before <= wire.decode(message).time <= datetime.now(UTC)
