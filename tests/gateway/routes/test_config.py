"""The routes file: its validation, and the plan that a turn gets from it."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from battlesnake_search.board import LONGEST_NAME, Turn
from battlesnake_search.common import toml
from battlesnake_search.common.toml import TomlError
from battlesnake_search.contract import record_pb2
from battlesnake_search.plan import OWN, Limits, Plan
from battlesnake_search.reader import decode
from battlesnake_search.record import wire
from battlesnake_search.record.events import PlayedArm, Started
from gateway.routes import loading
from gateway.routes.config import Arm, Routes, SnakeRoute, When
from tests.gateway.scripted_searcher import REQUESTS

TURN = decode((REQUESTS / "standard-move-mid-42.json").read_bytes())
EXAMPLE = Path(__file__).parents[3] / "docs" / "routes.example.toml"


def _read(text: str) -> Routes:
    return toml.decode(text.encode(), Routes)


def _arm(text: str) -> Arm:
    """Return the only arm of a file whose last lines are this text."""
    return _read(f'[[snakes]]\npath = "/"\n[[snakes.arms]]\nname = "a"\n{text}').snakes[0].arms[0]


def _turn(
    ruleset: str = "standard", map: str = "", snakes: int = 2, size: tuple[int, int] = (11, 11)
) -> Turn:
    """Return a turn with these properties for conditions."""
    game = msgspec.structs.replace(
        TURN.game, ruleset=msgspec.structs.replace(TURN.game.ruleset, name=ruleset)
    )
    board = msgspec.structs.replace(
        TURN.board, width=size[0], height=size[1], snakes=[TURN.board.snakes[0]] * snakes
    )
    return msgspec.structs.replace(TURN, game=msgspec.structs.replace(game, map=map), board=board)


@pytest.mark.parametrize(
    ("condition", "holds", "fails"),
    [
        ('rulesets = ["royale", "wrapped"]', _turn("wrapped"), _turn("standard")),
        ('maps = ["hz_spiral"]', _turn(map="hz_spiral"), _turn(map="")),
        ("snakes = [2, 2]", _turn(snakes=2), _turn(snakes=3)),
        ("snakes = [3, 8]", _turn(snakes=3), _turn(snakes=2)),
        ("width = [0, 10]", _turn(size=(10, 11)), _turn(size=(11, 10))),
        ("height = [0, 10]", _turn(size=(11, 10)), _turn(size=(10, 11))),
        ('snakes = [2, 2]\nrulesets = ["royale"]', _turn("royale"), _turn("royale", snakes=3)),
    ],
)
def test_a_condition_chooses_the_strategy(condition: str, holds: Turn, fails: Turn) -> None:
    """A condition's strategy plays where the whole condition holds; elsewhere the arm's own does."""
    arm = _arm(f'strategy = "s/arm"\n[[snakes.arms.when]]\nstrategy = "s/when"\n{condition}')
    assert arm.plan(holds).strategy == "s/when"
    assert arm.plan(fails).strategy == "s/arm"


def test_the_first_condition_that_holds_counts() -> None:
    """Of two conditions that hold the first one decides."""
    when = "[[snakes.arms.when]]\nsnakes = [1, {}]\nstrategy = 's/{}'\n"
    arm = _arm(when.format(2, "first") + when.format(4, "second"))
    strategies = [arm.plan(_turn(snakes=count)).strategy for count in (2, 4, 5)]
    assert strategies == ["s/first", "s/second", ""]


def test_a_condition_replaces_only_what_it_names() -> None:
    """The arm's searchers and limits are kept; its evaluator weights are not, under another strategy."""
    arm = _arm(
        'strategy = "s/e"\nsearcher = "host:1"\nevaluator_weights = { w = 2 }\nlimits = { depth = 3 }\n'
        "[[snakes.arms.when]]\nsnakes = [1, 1]\nstrategy = 's/other'\n"
        '[[snakes.arms.when]]\nsnakes = [2, 2]\nsearcher = ["host:2", "host:3"]\nlimits = { threads = 2 }\n'
        "[[snakes.arms.when]]\nsnakes = [3, 3]\nevaluator_weights = { w = 4 }\n"
    )
    three = Limits(depth=3)
    assert [arm.plan(_turn(snakes=count)) for count in (1, 2, 3, 4)] == [
        Plan("a", "s/other", {}, ("host:1",), three),
        Plan("a", "s/e", {"w": 2}, ("host:2", "host:3"), Limits(threads=2)),
        Plan("a", "s/e", {"w": 4}, ("host:1",), three),
        Plan("a", "s/e", {"w": 2}, ("host:1",), three),
    ]


def test_without_a_file_one_snake_plays_the_strategy() -> None:
    """The only snake is at / and has one arm, on the gateway's own searcher."""
    [snake] = loading.load(None, "s/e").snakes
    assert snake.path == "/"
    assert list(loading.load(None, "s/e").plans()) == [Plan("default", "s/e", {}, (OWN,))]


def test_the_example_is_valid() -> None:
    """The example loads, with the snakes and strategies of its comments."""
    loaded = loading.load(EXAMPLE, "")
    assert [snake.path for snake in loaded.snakes] == ["/", "/sandbox"]
    assert {plan.strategy for plan in loaded.plans()} == {
        "paranoid/balanced",
        "paranoid/area",
        "paranoid/length",
    }


_HEAD = '[[snakes]]\npath = "/"\n'
_ARM = f'{_HEAD}[[snakes.arms]]\nname = "a"\n'


@pytest.mark.parametrize(
    ("text", "field", "hint"),
    [
        ("[[snakes]]\n", "snakes[0].path", "missing"),
        ('[[snakes]]\npath = "/.."\narms = [{ name = "a" }]', "snakes[0].path", "like /hydra"),
        (f"{_ARM}{_ARM}", "snakes[1].path", "taken by snakes[0].path"),
        (f'{_HEAD}color = "red"\narms = [{{ name = "a" }}]', "snakes[0].color", "#2f6f4e"),
        (f'{_HEAD}[[snakes.arms]]\nname = "a b"', "snakes[0].arms[0].name", "letters"),
        (f'{_ARM}[[snakes.arms]]\nname = "a"', "snakes[0].arms[1].name", "taken by arms[0].name"),
        (
            f'{_ARM}control = true\n[[snakes.arms]]\nname = "b"\ncontrol = true',
            "snakes[0].arms[1].control",
            "arms[0].control is set already",
        ),
        (f"{_ARM}weight = nan", "snakes[0].arms[0].weight", ">= 0"),
        (f"{_ARM}weight = 0", "snakes[0].arms", "sum"),
        (f'{_ARM}strategy = "paranoid"', "snakes[0].arms[0].strategy", "search/evaluator"),
        (f'{_ARM}searcher = ""', "snakes[0].arms[0].searcher", "gRPC target"),
        (f'{_ARM}searcher = ["a:1", "a:1"]', "snakes[0].arms[0].searcher", "different"),
        (f"{_ARM}[[snakes.arms.when]]\nsnakes = [3, 2]", "snakes[0].arms[0].when[0].snakes", "empty"),
        (
            f'{_ARM}[[snakes.arms.when]]\nrulesets = ["royale", "royal"]',
            "snakes[0].arms[0].when[0].rulesets[1]",
            "valid: constrictor, royale",
        ),
        (
            f'{_ARM}strategy = "auto"\nevaluator_weights = {{ a = 1 }}',
            "snakes[0].arms[0].evaluator_weights",
            "auto has no weights: it chooses the evaluator",
        ),
        (f"{_ARM}weight = ", "", "not TOML"),
    ],
)
def test_an_invalid_file_is_refused_by_its_field(text: str, field: str, hint: str) -> None:
    """Every error names the field and the valid values."""
    with pytest.raises(TomlError) as caught:
        _read(text)
    assert caught.value.field == field
    assert hint in str(caught.value)


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ('path = "/{}"\n[[snakes.arms]]\nname = "a"', "snakes[0].path"),
        ('path = "/"\nexperiment = "{}"\n[[snakes.arms]]\nname = "a"', "snakes[0].experiment"),
        ('path = "/"\n[[snakes.arms]]\nname = "{}"', "snakes[0].arms[0].name"),
        ('path = "/"\n[[snakes.arms]]\nname = "a"\nstrategy = "s/{}"', "snakes[0].arms[0].strategy"),
    ],
)
def test_a_name_fits_into_an_event(text: str, field: str) -> None:
    """A console takes a game with names of 256 characters, and a longer name is refused by its field."""
    prefix = len("s/") if field.endswith("strategy") else field.endswith("path")
    routes = _read(f"[[snakes]]\n{text.format('x' * (LONGEST_NAME - prefix))}")
    snake, turn = routes.snakes[0], TURN
    arm = PlayedArm(snake.experiment_name, snake.arms[0].name, snake.arms[0].strategy or "")
    [sent] = record_pb2.RecordRequest.FromString(wire.encode(Started(turn, arm), 1)).events
    assert wire.decode(sent) == Started(turn, arm)
    with pytest.raises(TomlError) as caught:
        _read(f"[[snakes]]\n{text.format('x' * (LONGEST_NAME - prefix + 1))}")
    assert caught.value.field == field
    assert "has 257 characters; at most 256 are valid" in str(caught.value)


def test_a_name_has_no_null_character() -> None:
    """PostgreSQL has no place for it."""
    with pytest.raises(TomlError) as caught:
        _read('[[snakes]]\npath = "/"\nexperiment = "a\\u0000"\n[[snakes.arms]]\nname = "a"')
    assert caught.value.field == "snakes[0].experiment"


SET_UP = Arm(name="a", strategy="s/e", evaluator_weights={"x": 1.0, "y": 2.0}, when=[When(snakes=(3, 8))])


@pytest.mark.parametrize(
    "change",
    [
        {"strategy": "s/f"},
        {"evaluator_weights": {"x": 1.0, "y": 2.5}},
        {"limits": Limits(threads=2)},
        {"when": [When(snakes=(2, 8))]},
    ],
)
def test_a_change_of_how_an_arm_plays_changes_its_digest(change: dict[str, Any]) -> None:
    """Strategies, weights, limits and conditions are part of the setup."""
    assert msgspec.structs.replace(SET_UP, **change).setup != SET_UP.setup


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
    assert msgspec.structs.replace(SET_UP, **change).setup == SET_UP.setup


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
    assert SnakeRoute(path="/", arms=arms).control.name == control


def test_shares_add_up_to_one() -> None:
    """Each drawn arm has its part of the sum of the weights."""
    arms = [Arm(name="a", weight=60), Arm(name="off", weight=0), Arm(name="b", weight=20)]
    assert SnakeRoute(path="/", arms=arms).shares == {"a": 0.75, "b": 0.25}
