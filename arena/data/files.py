"""A folder of data: Parquet files with positions of whole games, and their columns as arrays.

A row is a position, with a list of its snakes. Each file is complete or missing. The checksums of its pages
and its version are checked when it is read.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

VERSION = "1"
"""The version of the columns. Files of another version are refused."""

VERSION_KEY = b"battlesnake.version"

Row = dict[str, Any]
"""The columns of SCHEMA by name."""

UNKNOWN_MOVE = 255

FOLDS = 10
"""The games are split into this many parts, for cross-validation."""

_CELLS = pa.list_(pa.uint16())
"""Cells as y * width + x."""

SNAKE = pa.struct(
    [
        # From 0, the same in all positions of a game.
        ("seat", pa.uint8()),
        ("player", pa.string()),
        ("health", pa.uint8()),
        # Head first; parts yet to unfold repeat the tail's cell.
        ("body", _CELLS),
        # 0 to 3 for up, down, left and right; UNKNOWN_MOVE for an unknown or a random move.
        ("move", pa.uint8()),
        # The score of the search that chose the move, from -1 to 1; null if unknown.
        ("score", pa.float32()),
        # The share of the game's other snakes that it outlived, from 0 to 1.
        ("outcome", pa.float32()),
        # From 1, in the whole game.
        ("place", pa.uint8()),
        # The turns that the snake still plays, this turn included.
        ("turns_left", pa.uint16()),
    ]
)

SCHEMA = pa.schema(
    [
        ("game", pa.string()),
        # From 0, the same for all positions of a game.
        ("fold", pa.uint8()),
        # The same for equal positions: size, rules, food, hazards and snakes.
        ("digest", pa.int64()),
        ("turn", pa.uint16()),
        ("width", pa.uint8()),
        ("height", pa.uint8()),
        ("ruleset", pa.string()),
        ("hazard_damage", pa.int16()),
        ("food", _CELLS),
        # A cell that is repeated k times has k layers.
        ("hazards", _CELLS),
        ("snakes", pa.list_(SNAKE)),
    ],
    metadata={VERSION_KEY: VERSION},
)


class BadDataError(ValueError):
    """Unusable data. The message names the file."""


def write_part(path: Path, rows: Sequence[Row]) -> None:
    """Write a part atomically. Raises OSError."""
    unfinished = path.with_name(f".{path.name}.new")
    table = pa.Table.from_pylist(list(rows), schema=SCHEMA)
    pq.write_table(table, unfinished, compression="zstd", write_page_checksum=True)
    unfinished.replace(path)


def parts_in(folder: Path) -> list[Path]:
    """Return the files of a folder, sorted. Raises BadDataError without a file."""
    parts = sorted(path for path in folder.glob("*.parquet") if not path.name.startswith("."))
    if not parts:
        raise BadDataError(f"{folder} has no data: there is no file *.parquet")
    return parts


def count_rows(path: Path) -> int:
    """Return the number of rows of a part. Raises BadDataError."""
    return int(_opened(path).metadata.num_rows)


def read_part(path: Path) -> pa.Table:
    """Return the rows of a part. Raises BadDataError."""
    try:
        return _opened(path).read()
    except (pa.ArrowException, OSError) as error:
        raise BadDataError(f"{path} can't be read: {_first_line(error)}") from None


def read_parts(folders: Sequence[Path]) -> pa.Table:
    """Return the parts of folders, without repeated positions. Raises BadDataError.

    Games of different folders have different names.
    """
    place = SCHEMA.get_field_index("game")
    parts = []
    for number, folder in enumerate(folders):
        for path in parts_in(folder):
            part = read_part(path)
            games = pc.binary_join_element_wise(str(number), part["game"], "/")
            parts.append(part.set_column(place, "game", games))
    table = pa.concat_tables(parts)
    _, first = np.unique(table["digest"].to_numpy(), return_index=True)
    is_first = np.zeros(len(table), dtype=np.bool_)
    is_first[first] = True
    return table.filter(is_first)


def _opened(path: Path) -> pq.ParquetFile:
    try:
        file = pq.ParquetFile(path, page_checksum_verification=True)
    except (pa.ArrowException, OSError) as error:
        raise BadDataError(f"{path} is not a whole Parquet file: {_first_line(error)}") from None
    version = (file.schema_arrow.metadata or {}).get(VERSION_KEY)
    if version is None:
        raise BadDataError(f"{path} is not data of this project: it has no version")
    if version.decode() != VERSION:
        raise BadDataError(f"{path} has data of version {version.decode()}; this release reads {VERSION}")
    if file.schema_arrow != SCHEMA:
        raise BadDataError(f"{path} has other columns than data of version {VERSION}")
    return file


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


class Lists(NamedTuple):
    """Lists of different lengths: list i is `values[offsets[i]:offsets[i + 1]]`."""

    offsets: NDArray[np.int64]
    values: NDArray[Any]


@dataclass(frozen=True, slots=True)
class Named:
    """A name for each of many values: value i has the name `names[codes[i]]`."""

    codes: NDArray[np.int32]
    names: Sequence[str]


@dataclass(frozen=True, slots=True)
class SnakeColumns:
    """The columns by snake that a fit of weights needs. SCHEMA describes them. Unknown scores are NaN."""

    rows: NDArray[np.int64]
    """The position of each snake."""
    seat: NDArray[np.uint8]
    player: Named
    health: NDArray[np.uint8]
    body: Lists
    move: NDArray[np.uint8]
    score: NDArray[np.float32]
    outcome: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns by position, and the columns by snake.

    The snakes of position i have the numbers from `first[i]` up to, but not including, `first[i + 1]`.
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
    table = read_parts(folders).combine_chunks()
    source = ", ".join(map(str, folders))
    if not table.num_rows:
        raise BadDataError(f"{source} has no positions")
    [table] = table.to_batches()
    lists = table["snakes"]
    first = _offsets(lists)
    flat = lists.flatten()
    by_snake = {name: _column(flat.field(name)) for name in _names(SnakeColumns) if name != "rows"}
    snakes = SnakeColumns(rows=np.repeat(np.arange(len(lists)), np.diff(first)), **by_snake)
    others = {"source", "first", "snakes"}
    by_position = {name: _column(table[name]) for name in _names(Columns) if name not in others}
    return Columns(source=source, first=first, snakes=snakes, **by_position)


def _names(columns: type[Columns | SnakeColumns]) -> list[str]:
    return [field.name for field in fields(columns)]


def _column(array: pa.Array) -> Any:
    """Return an Arrow column in the form for its type, with NaN for missing numbers."""
    if pa.types.is_list(array.type):
        return Lists(_offsets(array), array.flatten().to_numpy())
    if pa.types.is_string(array.type):
        encoded = array.dictionary_encode()
        return Named(encoded.indices.to_numpy(), encoded.dictionary.to_pylist())
    return array.to_numpy(zero_copy_only=False)


def _offsets(array: pa.ListArray) -> NDArray[np.int64]:
    """Return the offsets of lists, from 0, in their flattened values."""
    offsets = array.offsets.to_numpy().astype(np.int64)
    shifted: NDArray[np.int64] = offsets - offsets[0]
    return shifted
