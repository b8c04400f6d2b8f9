"""`battlesnake-search bundle`: what it refuses, and what it leaves then."""

import platform
from pathlib import Path

import pytest
from click.testing import CliRunner

from battlesnake_search.program import main


def refusal(folder: Path) -> str:
    """Return the error of the command, which fails."""
    ended = CliRunner().invoke(main, ["bundle", str(folder)])
    assert ended.exit_code
    return ended.output


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    """The files stay."""
    (tmp_path / "README.txt").write_text("mine")
    assert f"{tmp_path} is neither empty nor a bundle; name another folder" in refusal(tmp_path)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["mine"]


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    """Nothing is left beside it."""
    (tmp_path / "file").touch()
    assert f"Error: {tmp_path / 'file'}" in refusal(tmp_path / "file" / "bundle")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_another_c_library_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its loader has other options."""
    monkeypatch.setattr(platform, "libc_ver", lambda: ("", ""))
    assert "must be Linux with glibc" in refusal(tmp_path / "bundle")
    assert not [*tmp_path.iterdir()]
