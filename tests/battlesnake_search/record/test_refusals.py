"""The refusal of hostile events: whatever the bytes are, the only error is one that names a field."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from battlesnake_search.board import LONGEST_ID, LONGEST_NAME, MOST_SIDE, MOST_SNAKES
from battlesnake_search.contract import record_pb2, search_pb2
from battlesnake_search.record import events, wire
from tests.battlesnake_search.record.samples import ARM, OUTCOME, TURN, answered, found, sent

LONG_ID, LONG_NAME = "a" * (LONGEST_ID + 1), "a" * (LONGEST_NAME + 1)


def _body(change: Callable[[Any], None]) -> bytes:
    """Return the sample's body after a change of its values."""
    body = msgspec.json.decode(msgspec.json.encode(TURN))
    change(body)
    return msgspec.json.encode(body)


def _more_snakes(body: Any) -> None:
    first = body["board"]["snakes"][0]
    body["board"]["snakes"] = [first | {"id": str(number)} for number in range(MOST_SNAKES + 1)]


TURNS: tuple[tuple[str, bytes], ...] = (
    ("turn: ", b""),
    ("turn: ", b"{"),
    ("turn: ", b'{"a":' + b"[" * 100_000),
    ("turn: .*[uU][tT][fF]-8", b'{"game":{"id":"\xff\xff"}}'),
    ("turn: Object missing required field `board`", b'{"game": {}}'),
    (r"turn: .* - at `\$\.turn`", _body(lambda body: body.update(turn=2**31))),
    (r"turn: .* - at `\$\.game\.id`", _body(lambda body: body["game"].update(id=LONG_ID))),
    (r"turn: .* - at `\$\.board\.snakes`", _body(_more_snakes)),
    (r"turn\.board: ", _body(lambda body: body["board"].update(width=MOST_SIDE + 1))),
    (r"turn\.board\.snakes: two", _body(lambda body: body["board"].update(snakes=[body["you"]] * 2))),
    (r"turn\.board\.snakes: a snake", _body(lambda body: body["board"]["snakes"][0].update(body=[]))),
    (r"turn\.game\.ruleset\.name: ", _body(lambda body: body["game"]["ruleset"].update(name="x" * 999))),
    ("turn: has a null character", _body(lambda body: body["you"].update(name="a\0"))),
)


@pytest.mark.parametrize(("refusal", "turn"), TURNS, ids=range(len(TURNS)))
def test_a_position_that_no_gateway_sends_is_refused(refusal: str, turn: bytes) -> None:
    """A position is within the bounds of a request's body, and the refusal names its field."""
    message = sent(answered())
    message.answered.turn = turn
    with pytest.raises(ValueError, match=rf"^answered\.{refusal}"):
        wire.decode(message)


ANSWERED, ENDED = answered(found()), events.Ended(TURN, ARM, OUTCOME)
ABSENT = None
"""In place of a value: the field is absent."""

REFUSED: tuple[tuple[events.Event, str, object], ...] = (
    (ANSWERED, "number", ABSENT),
    (events.Probed(LONG_ID), "probed.game_id", LONG_ID),
    (events.BrokenOff("game", "new", OUTCOME), "broken_off.new_id", ABSENT),
    (ANSWERED, "answered.arm.name", ABSENT),
    (ANSWERED, "answered.arm.strategy", LONG_NAME),
    (ANSWERED, "answered.played.move", "jump"),
    (ANSWERED, "answered.played.source", "luck"),
    (ANSWERED, "answered.played.left_seconds", float("nan")),
    (ANSWERED, "answered.played.result.move", ABSENT),
    (ANSWERED, "answered.played.result.score", float("-inf")),
    (ANSWERED, "answered.played.result.elapsed.seconds", -1),
    (ENDED, "ended.outcome.snake", LONG_NAME),
    (ENDED, "ended.outcome.control", "\0"),
    (ENDED, "ended.outcome.place", -1),
    (ENDED, "ended.outcome.result", 4),
    (ENDED, "ended.outcome.mean_depth", 1e300),
    (ENDED, "ended.outcome.opponents", ["a"] * MOST_SNAKES),
    (ENDED, "ended.outcome.shares.by_arm", {LONG_NAME: 0.5}),
    (ENDED, "ended.outcome.searched.by_name", {LONG_NAME: {"digest": "a"}}),
)


@pytest.mark.parametrize(("event", "path", "value"), REFUSED, ids=[f"{row[1]}" for row in REFUSED])
def test_a_value_that_no_gateway_sends_is_refused(event: events.Event, path: str, value: object) -> None:
    """A missing value, or one beyond its bounds, is refused with the name of its field."""
    message: Any = sent(event)
    *outer, name = path.split(".")
    holder = message
    for each in outer:
        holder = getattr(holder, each)
    if value is ABSENT:
        holder.ClearField(name)
    else:
        holder.MergeFrom(type(holder)(**{name: value}))
    with pytest.raises(ValueError, match=rf"^{re.escape(path)}: "):
        wire.decode(message)


def test_values_deep_in_a_result_are_refused() -> None:
    """Each text and number of a search's result is within the bounds, too."""
    for field, change in {
        "principal_variation.moves": {"principal_variation": [{"moves": {LONG_NAME: 1}}]},
        "strategy.weights": {"strategy": {"weights": {"food": float("inf")}}},
        "strategy.search": {"strategy": {"search": "\0"}},
        "root_moves": {"root_moves": [{}] * (wire.MOST_ENTRIES + 1)},
    }.items():
        message = sent(ANSWERED)
        message.answered.played.result.MergeFrom(search_pb2.SearchResult(**change))  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=rf"^answered\.played\.result\.{field}: "):
            wire.decode(message)


def test_an_event_without_a_known_kind_is_refused() -> None:
    """A newer gateway may tell of what this console does not know."""
    with pytest.raises(ValueError, match=r"^kind: "):
        wire.decode(record_pb2.Event(number=1))


def test_an_event_without_its_outcome_is_refused() -> None:
    """An end has an outcome, and an outcome has its time."""
    for holder in ("ended", "ended.outcome"):
        message = sent(ENDED)
        if holder == "ended":
            message.ended.ClearField("outcome")
        else:
            message.ended.outcome.ClearField("ended_at")
        with pytest.raises(ValueError, match=r"^ended\.outcome: .*ended_at"):
            wire.decode(message)


def test_a_time_that_is_not_of_the_calendar_is_refused() -> None:
    """Its number has more years than a calendar."""
    message = sent(ENDED)
    message.ended.outcome.began_at.seconds = 2**62
    with pytest.raises(ValueError, match=r"^ended\.outcome: .*began_at"):
        wire.decode(message)


def test_an_event_of_too_many_bytes_is_refused() -> None:
    """The bound is on the whole event."""
    message = sent(ANSWERED)
    message.answered.turn += b" " * wire.MOST_EVENT_BYTES
    with pytest.raises(ValueError, match=r"^event: "):
        wire.decode(message)
