"""Mazes by recursive division: walls part a room into smaller ones, and every wall gets a hole or two.

The rules are those of the official engine, whose rooms include the walls on their right and upper side.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.records.model import Cell

_SMALLEST = 3
"""The longest side of a room that is not divided."""


@dataclass(frozen=True)
class _Room:
    """A rectangle of cells, and the columns and rows that must stay free since holes lead there."""

    columns: range
    rows: range
    open_columns: frozenset[int] = frozenset()
    open_rows: frozenset[int] = frozenset()


def maze_walls(side: int, rng: random.Random) -> set[Cell]:
    """Return the walls of a random square maze."""
    return set(_divide(_Room(range(side), range(side)), rng))


def _divide(room: _Room, rng: random.Random) -> Iterator[Cell]:
    if max(len(room.columns), len(room.rows)) <= _SMALLEST:
        return
    column, row = _place(room.columns, room.open_columns, rng), _place(room.rows, room.open_rows, rng)
    open_rows = [] if column is None else _holes_upwards(room.rows, row, rng)
    open_columns = [] if row is None else _holes_sideways(room.columns, column, rng)
    if column is not None:
        yield from ((column, y) for y in room.rows if y not in open_rows)
    if row is not None:
        yield from ((x, row) for x in room.columns if x not in open_columns)
    closed = room.open_columns.union(open_columns), room.open_rows.union(open_rows)
    if column is None and row is None:
        return
    for columns in _parts(room.columns, column):
        for rows in _parts(room.rows, row):
            yield from _divide(_Room(columns, rows, *closed), rng)


def _place(places: range, free: frozenset[int], rng: random.Random) -> int | None:
    """Return where a wall goes: not at an edge, and where no hole leads; None if there is no place."""
    valid = [place for place in places[1:-2] if place not in free]
    return rng.choice(valid) if valid else None


def _holes_upwards(rows: range, crossing: int | None, rng: random.Random) -> list[int]:
    """Return the rows of the holes of an upright wall: one on each side of the wall that crosses it.

    The uppermost row never has one.
    """
    if crossing is None:
        return [rng.choice(rows[:-1])]
    below, above = _parts(rows, crossing)
    return [rng.choice(below[:-1]), rng.choice(above[:-1])]


def _holes_sideways(columns: range, crossing: int | None, rng: random.Random) -> list[int]:
    """Return the column of the hole of a level wall: to the left of the wall that crosses it.

    The last column never has one.
    """
    left = columns if crossing is None else _parts(columns, crossing)[0]
    return [rng.choice(left[:-1])]


def _parts(places: range, wall: int | None) -> Sequence[range]:
    """Return the two parts that a wall makes of a side; the wall belongs to the first one."""
    return [places] if wall is None else [range(places.start, wall + 1), range(wall + 1, places.stop)]
