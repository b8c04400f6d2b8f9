"""The file of a match: blocks are appended as they end, in whole lines, and sorted when the match ends."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from arena.records.model import Block, Setup

_encode = msgspec.json.Encoder().encode
_setup = msgspec.json.Decoder(Setup)
_block = msgspec.json.Decoder(Block)

_T = TypeVar("_T")

_MAY_CHANGE = {"blocks", "test"}
"""The fields of a setup that may change when a match is resumed."""


class _Numbered(msgspec.Struct):
    """A block of which only the number is decoded."""

    number: int


_number = msgspec.json.Decoder(_Numbered)


@dataclass(frozen=True, slots=True)
class Match:
    """The content of a file; `blocks` are in the order of their numbers."""

    setup: Setup
    blocks: tuple[Block, ...]


def read_match(path: Path) -> Match:
    """Return the match in a file, without the torn last line that a killed match leaves.

    Raises ValueError, naming the line, for any other error in the file.
    """
    with path.open("rb") as file:
        line = file.readline()
    if not line.endswith(b"\n"):
        raise ValueError(f"{path.name}: the file has no whole line")
    setup = decoded_setup(line, f"{path.name}, line 1")
    return Match(setup, tuple(sorted(blocks_in(path), key=lambda block: block.number)))


def blocks_in(path: Path) -> Iterator[Block]:
    """Yield the blocks in a file one by one, in the order of its lines; errors are those of `read_match`."""
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number > 1 and line.endswith(b"\n"):
                yield decoded_block(line, f"{path.name}, line {number}")


def decoded_setup(line: bytes, place: str) -> Setup:
    """Return the setup in the first line of a file. Raises ValueError, naming the place."""
    return _decoded(_setup, line, place)


def decoded_block(line: bytes, place: str) -> Block:
    """Return the block in another line. Raises ValueError, naming the place."""
    return _decoded(_block, line, place)


def _decoded(decoder: msgspec.json.Decoder[_T], line: bytes, place: str) -> _T:
    try:
        return decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{place}: {error}") from None


class MatchFile:
    """A file that a match is being written to."""

    def __init__(self, path: Path, setup: Setup, resume: bool) -> None:
        """Open the file. Raises ValueError if it exists without `resume`, or holds another match."""
        self._path = path
        self._setup = setup
        lines: list[bytes] = []
        if path.exists() and path.stat().st_size:
            if not resume:
                raise ValueError(f"{path} exists; --resume continues it")
            _check_same(read_match(path).setup, setup)
            lines = self._lines()
        self._rewrite(lines)
        self._file = path.open("ab")

    def earlier(self) -> Iterator[Block]:
        """Return the blocks in the file."""
        return map(_block.decode, self._lines())

    def append(self, block: Block) -> None:
        """Write a block, and return when the operating system has it."""
        self._file.write(_encode(block) + b"\n")
        self._file.flush()

    def finish(self, blocks: int) -> None:
        """Keep the first `blocks` blocks, in order: the content must not depend on the workers' speed."""
        self._file.close()
        numbered = {_number.decode(line).number: line for line in self._lines()}
        self._rewrite([numbered[number] for number in range(blocks)])

    def close(self) -> None:
        """Leave the file as it is, to be resumed."""
        self._file.close()

    def _lines(self) -> list[bytes]:
        return _whole_lines(self._path)[1:]

    def _rewrite(self, lines: Iterable[bytes]) -> None:
        """Replace the file atomically: a kill leaves the old content or the new one."""
        new = self._path.with_name(f".{self._path.name}.new")
        with new.open("wb") as file:
            file.writelines(line + b"\n" for line in (_encode(self._setup), *lines))
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._path)


def _whole_lines(path: Path) -> list[bytes]:
    """Return the lines of a file without a torn last line."""
    return path.read_bytes().split(b"\n")[:-1]


def _check_same(was: Setup, now: Setup) -> None:
    for field in set(now.__struct_fields__) - _MAY_CHANGE:
        old, new = getattr(was, field), getattr(now, field)
        if old != new:
            raise ValueError(f"the file holds another match: its {field} is {_text(old)}, not {_text(new)}")


def _text(value: object) -> str:
    return msgspec.json.encode(value).decode()
