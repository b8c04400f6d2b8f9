"""The command that tunes an evaluator."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.commands.tune import tune
from searcher.strategies import evaluators
from searcher.tools.weights import read_weights

pytestmark = pytest.mark.usefixtures("plays_here")

FEW = [
    *("--nodes", "30", "--size", "7", "--max-turns", "40"),
    *("--trials", "2", "--pairs", "1", "--finalists", "1", "--final-pairs", "2", "--concurrency", "1"),
]


def run(*arguments: str | Path) -> Result:
    """Run the command."""
    return CliRunner().invoke(tune, [*map(str, arguments), *FEW])


def test_it_writes_weights(tmp_path: Path) -> None:
    """The chosen weights are written, within their bounds, and their result is printed."""
    out = tmp_path / "best.toml"
    result = run("area", "--against", "paranoid/length", "--weights", "hunger", "--output", out)
    assert result.exit_code == 0, result.output
    found = read_weights(out)
    bounds = {weight.name: weight for weight in evaluators()["area"].weights}["hunger"]
    assert found.evaluator == "area"
    assert list(found.weights) == ["hunger"]
    assert bounds.minimum <= found.weights["hunger"] <= bounds.maximum
    assert "of the points (" in result.output
    assert "against paranoid/length in 2 pairs, Elo" in result.output
    assert "trial 2: " in result.stderr
    assert "final 1: " in result.stderr


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["nonsense"], "no strategy 'paranoid/nonsense'; a strategy is auto or written like paranoid/area"),
        (["area", "--weights", "area,space"], "area has no weight 'space'; valid: area, hunger"),
        (["area", "--against", "nobody"], "'nobody' is neither a strategy"),
        (["area", "--study", "missing/study.db"], "missing/study.db can't be used as a study"),
    ],
)
def test_mistakes(tmp_path: Path, arguments: list[str], complaint: str) -> None:
    """A mistake is reported with what is valid, and nothing is played."""
    result = run(*arguments, "--output", tmp_path / "best.toml")
    assert result.exit_code == 1
    assert complaint in result.output
    assert not list(tmp_path.iterdir())


def test_an_output_is_required(tmp_path: Path) -> None:
    """A missing or unwritable output is reported before anything is played."""
    assert "Missing option '-o' / '--output'" in run("area").output
    result = run("area", "--output", tmp_path / "missing" / "best.toml")
    assert result.exit_code == 1
    assert "--output: there is no folder" in result.output
    assert "trial 1" not in result.stderr
