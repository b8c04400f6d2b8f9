"""Files of data: what is refused, and their columns as arrays."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from arena.data.files import (
    VERSION_KEY,
    BadDataError,
    read_columns,
    read_part,
    read_parts,
    write_part,
)
from arena.data.histories import HistoryTurn, rows_of
from tests.arena.data.setups import POSITION, history, rows


def test_a_position_counts_once(tmp_path: Path) -> None:
    """Whether it is repeated in a part or in another one."""
    write_part(tmp_path / "a.parquet", rows())
    first, second = rows()
    write_part(tmp_path / "b.parquet", [first, second | {"digest": 1}, first, second])
    assert read_parts([tmp_path]).num_rows == 2


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    """Its end may be in order."""
    path = tmp_path / "a.parquet"
    write_part(path, rows())
    data = bytearray(path.read_bytes())
    data[4:600] = bytes(596)
    path.write_bytes(data)
    with pytest.raises(BadDataError, match=r"a\.parquet (can't be read|is not a whole Parquet file)"):
        read_part(path)


@pytest.mark.parametrize(
    ("metadata", "error"),
    [(None, "it has no version"), ({VERSION_KEY: b"7"}, "data of version 7; this release reads 1")],
)
def test_other_data_is_refused(tmp_path: Path, metadata: dict[bytes, bytes] | None, error: str) -> None:
    """Both versions are named."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [1]}).replace_schema_metadata(metadata), path)
    with pytest.raises(BadDataError, match=error):
        read_part(path)


def test_lists_belong_to_their_positions(tmp_path: Path) -> None:
    """Also those of a second file, and after a position that is left out since it is repeated."""
    alone = replace(POSITION, snakes=POSITION.snakes[:1], food=())
    first = replace(history("a"), turns=[HistoryTurn(POSITION, {}, {"two": 0.25})] * 2)
    second = replace(history("b"), turns=[HistoryTurn(alone, {}, {})])
    write_part(tmp_path / "a.parquet", list(rows_of(first)))
    write_part(tmp_path / "b.parquet", list(rows_of(second)))
    columns = read_columns(tmp_path)
    snakes = columns.snakes
    assert len(columns) == 2 and columns.first.tolist() == [0, 2, 3] and snakes.rows.tolist() == [0, 0, 1]
    assert columns.food.offsets.tolist() == [0, 2, 2] and columns.hazards.offsets.tolist() == [0, 2, 4]
    assert snakes.body.values[snakes.body.offsets[2] :].tolist() == [8, 15, 22]
    assert [columns.game.names[code] for code in columns.game.codes] == ["0/a", "0/b"]
    assert [snakes.player.names[code] for code in snakes.player.codes] == ["A", "B", "A"]
    assert np.isnan(snakes.score[[0, 2]]).all() and snakes.score[1] == 0.25


def test_folders_share_positions_but_no_games(tmp_path: Path) -> None:
    """A position that an earlier folder has is left out; games of one name are different games."""
    other = replace(POSITION, food=())
    for name, positions in (("one", [POSITION]), ("two", [POSITION, other])):
        turns = [HistoryTurn(position, {}, {}) for position in positions]
        (tmp_path / name).mkdir()
        write_part(tmp_path / name / "a.parquet", list(rows_of(replace(history("a"), turns=turns))))
    columns = read_columns(tmp_path / "one", tmp_path / "two")
    assert [columns.game.names[code] for code in columns.game.codes] == ["0/a", "1/a"]
    assert columns.food.offsets.tolist() == [0, 2, 2]
    assert columns.source == f"{tmp_path / 'one'}, {tmp_path / 'two'}"


def test_data_without_positions_is_refused(tmp_path: Path) -> None:
    """The error names the folder."""
    write_part(tmp_path / "a.parquet", [])
    with pytest.raises(BadDataError, match="has no positions"):
        read_columns(tmp_path)
