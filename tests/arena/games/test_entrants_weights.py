"""Entrants with the weights of a file."""

from pathlib import Path

import pytest

from arena.games.entrants import parse_entrants, write_weights
from arena.records import Entrant, MoveLimits
from searcher.tools.weights import WeightsFile

FEW = MoveLimits(nodes=50)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with weights of `area`."""
    file = tmp_path / "best.toml"
    write_weights(file, WeightsFile("area", {"area": 1.5, "hunger": 0.25}))
    return file


def parse(text: str) -> Entrant:
    """A single entrant."""
    return parse_entrants([text], FEW)[0]


def test_the_weights_become_the_players(path: Path) -> None:
    """The player no longer depends on the file."""
    assert parse(f"paranoid/area,weights={path}").player == "paranoid/area,weight.area=1.5,weight.hunger=0.25"


def test_the_default_name_is_the_text(path: Path) -> None:
    """The entrant is named after its text, or has a name of its own."""
    assert parse(f"paranoid/area,weights={path}").name == f"paranoid/area weights={path}"
    assert parse(f"paranoid/area,weights={path},name=tuned").name == "tuned"


def test_a_named_weight_takes_precedence(path: Path) -> None:
    """A weight on the command line takes precedence over the file's."""
    entrant = parse(f"paranoid/area,weight.hunger=1,weights={path}")
    assert entrant.player == "paranoid/area,weight.area=1.5,weight.hunger=1"


def test_a_target_receives_the_weights(path: Path) -> None:
    """A gRPC target receives the weights."""
    entrant = parse(f"localhost:5,strategy=paranoid/area,weights={path}")
    assert entrant.player == "localhost:5,weight.area=1.5,weight.hunger=0.25,strategy=paranoid/area"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("paranoid/length,weights={}", "has weights of area, not of length"),
        ("localhost:5,weights={}", "needs a strategy"),
        ("http://localhost:8000,weights={}", "needs a strategy"),
        ("paranoid/area,weights={}x", "best.tomlx: No such file"),
    ],
)
def test_files_that_do_not_fit(path: Path, text: str, complaint: str) -> None:
    """The error names the problem."""
    with pytest.raises(ValueError, match=complaint):
        parse(text.format(path))


def test_an_unknown_weight(tmp_path: Path) -> None:
    """A file for another version of the evaluator is rejected with the valid names."""
    write_weights(tmp_path / "old.toml", WeightsFile("area", {"space": 1.0}))
    with pytest.raises(ValueError, match="no weight 'space'; valid: area, hunger"):
        parse(f"paranoid/area,weights={tmp_path / 'old.toml'}")
