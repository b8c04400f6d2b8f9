"""The pictures of docs/architecture.md."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from docs.draw_architecture import PICTURES, main
from tests.docs.pages import ROOT


@pytest.mark.parametrize("name", PICTURES)
def test_the_page_shows_each_picture(name: str) -> None:
    """Every picture is on the page, with a description."""
    [line] = [
        line
        for line in (ROOT / "docs" / "architecture.md").read_text().splitlines()
        if f"images/{name}.svg" in line
    ]
    assert len(line.partition("![")[2].partition("]")[0]) > 30


def test_the_pictures_are_current(tmp_path: Path) -> None:
    """Every picture is identical to a newly drawn one."""
    result = CliRunner().invoke(main, [str(tmp_path)])
    assert result.exit_code == 0
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert drawn == {
        f"{name}.svg": (ROOT / "docs" / "images" / f"{name}.svg").read_text() for name in PICTURES
    }
