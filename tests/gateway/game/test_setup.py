"""What an outcome records about the routes."""

from typing import Any

import msgspec
import pytest

from battlesnake_search.plan import Limits
from gateway.game.setup import control_of, setup_digest, shares_of
from gateway.routes.config import Arm, SnakeRoute, When

ARM = Arm(name="a", strategy="s/e", evaluator_weights={"x": 1.0, "y": 2.0}, when=[When(snakes=(3, 8))])


@pytest.mark.parametrize(
    "change",
    [
        {"strategy": "s/f"},
        {"evaluator_weights": {"x": 1.0, "y": 2.5}},
        {"limits": Limits(threads=2)},
        {"when": []},
        {"when": [When(snakes=(2, 8))]},
    ],
)
def test_a_change_of_how_an_arm_plays_changes_its_digest(change: dict[str, Any]) -> None:
    """Strategies, weights, limits and conditions are part of the setup."""
    assert setup_digest(msgspec.structs.replace(ARM, **change)) != setup_digest(ARM)


@pytest.mark.parametrize(
    "change",
    [
        {"name": "b"},
        {"weight": 5.0},
        {"control": True},
        {"searcher": "dns:///other:50051"},
        {"evaluator_weights": {"y": 2.0, "x": 1.0}},
        {"when": [When(snakes=(3, 8), searcher="dns:///other:50051")]},
    ],
)
def test_the_same_player_has_the_same_digest(change: dict[str, Any]) -> None:
    """The name, the share, the searchers and the order of the weights are not part of the setup."""
    assert setup_digest(msgspec.structs.replace(ARM, **change)) == setup_digest(ARM)


@pytest.mark.parametrize(
    ("arms", "control"),
    [
        ([Arm(name="b"), Arm(name="a")], "b"),
        ([Arm(name="b"), Arm(name="a", control=True)], "a"),
        ([Arm(name="off", weight=0), Arm(name="on")], "on"),
        ([Arm(name="off", weight=0, control=True), Arm(name="on")], "on"),
    ],
)
def test_the_control_is_an_arm_that_plays(arms: list[Arm], control: str) -> None:
    """The marked arm is the control, or else the first of the file, unless it is never drawn."""
    assert control_of(SnakeRoute(path="/", arms=arms)).name == control


def test_shares_add_up_to_one() -> None:
    """Each drawn arm has its part of the sum of the weights."""
    arms = [Arm(name="a", weight=60), Arm(name="off", weight=0), Arm(name="b", weight=20)]
    assert shares_of(SnakeRoute(path="/", arms=arms)) == {"a": 0.75, "b": 0.25}
