"""The drawings of pages, which a script makes."""

from pathlib import Path

from click.testing import CliRunner

from docs import draw_architecture
from tests.support.services import ROOT


def test_the_drawings_are_current(tmp_path: Path) -> None:
    """Every picture is identical to a newly drawn one."""
    result = CliRunner().invoke(draw_architecture.main, [str(tmp_path)])
    assert result.exit_code == 0
    drawn = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert drawn == {
        f"{name}.svg": (ROOT / "docs" / "images" / f"{name}.svg").read_text()
        for name in draw_architecture.PICTURES
    }
