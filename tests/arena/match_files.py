"""Files of matches as they are while a match is played."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from arena.records import Block, Match, Setup
from arena.statistics.sprt import Sprt
from tests.arena.report.random_games import DUEL, random_match, setup_of

TESTED: Setup = msgspec.structs.replace(setup_of(DUEL, ("one", "two")), blocks=100, test=Sprt(0, 10))
"""Duels with a sequential test."""


def duels(blocks: int = 6) -> Match:
    """Return a match of this number of pairs."""
    return random_match(TESTED, blocks)


def write(path: Path, setup: Setup, blocks: Iterable[Block] = ()) -> Path:
    """Write a match to a file in place, and return the file."""
    path.write_bytes(b"".join(msgspec.json.encode(record) + b"\n" for record in (setup, *blocks)))
    return path
