"""The events of the outbox, the records that they are in its file, and which of them are dropped first."""

import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from battlesnake_search.record.wire import MOST_EVENT_BYTES

MAGIC = b"outbox 1"
"""The first bytes of a file that is not empty."""

_HEADER = struct.Struct("<II")
"""Before each body: its length in bytes, and its CRC-32."""

_PREFIX = struct.Struct("<Q?")
"""The beginning of a body: the event's number, and whether it is kept. The event follows."""

OVERHEAD = _HEADER.size + _PREFIX.size
"""The bytes of a record besides the event."""

PIECE = 64 * 1024
"""The bytes that are read at once. Each read lets the event loop run, so a piece takes no milliseconds."""


class Event(NamedTuple):
    """An event. `data` is the serialized message. Starts and ends of games are kept longer than moves."""

    number: int
    data: bytes
    is_kept: bool


def encoded(event: Event) -> bytes:
    """Return the record of an event."""
    body = _PREFIX.pack(event.number, event.is_kept) + event.data
    return _HEADER.pack(len(body), zlib.crc32(body)) + body


def scan(file: int, offset: int, end: int) -> Iterator[tuple[Event, int]]:
    """Yield the events of a file from an offset on, each with the offset behind it.

    The scan stops at `end`, and before a torn or corrupt record. Raises OSError.
    """
    size = PIECE
    while offset < end:
        piece = os.pread(file, min(size, end - offset), offset)
        read = 0
        for event, read in _complete(piece):
            yield event, offset + read
        if not read and size > PIECE:
            return
        # A record that is longer than a piece is read at once.
        size = PIECE if read else MOST_EVENT_BYTES + OVERHEAD
        offset += read


def _complete(piece: bytes) -> Iterator[tuple[Event, int]]:
    """Yield the complete and correct records at the beginning of a piece, each with the offset behind it."""
    end = 0
    while len(piece) - end >= OVERHEAD:
        start = end + _HEADER.size
        length, checksum = _HEADER.unpack_from(piece, end)
        end = start + length
        if length < _PREFIX.size or end > len(piece) or zlib.crc32(piece[start:end]) != checksum:
            return
        number, is_kept = _PREFIX.unpack_from(piece, start)
        yield Event(number, piece[start + _PREFIX.size : end], is_kept), end


def remaining(events: Iterable[Event], moves: int, kept: int, overhead: int) -> Iterator[Event]:
    """Yield the events without the oldest of each kind, as many as the bytes of the kind to drop.

    `moves` are the bytes of events that are not kept. An event has `overhead` bytes besides its data.
    """
    over = {False: moves, True: kept}
    for event in events:
        if over[event.is_kept] > 0:
            over[event.is_kept] -= len(event.data) + overhead
        else:
            yield event
