"""A folder of data as arrays: by position, and by snake of a position."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from arena.data.parts import BadDataError, read_parts


@dataclass(frozen=True, slots=True)
class Lists:
    """Lists of different lengths: list i is `values[offsets[i]:offsets[i + 1]]`."""

    offsets: NDArray[np.int64]
    values: NDArray[Any]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The length of each list."""
        return np.diff(self.offsets)


@dataclass(frozen=True, slots=True)
class Named:
    """A name for each of many values: value i has the name `names[codes[i]]`."""

    codes: NDArray[np.int32]
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class SnakeColumns:
    """The columns by snake of a position, as `arena.data.schema` describes them; unknown scores are NaN."""

    rows: NDArray[np.int64]
    """The position of each."""
    seat: NDArray[np.uint8]
    player: Named
    health: NDArray[np.uint8]
    body: Lists
    move: NDArray[np.uint8]
    score: NDArray[np.float32]
    outcome: NDArray[np.float32]
    place: NDArray[np.uint8]
    turns_left: NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns by position, and those of the snakes.

    The snakes of position i are those from `first[i]` up to, but not including, `first[i + 1]`.
    """

    game: Named
    source: str
    """The folders, for messages."""
    fold: NDArray[np.uint8]
    turn: NDArray[np.uint16]
    width: NDArray[np.uint8]
    height: NDArray[np.uint8]
    ruleset: Named
    hazard_damage: NDArray[np.int16]
    food: Lists
    hazards: Lists
    first: NDArray[np.int64]
    snakes: SnakeColumns

    def __len__(self) -> int:
        return len(self.fold)


def read_columns(*folders: Path) -> Columns:
    """Return the data of folders, without repeated positions. Raises BadDataError."""
    table = pa.concat_tables(read_parts(folders)).combine_chunks()
    source = ", ".join(map(str, folders))
    if not table.num_rows:
        raise BadDataError(f"{source} has no positions")
    lists = table["snakes"].combine_chunks()
    first = _offsets(lists)
    flat = lists.flatten()
    return Columns(
        game=_named(table["game"]),
        source=source,
        fold=_numbers(table["fold"]),
        turn=_numbers(table["turn"]),
        width=_numbers(table["width"]),
        height=_numbers(table["height"]),
        ruleset=_named(table["ruleset"]),
        hazard_damage=_numbers(table["hazard_damage"]),
        food=_lists(table["food"].combine_chunks()),
        hazards=_lists(table["hazards"].combine_chunks()),
        first=first,
        snakes=_snakes(flat, np.repeat(np.arange(len(lists)), np.diff(first))),
    )


def _snakes(flat: pa.StructArray, rows: NDArray[np.int64]) -> SnakeColumns:
    return SnakeColumns(
        rows=rows,
        seat=_numbers(flat.field("seat")),
        player=_named(flat.field("player")),
        health=_numbers(flat.field("health")),
        body=_lists(flat.field("body")),
        move=_numbers(flat.field("move")),
        score=_numbers(flat.field("score")),
        outcome=_numbers(flat.field("outcome")),
        place=_numbers(flat.field("place")),
        turns_left=_numbers(flat.field("turns_left")),
    )


def _numbers(array: pa.Array | pa.ChunkedArray) -> NDArray[Any]:
    """Return an array's numbers; those that are missing are NaN."""
    found: NDArray[Any] = (
        array.to_numpy() if isinstance(array, pa.ChunkedArray) else array.to_numpy(zero_copy_only=False)
    )
    return found


def _named(array: pa.Array | pa.ChunkedArray) -> Named:
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    encoded = array.dictionary_encode()
    return Named(encoded.indices.to_numpy(), encoded.dictionary.to_pylist())


def _lists(array: pa.ListArray) -> Lists:
    return Lists(_offsets(array), array.flatten().to_numpy())


def _offsets(array: pa.ListArray) -> NDArray[np.int64]:
    """Return the offsets of lists, from 0, in their flattened values."""
    offsets = array.offsets.to_numpy().astype(np.int64)
    shifted: NDArray[np.int64] = offsets - offsets[0]
    return shifted
