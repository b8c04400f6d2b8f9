"""Positions from /move bodies."""

import json
from pathlib import Path

import msgspec
import pytest

from searcher.engine.position import Ruleset
from searcher.positions.move_body import decode_lines, position_in
from tests.searcher.command_line import ROOT
from tests.searcher.requests import read_body

REQUESTS = sorted((ROOT / "tests" / "fixtures" / "requests").glob("*-move-*.json"))


@pytest.mark.parametrize("path", REQUESTS, ids=lambda path: path.stem)
def test_recorded_requests(path: Path) -> None:
    """The position has everything in the body that a search depends on."""
    content, position = json.loads(path.read_text()), position_in(read_body(path))
    board = content["board"]
    assert (position.width, position.height, position.turn) == (
        board["width"],
        board["height"],
        content["turn"],
    )
    assert position.snakes[position.you].id == content["you"]["id"]
    assert [(each.id, each.health) for each in position.snakes] == [
        (each["id"], each["health"]) for each in board["snakes"]
    ]
    for mine, theirs in zip(position.snakes, board["snakes"], strict=True):
        assert mine.body == tuple((part["x"], part["y"]) for part in theirs["body"])
    assert list(position.food) == [(cell["x"], cell["y"]) for cell in board["food"]]
    assert list(position.hazards) == [(cell["x"], cell["y"]) for cell in board["hazards"]]
    rules = content["game"]["ruleset"]
    damage, royale = rules["settings"]["hazardDamagePerTurn"], rules["settings"]["royale"]
    closing = "royale" in (rules["name"], content["game"]["map"])
    shrink_every = royale["shrinkEveryNTurns"] if closing else 0
    trails = content["game"]["map"] == "snail_mode"
    assert position.ruleset == Ruleset(rules["name"], damage, shrink_every, trails)


def test_optional_fields_have_defaults(tmp_path: Path) -> None:
    """Without rules, food and hazards the game is a standard game on an empty board."""
    snake = {"id": "me", "health": 90, "body": [{"x": 1, "y": 2}]}
    board = {"width": 7, "height": 5, "snakes": [snake]}
    file = tmp_path / "body.json"
    file.write_text(json.dumps({"game": {}, "turn": 3, "board": board, "you": snake}))
    position = position_in(read_body(file))
    assert (position.food, position.hazards, position.ruleset) == ((), (), Ruleset())
    assert position.snakes[0].body == ((1, 2),)


def test_you_must_be_on_the_board(tmp_path: Path) -> None:
    """The error names the snakes on the board."""
    content = json.loads(REQUESTS[0].read_text())
    content["you"]["id"] = "nobody"
    file = tmp_path / "body.json"
    file.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=content["board"]["snakes"][0]["id"]):
        position_in(read_body(file))


class Pair(msgspec.Struct):
    """A value to decode."""

    left: int
    right: str


@pytest.mark.parametrize(
    ("second", "error"),
    [
        (b'{"left":3}', "missing required field `right`"),
        (b'{"left":3,"right":4}', r"Expected `str`, got `int` - at `\$.right`"),
        (b'{"left":3,"right":"\xff"}', "utf-8"),
        (b"", "truncated"),
    ],
)
def test_an_invalid_line_is_named(second: bytes, error: str) -> None:
    """The error has the file, the line and the field."""
    content = b'{"left":1,"right":"2"}\n' + second + b"\n"
    with pytest.raises(ValueError, match=rf"^pairs\.jsonl, line 2: .*{error}"):
        decode_lines("pairs.jsonl", content, Pair)
