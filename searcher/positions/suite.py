"""Suites: files with a /move body on each line, and the moves that a good search avoids there."""

from pathlib import Path

import msgspec

from searcher.engine.position import Direction
from searcher.positions.move_body import MoveBody, decode_lines

SUITE = Path(__file__).with_name("suite.jsonl")
"""The project's own suite: positions of crowded games in which a snake gave up, starved or left food."""

MOVES = tuple(direction.name.lower() for direction in Direction)


class SuitePosition(MoveBody, kw_only=True, forbid_unknown_fields=True):
    """A position and its expectations, at least one.

    `avoid` lists the bad moves. With `not_lost`, a search must not claim a proven loss. `why` is the reason
    in a sentence.
    """

    name: str
    why: str
    avoid: list[str] = msgspec.field(default_factory=list)
    not_lost: bool = False

    def __post_init__(self) -> None:
        """Check the expectations. Raise ValueError with the field."""
        for move in self.avoid:
            if move not in MOVES:
                raise ValueError(f"avoid: {move!r} is not a move; valid: {', '.join(MOVES)}")
        if set(self.avoid) == set(MOVES):
            raise ValueError("avoid: has every move; leave one out")
        if not self.avoid and not self.not_lost:
            raise ValueError("the position expects nothing; give avoid or not_lost")


def read_suite(path: Path) -> list[SuitePosition]:
    """Return the positions of a suite. Raises ValueError, with the line, for an invalid position.

    Whether the rules allow a position is not checked.
    """
    entries = decode_lines(path.name, path.read_bytes(), SuitePosition)
    if not entries:
        raise ValueError(f"{path.name} has no positions")
    lines: dict[str, int] = {}
    for number, entry in enumerate(entries, 1):
        first = lines.setdefault(entry.name, number)
        if first != number:
            raise ValueError(
                f"{path.name}, line {number}: name: {entry.name!r} is also the name of line {first}"
            )
    return entries
