"""Files of JSON lines: a value on each line."""

from typing import TypeVar

import msgspec

T = TypeVar("T")


def decode_lines(name: str, content: bytes, kind: type[T]) -> list[T]:
    """Return the value on each line of a file's content.

    Raises ValueError for an invalid line. The error names the file, the line and the field.
    """
    decoder = msgspec.json.Decoder(kind)
    values = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            values.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ValueError(f"{name}, line {number}: {error}") from None
    return values
