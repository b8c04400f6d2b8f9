"""What is wrong with a table of data: values that are missing or impossible."""

from collections.abc import Iterator
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from arena.data.schema import SCHEMA
from searcher.engine.position import MAX_HEALTH

_RANGES = (("health", 0, MAX_HEALTH), ("outcome", 0, 1), ("score", -1, 1))
"""The least and the greatest value of columns by snake."""

_MAY_BE_MISSING = {"score"}


def fault_in(table: pa.Table) -> str | None:
    """Return the first fault of a table, with its column, value and row; None if there is none."""
    snakes = table["snakes"].combine_chunks()
    flat, rows = snakes.flatten(), pc.list_parent_indices(snakes).to_numpy()
    missing = chain(_missing_columns(table), _missing_values(flat, rows))
    return next(missing, None) or next(chain(_bad_bodies(table, flat, rows), _out_of_range(flat, rows)), None)


def _missing_columns(table: pa.Table) -> Iterator[str]:
    for name in SCHEMA.names:
        if table[name].null_count:
            yield f"{name} is missing in row {pc.index(pc.is_null(table[name]), True)}"


def _missing_values(flat: pa.StructArray, rows: NDArray[np.int64]) -> Iterator[str]:
    for field in flat.type:
        missing = flat.field(field.name).is_null().to_numpy(zero_copy_only=False)
        if field.name not in _MAY_BE_MISSING and missing.any():
            yield f"snakes.{field.name} is missing in row {rows[missing.argmax()]}"


def _bad_bodies(table: pa.Table, flat: pa.StructArray, rows: NDArray[np.int64]) -> Iterator[str]:
    bodies = flat.field("body")
    empty = pc.equal(pc.list_value_length(bodies), 0).to_numpy(zero_copy_only=False)
    if empty.any():
        yield f"snakes.body is empty in row {rows[empty.argmax()]}"
    cells = table["width"].to_numpy().astype(int) * table["height"].to_numpy()
    part_rows = rows[pc.list_parent_indices(bodies).to_numpy()]
    parts = bodies.flatten().to_numpy()
    off_board = parts >= cells[part_rows]
    if off_board.any():
        at = off_board.argmax()
        most = cells[part_rows[at]] - 1
        yield f"snakes.body must be 0 to {most}, not {parts[at]}, in row {part_rows[at]}"


def _out_of_range(flat: pa.StructArray, rows: NDArray[np.int64]) -> Iterator[str]:
    for name, least, most in _RANGES:
        known = flat.field(name).is_valid().to_numpy(zero_copy_only=False)
        values = flat.field(name).to_numpy(zero_copy_only=False)
        # A number that is not one is not within the range.
        wrong = known & ~((values >= least) & (values <= most))
        if wrong.any():
            at = wrong.argmax()
            yield f"snakes.{name} must be {least} to {most}, not {values[at]:g}, in row {rows[at]}"
