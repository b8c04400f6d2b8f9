"""The scripts that make pictures of pages."""

import struct
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from docs import draw_architecture
from docs.pictures.make import EXPERIMENTS, GAME
from tests.support import browser
from tests.support.dependencies import report_missing
from tests.support.services import ROOT

LARGEST = 200_000


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


def test_the_drawings_are_current(tmp_path: Path) -> None:
    """Every picture is identical to a newly drawn one."""
    result = CliRunner().invoke(draw_architecture.main, [str(tmp_path)])
    assert result.exit_code == 0
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert drawn == {
        f"{name}.svg": (ROOT / "docs" / "images" / f"{name}.svg").read_text()
        for name in draw_architecture.PICTURES
    }
