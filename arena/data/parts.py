"""The files of a folder of data: parts of whole games, each of which is complete or missing."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from arena.data.faults import fault_in
from arena.data.rows import Row
from arena.data.schema import SCHEMA, VERSION, VERSION_KEY


class BadDataError(ValueError):
    """Data that can't be used. The message names the file, and the column and row if one is at fault."""


def write_part(path: Path, rows: Sequence[Row]) -> None:
    """Write a part, whole or not at all. Raises OSError."""
    unfinished = path.with_name(f".{path.name}.new")
    table = pa.Table.from_pylist(list(rows), schema=SCHEMA)
    pq.write_table(table, unfinished, compression="zstd", write_page_checksum=True)
    unfinished.replace(path)


def parts_in(folder: Path) -> list[Path]:
    """Return the files of a folder, sorted. Raises BadDataError if there is none."""
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
        table = _opened(path).read()
    except (pa.ArrowException, OSError) as error:
        raise BadDataError(f"{path} can't be read: {_first_line(error)}") from None
    if fault := fault_in(table):
        raise BadDataError(f"{path}: {fault}")
    return table


def read_parts(folders: Sequence[Path]) -> Iterator[pa.Table]:
    """Yield the parts of folders, each without positions that an earlier one has. Raises BadDataError.

    Games of different folders have different names.
    """
    seen = pa.array([], pa.int64())
    for number, path in (
        (number, path) for number, folder in enumerate(folders) for path in parts_in(folder)
    ):
        table = read_part(path)
        digests = table["digest"].combine_chunks()
        first = pc.index_in(digests, digests)
        is_first = pc.equal(first, pa.array(range(len(digests)), pa.int32()))
        new = pc.and_(is_first, pc.invert(pc.is_in(digests, value_set=seen)))
        table = table.filter(new)
        games = pc.binary_join_element_wise(str(number), table["game"], "/")
        table = table.set_column(SCHEMA.get_field_index("game"), "game", games)
        seen = pa.concat_arrays([seen, table["digest"].combine_chunks()])
        yield table


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
