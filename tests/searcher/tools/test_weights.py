"""Weights as users write them."""

from pathlib import Path

import pytest

from searcher.tools.weights import parse_weights


def test_weights_by_name() -> None:
    """Pairs of a name and a number are separated by commas."""
    assert parse_weights("hunger=0.25,area=1", "area") == {"hunger": 0.25, "area": 1.0}


def test_weights_in_a_file(tmp_path: Path) -> None:
    """The file names its evaluator, and those of another one are refused."""
    file = tmp_path / "best.toml"
    file.write_text('evaluator = "area"\n[weights]\nhunger = 0.25\n')
    assert parse_weights(str(file), "area") == {"hunger": 0.25}
    with pytest.raises(ValueError, match="has weights of area, not of balanced"):
        parse_weights(str(file), "balanced")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("hunger=much", "'hunger=much' is not of the form name=number"),
        ("hunger=1,area", "'area' is not of the form name=number"),
        ("hunger=1,hunger=2", "hunger is given twice"),
        ("hunger", "'hunger' is neither name=value,name=value nor a file of weights"),
    ],
)
def test_malformed_weights_are_refused(text: str, error: str) -> None:
    """The error quotes them."""
    with pytest.raises(ValueError, match=f"--weights: {error}"):
        parse_weights(text, "area")
