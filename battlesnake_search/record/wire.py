"""The translation between recorded values and the messages of `battlesnake.record.v1`, in this file alone.

The values of this process are trusted. A received message may be hostile: it is translated, or refused with a
ValueError that names the field.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec
from google.protobuf.json_format import MessageToDict, SerializeToJsonError
from google.protobuf.message import Message

from battlesnake_search.board import LONGEST_ID, LONGEST_NAME, MOST_SNAKES, MOVES, Turn
from battlesnake_search.common.types import Json
from battlesnake_search.contract import record_pb2
from battlesnake_search.contract.rulesets import RULESETS
from battlesnake_search.record.events import (
    Abandoned,
    Answered,
    BrokenOff,
    Ended,
    Event,
    PlayedArm,
    PlayedMove,
    Probed,
    Source,
    Started,
)
from battlesnake_search.record.outcome import Outcome
from battlesnake_search.record.status import Status
from battlesnake_search.translate import move_result

MOST_EVENT_BYTES = 524_288
"""The largest event in bytes, and also the largest status."""

LONGEST_STATUS_TEXT = 16_384
"""The largest number of characters of a text in a status. The sender cuts off the end of a longer text."""

MOST_ENTRIES = 1024
"""The most entries of a list or a map of an event."""

_MOST_SHOWN = 256
"""The most snakes, searchers and experiments of a status, each. The sender leaves out further ones."""

_SHOWN = ("snakes", "searchers", "experiments")

_LARGEST = 1e15
"""The largest size of a number. Its conversion to other units is finite, too."""


_RESULTS = {
    record_pb2.GAME_RESULT_UNSPECIFIED: None,
    record_pb2.GAME_RESULT_WIN: "win",
    record_pb2.GAME_RESULT_DRAW: "draw",
    record_pb2.GAME_RESULT_LOSS: "loss",
}
_RESULT_NUMBERS = {result: number for number, result in _RESULTS.items()}

_WRAPPED = {"shares": "by_arm", "searched": "by_name"}
"""The maps of an outcome that are in a message of their own, because they may be None."""

# An even number of backslashes before it is a text of backslashes.
_NULL_CHARACTER = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")

_encode_turn = msgspec.json.Encoder().encode
_decode_turn = msgspec.json.Decoder(Turn).decode

_Value = TypeVar("_Value")


def encode(event: Event, number: int) -> bytes:
    """Return a serialized RecordRequest with the event alone. `number` counts the outbox's events from 1.

    The bytes of several events, joined, are a request with all of them. A search's result is sent as its
    message; one without a message is left out. The event of a body that the reader takes has at most
    MOST_EVENT_BYTES.
    """
    request = record_pb2.RecordRequest()
    message = request.events.add(number=number)
    message.time.FromDatetime(event.time)
    match event:
        case Answered(turn, arm, played):
            _fill_turn(message.answered, turn, arm)
            _fill_move(message.answered.played, played)
        case Started(turn, arm):
            _fill_turn(message.started, turn, arm)
        case Ended(turn, arm, outcome):
            _fill_turn(message.ended, turn, arm)
            message.ended.outcome.CopyFrom(_outcome_message(outcome))
        case Probed(game_id):
            message.probed.SetInParent()
            message.probed.game_id = game_id
        case BrokenOff(game_id, new_id, outcome):
            message.broken_off.game_id, message.broken_off.new_id = game_id, new_id
            message.broken_off.outcome.CopyFrom(_outcome_message(outcome))
        case Abandoned(game_id, last):
            message.abandoned.SetInParent()
            message.abandoned.game_id = game_id
            if last is not None:
                message.abandoned.outcome.CopyFrom(_outcome_message(last))
        case _:
            raise TypeError(f"The contract has no {type(event).__name__}")
    encoded = request.SerializeToString()
    if len(encoded) > MOST_EVENT_BYTES and isinstance(event, Answered):
        # A stranger's long ids, once for each expected turn, may take more bytes than all else.
        message.answered.played.result.ClearField("principal_variation")
        encoded = request.SerializeToString()
    return encoded


def decode(event: record_pb2.Event) -> Event:
    """Return the event of a message. Raises ValueError, with the name of the field, for an invalid one."""
    if event.ByteSize() > MOST_EVENT_BYTES:
        raise ValueError(f"event: has {event.ByteSize()} bytes; at most {MOST_EVENT_BYTES} are valid")
    if event.number < 1:
        raise ValueError("number: must be at least 1")
    return replace(_event_of(event), time=_time_of(event))


def _time_of(event: record_pb2.Event) -> datetime:
    """Return the time of an event: now instead of an absent, invalid or future one."""
    now = datetime.now(UTC)
    try:
        return min(event.time.ToDatetime(UTC), now) if event.time.seconds > 0 else now
    except (ValueError, OverflowError):
        return now


def _event_of(event: record_pb2.Event) -> Event:
    kind = event.WhichOneof("kind")
    if kind:
        _check_field(getattr(event, kind), kind)
    match kind:
        case "answered":
            turn, arm = _turn_of(event.answered, kind)
            return Answered(turn, arm, _move_of(event.answered.played, f"{kind}.played"))
        case "started":
            return Started(*_turn_of(event.started, kind))
        case "ended":
            return Ended(*_turn_of(event.ended, kind), _outcome_of(event.ended.outcome, f"{kind}.outcome"))
        case "probed":
            return Probed(event.probed.game_id)
        case "broken_off":
            broken = event.broken_off
            if not broken.new_id:
                raise ValueError("broken_off.new_id: is empty")
            return BrokenOff(broken.game_id, broken.new_id, _outcome_of(broken.outcome, f"{kind}.outcome"))
        case "abandoned":
            left = event.abandoned
            known = left.HasField("outcome")
            return Abandoned(left.game_id, _outcome_of(left.outcome, f"{kind}.outcome") if known else None)
    raise ValueError("kind: is missing or unknown")


def status_message(status: Status) -> record_pb2.Status:
    """Return the message of a status. Long texts are cut off at LONGEST_STATUS_TEXT."""
    values = _plain_values(status)
    for name in _SHOWN:
        values[name] = values[name][:_MOST_SHOWN]
    return record_pb2.Status(**values)


def status_of(message: record_pb2.Status) -> Status:
    """Return the status of a message. Raises ValueError, with the name of the field, for an invalid one."""
    if message.ByteSize() > MOST_EVENT_BYTES:
        raise ValueError(f"status: has {message.ByteSize()} bytes; at most {MOST_EVENT_BYTES} are valid")
    for name in _SHOWN:
        if (number := len(getattr(message, name))) > _MOST_SHOWN:
            raise ValueError(f"status.{name}: has {number} entries; at most {_MOST_SHOWN} are valid")
    if not all(snake.path.startswith("/") for snake in message.snakes):
        raise ValueError("status.snakes.path: does not begin with /")
    values = _plain(message, "status")
    # A gateway that tells no readiness is not ready.
    values["readiness"] = values["readiness"] or {"is_ready": False}
    return _converted(values, Status, "status")


def _fill_turn(
    message: record_pb2.Started | record_pb2.Answered | record_pb2.Ended, turn: Turn, arm: PlayedArm
) -> None:
    message.turn = _encode_turn(turn)
    # Fields are filled one by one, because a message that is passed as a field is copied.
    sent = message.arm
    sent.experiment, sent.name, sent.strategy = arm.experiment, arm.name, arm.strategy


def _fill_move(message: record_pb2.PlayedMove, played: PlayedMove) -> None:
    message.move, message.source, message.strategy = played.move, played.source, played.strategy
    message.elapsed_seconds, message.budget_seconds = played.elapsed, played.budget
    message.left_seconds = played.left
    if played.result is not None and played.result.message is not None:
        message.result.CopyFrom(played.result.message)


def _outcome_message(outcome: Outcome) -> record_pb2.GameOutcome:
    values = _plain_values(outcome)
    for name, inner in _WRAPPED.items():
        values[name] = None if values[name] is None else {inner: values[name]}
    return record_pb2.GameOutcome(**{**values, "result": _RESULT_NUMBERS[outcome.result]})


def _plain_values(struct: msgspec.Struct) -> Json:
    """Return the fields of a struct as the constructor of a message takes them."""
    values: Json = _storable(msgspec.to_builtins(struct, builtin_types=(datetime,)))
    return values


def _storable(value: Any) -> Any:
    """Return a value with its texts as messages and databases take them. A fault's text may have any."""
    match value:
        case str():
            if len(value) <= LONGEST_NAME and value.isascii() and "\0" not in value:
                return value
            return value[:LONGEST_STATUS_TEXT].replace("\0", "").encode(errors="replace").decode()
        case dict():
            return {key: _storable(each) for key, each in value.items()}
        case list():
            return [_storable(each) for each in value]
    return value


class _BeyondBounds(ValueError):
    """A value is beyond its bounds. `path` has the names of its field and of its outer fields."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.path: list[str] = []

    def __str__(self) -> str:
        return f"{'.'.join(reversed(self.path))}: {self.args[0]}"


def _check_message(message: Message) -> None:
    """Raise ValueError for a text, a list or a number beyond its bounds, anywhere in a message."""
    for descriptor, value in message.ListFields():
        _check_field(value, descriptor.name)


def _check_field(value: Any, name: str) -> None:
    try:
        _check(value, name)
    except _BeyondBounds as error:
        # Only an error needs the path, and a message may have a thousand values.
        error.path.append(name)
        raise


def _check(value: Any, name: str) -> None:
    """Check the value of a field, or an entry of its list or map."""
    match value:
        case str():
            longest = LONGEST_ID if name.endswith("_id") else LONGEST_NAME
            if len(value) > longest:
                raise _BeyondBounds(f"has {len(value)} characters; at most {longest} are valid")
            if "\0" in value:
                raise _BeyondBounds("has a null character")
        case bool() | bytes():
            pass
        case int():
            if value < 0:
                raise _BeyondBounds(f"is {value}; at least 0 is valid")
        case float():
            # No comparison holds for NaN.
            if not abs(value) <= _LARGEST:
                raise _BeyondBounds(f"is {value}; at most {_LARGEST:g} is valid")
        case Message():
            _check_message(value)
        case _:
            _check_entries(value, name)


def _check_entries(entries: Any, name: str) -> None:
    """Check a list or a map."""
    if len(entries) > MOST_ENTRIES:
        raise _BeyondBounds(f"has {len(entries)} entries; at most {MOST_ENTRIES} are valid")
    if isinstance(entries, Mapping):
        for key, each in entries.items():
            _check(key, name)
            _check(each, name)
        return
    for each in entries:
        _check(each, name)


def _turn_of(
    message: record_pb2.Started | record_pb2.Answered | record_pb2.Ended, kind: str
) -> tuple[Turn, PlayedArm]:
    """Return the position of an event, with the arm."""
    arm = message.arm
    for name in ("experiment", "name"):
        if not getattr(arm, name):
            raise ValueError(f"{kind}.arm.{name}: is empty")
    return _read_turn(message.turn, f"{kind}.turn"), PlayedArm(arm.experiment, arm.name, arm.strategy)


def _read_turn(encoded: bytes, field: str) -> Turn:
    """Return a position. It keeps the promises of the reader of bodies that a record relies on."""
    try:
        turn = _decode_turn(encoded)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{field}: {error}") from None
    board = turn.board
    if b"\\u0000" in encoded and _NULL_CHARACTER.search(encoded):
        raise ValueError(f"{field}: has a null character")
    if turn.is_huge:
        raise ValueError(f"{field}.board: {board.width}x{board.height} cells are too many for a record")
    if turn.game.ruleset.name not in RULESETS:
        raise ValueError(f"{field}.game.ruleset.name: is not one of {', '.join(RULESETS)}")
    if len({snake.id for snake in board.snakes}) < len(board.snakes):
        raise ValueError(f"{field}.board.snakes: two snakes have the same id")
    if not all(snake.body for snake in board.snakes):
        raise ValueError(f"{field}.board.snakes: a snake has no body")
    return turn


def _move_of(message: record_pb2.PlayedMove, field: str) -> PlayedMove:
    """Return an answered move."""
    for name, valid in (("move", tuple(MOVES)), ("source", tuple(Source))):
        if getattr(message, name) not in valid:
            raise ValueError(f"{field}.{name}: is not one of {', '.join(valid)}")
    result = move_result(message.result) if message.HasField("result") else None
    if result is None and message.HasField("result"):
        raise ValueError(f"{field}.result.move: is no direction")
    return PlayedMove(
        message.move,
        Source(message.source),
        message.strategy,
        message.elapsed_seconds,
        message.budget_seconds,
        message.left_seconds,
        result,
    )


def _outcome_of(message: record_pb2.GameOutcome, field: str) -> Outcome:
    """Return an outcome."""
    if len(message.opponents) > MOST_SNAKES:
        raise ValueError(f"{field}.opponents: has {len(message.opponents)}; at most {MOST_SNAKES} are valid")
    if message.result not in _RESULTS:
        raise ValueError(f"{field}.result: {message.result} is no result")
    values = _plain(message, field)
    for name, inner in _WRAPPED.items():
        values[name] = values[name] and values[name][inner]
    return _converted({**values, "result": _RESULTS[message.result]}, Outcome, field)


def _plain(message: Message, field: str) -> Json:
    """Return the fields of a message as JSON has them; an absent one is None."""
    absent = dict.fromkeys(each.name for each in message.DESCRIPTOR.fields)
    try:
        return absent | MessageToDict(
            message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
        )
    except SerializeToJsonError as error:
        # The timestamp is outside the years 1 to 9999.
        raise ValueError(f"{field}: {error}") from None


def _converted(values: Mapping[str, Any], kind: type[_Value], field: str) -> _Value:
    try:
        # JSON has long whole numbers as texts.
        return msgspec.convert(values, kind, strict=False)
    except ValueError as error:
        raise ValueError(f"{field}: {error}") from None
