"""Arms take the weights of a file that a fit has written."""

from pathlib import Path

import pytest

from battlesnake_search.common.toml import TomlError
from gateway.routes.loading import load

FILE = 'evaluator = "hungry"\n\n[weights]\narea = 0.5\nroom = 0.25\n'
ARM = '[[snakes]]\npath = "/a"\n[[snakes.arms]]\nname = "x"\n'


def routes(folder: Path, arm: str, weights: str = FILE) -> Path:
    """A routes file with one arm, and a file of weights beside it."""
    (folder / "hungry.toml").write_text(weights)
    file = folder / "routes.toml"
    file.write_text(ARM + arm)
    return file


def test_an_arm_plays_with_the_weights_of_its_file(tmp_path: Path) -> None:
    """The file is found beside the routes; weights given by name take precedence."""
    own = 'weights_file = "hungry.toml"\nevaluator_weights = { room = 1 }\n'
    file = routes(tmp_path, f'strategy = "paranoid/hungry"\n{own}')
    [plan, _] = load(file, "").plans()
    assert plan.evaluator_weights == {"area": 0.5, "room": 1.0}


def test_a_condition_and_a_shadow_have_files_of_their_own(tmp_path: Path) -> None:
    """A condition's file is for its own strategy, or for its arm's strategy."""
    file = routes(
        tmp_path,
        'strategy = "crowd/hungry"\nwhen = [{ snakes = [2, 2], weights_file = "hungry.toml" }]\n'
        '[[snakes.shadows]]\nname = "y"\nstrategy = "brs/hungry"\nweights_file = "hungry.toml"\n',
    )
    arm, duel, shadow, _ = load(file, "").plans()
    assert arm.evaluator_weights == {}
    assert duel.evaluator_weights == shadow.evaluator_weights == {"area": 0.5, "room": 0.25}


def test_a_file_without_a_strategy_is_for_the_evaluator_that_completes_requests(tmp_path: Path) -> None:
    """As weights given by name are."""
    file = routes(tmp_path, 'weights_file = "hungry.toml"', FILE.replace("hungry", "balanced"))
    [plan, _] = load(file, "").plans()
    assert plan.evaluator_weights["area"] == 0.5


@pytest.mark.parametrize(
    ("arm", "weights", "error"),
    [
        ('strategy = "paranoid/area"', FILE, r"hungry\.toml has weights of hungry, not of area"),
        ("", FILE, r"hungry\.toml has weights of hungry, not of balanced"),
        ('strategy = "auto"', FILE, "auto has no weights: it chooses the evaluator"),
        ('strategy = "s/hungry"', "a = 1", r"hungry\.toml: a: .*unknown field"),
        ('strategy = "s/hungry"', FILE.replace("0.5", '"x"'), r"hungry\.toml: weights.*`float`"),
        ('strategy = "s/hungry"', FILE.replace("0.5", "nan"), r"hungry\.toml: weights"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, arm: str, weights: str, error: str) -> None:
    """The error names the line of the arm, its field, and the file."""
    file = routes(tmp_path, f'weights_file = "hungry.toml"\n{arm}\n', weights)
    with pytest.raises(TomlError, match=rf"snakes\[0\]\.arms\[0\]\.weights_file: .*{error}"):
        load(file, "")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """The error names it."""
    file = routes(tmp_path, 'weights_file = "none.toml"')
    with pytest.raises(TomlError, match=r"none\.toml: can't be read: No such file or directory"):
        load(file, "")
