"""Files of JSON lines."""

import msgspec
import pytest

from searcher.positions.json_lines import decode_lines


class Pair(msgspec.Struct):
    """A value to decode."""

    left: int
    right: str


def test_each_line_is_a_value() -> None:
    """Values come in the order of the lines."""
    content = b'{"left":1,"right":"2"}\n{"left":3,"right":"4"}\n'
    assert decode_lines("pairs.jsonl", content, Pair) == [Pair(1, "2"), Pair(3, "4")]


@pytest.mark.parametrize(
    ("second", "error"),
    [
        (b'{"left":3}', "missing required field `right`"),
        (b'{"left":3,"right":4}', r"Expected `str`, got `int` - at `\$.right`"),
        (b"nonsense", "malformed"),
        (b'{"left":3,"right":"\xff"}', "utf-8"),
        (b"", "truncated"),
    ],
)
def test_an_invalid_line_is_named(second: bytes, error: str) -> None:
    """The error has the file, the line and the field."""
    content = b'{"left":1,"right":"2"}\n' + second + b"\n"
    with pytest.raises(ValueError, match=rf"^pairs\.jsonl, line 2: .*{error}"):
        decode_lines("pairs.jsonl", content, Pair)
