"""The script that makes the pictures of README."""

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from docs.pictures.make import EXPERIMENTS, GAME
from tests.support import browser
from tests.support.dependencies import report_missing
from tests.support.services import ROOT

LARGEST = 200_000


@pytest.mark.parametrize("name", [GAME, EXPERIMENTS])
def test_readme_shows_each_picture(name: str) -> None:
    """Both pictures are small, and README has each of them with a description."""
    file = ROOT / "docs" / "pictures" / name
    assert file.stat().st_size < LARGEST
    [line] = [
        line for line in (ROOT / "README.md").read_text().splitlines() if f"docs/pictures/{name}" in line
    ]
    assert len(line.partition("![")[2].partition("]")[0]) > 30


def test_the_pictures_can_be_made_again(tmp_path: Path) -> None:
    """One command takes both pictures, in the size of those that README shows."""
    if package := browser.missing():
        report_missing("The browser that takes pictures", package)
    command = [sys.executable, "-m", "docs.pictures.make", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=300, capture_output=True)
    for name in (GAME, EXPERIMENTS):
        made = (tmp_path / name).read_bytes()
        assert len(made) < LARGEST
        assert _size(made) == _size((ROOT / "docs" / "pictures" / name).read_bytes()) == (1200, 900)


def _size(picture: bytes) -> tuple[int, int]:
    """Return width and height of a PNG."""
    assert picture.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", picture[16:24])
    return width, height
