"""Files of weights."""

from pathlib import Path

import pytest

from arena.games.entrants import write_weights
from searcher.tools.weights import WeightsFile, read_weights


def test_written_weights_can_be_read(tmp_path: Path) -> None:
    """Names and numbers come back exactly; an old file is replaced."""
    path, weights = tmp_path / "best.toml", WeightsFile("area", {"area": 1.25, "hunger": 0.1})
    path.write_text("old")
    write_weights(path, weights)
    assert read_weights(path) == weights
    assert [each.name for each in tmp_path.iterdir()] == ["best.toml"]


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    """Whole numbers are valid numbers, and comments are allowed."""
    path = tmp_path / "mine.toml"
    path.write_text('evaluator = "area"  # mine\n[weights]\nhunger = 2\n')
    assert read_weights(path) == WeightsFile("area", {"hunger": 2.0})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("not toml", "is not a file of weights"),
        ("[weights]\narea = 1", "missing required field `evaluator`"),
        ('evaluator = "area"', "missing required field `weights`"),
        ('evaluator = "area"\n[weights]\narea = "much"', r"\$.weights"),
        ('evaluator = "area"\nweight = 1\n[weights]', "unknown field `weight`"),
    ],
)
def test_other_files_are_rejected(tmp_path: Path, text: str, complaint: str) -> None:
    """The error names the file and the field."""
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"bad\.toml .*{complaint}"):
        read_weights(path)


def test_a_missing_file(tmp_path: Path) -> None:
    """A missing file is named."""
    with pytest.raises(ValueError, match=r"none\.toml: No such file"):
        read_weights(tmp_path / "none.toml")
