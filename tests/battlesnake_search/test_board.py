"""The decoding of request bodies."""

import json
from pathlib import Path
from typing import Any

import pytest

from battlesnake_search.board import BadBody, decode
from tests.gateway.scripted_searcher import REQUESTS, body

MINIMAL = {
    "game": {"id": "g"},
    "board": {"width": 3, "height": 4, "snakes": [{"id": "a", "body": [{"x": 1, "y": 2}]}]},
    "you": {"id": "a", "body": [{"x": 1, "y": 2}]},
}


def _replaced(path: list[str | int], value: object) -> dict[str, Any]:
    changed = body()
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize("path", sorted(REQUESTS.glob("*.json")), ids=lambda path: path.stem)
def test_every_recorded_body_is_decoded(path: Path) -> None:
    """Every recorded body of the official engine is decoded with all its points."""
    recorded = json.loads(path.read_bytes())
    turn = decode(path.read_bytes())
    points = [[(p.x, p.y) for p in snake.body] for snake in turn.board.snakes]
    assert points == [[(p["x"], p["y"]) for p in snake["body"]] for snake in recorded["board"]["snakes"]]
    assert (turn.game.id, turn.turn, turn.timeout) == (recorded["game"]["id"], recorded["turn"], 500)


def test_there_are_recorded_bodies() -> None:
    """The recorded bodies are in the folder that the tests use."""
    assert len(list(REQUESTS.glob("*.json"))) == 59


def test_optional_fields_have_defaults() -> None:
    """A body without settings, timeout, food and hazards is valid and has the engine's default timeout."""
    turn = decode(json.dumps(MINIMAL).encode())
    assert (turn.timeout, turn.turn, turn.board.food, turn.game.ruleset.name) == (500, 0, [], "standard")
    settings = turn.game.ruleset.settings
    assert (settings.hazard_damage_per_turn, settings.food_spawn_chance, settings.minimum_food) == (0, 0, 0)
    assert (settings.royale.shrink_every_n_turns, turn.you.health, turn.latency) == (0, 100, 0.0)


@pytest.mark.parametrize(
    ("path", "value", "field"),
    [
        (["board", "snakes", 0, "body", 2, "x"], "1", "board.snakes[0].body[2].x"),
        (["board", "width"], 0, "board.width"),
        (["board", "food"], [{"x": 1}], "board.food[0].y"),
        (["board"], {"width": 3, "height": 3}, "board.snakes"),
        (["game", "timeout"], -1, "game.timeout"),
        (["game", "ruleset", "settings", "royale", "shrinkEveryNTurns"], [], None),
        (["you", "health"], 2**31, "you.health"),
        (["turn"], None, "turn"),
    ],
)
def test_an_invalid_field_is_named(path: list[str | int], value: object, field: str | None) -> None:
    """A field with a wrong type or out of range is named by its path."""
    with pytest.raises(BadBody) as caught:
        decode(json.dumps(_replaced(path, value)).encode())
    assert caught.value.field == (field or ".".join(map(str, path)))
    assert caught.value.reason


@pytest.mark.parametrize(
    ("path", "least", "most"),
    [
        (["game", "timeout"], 0, 2**31 - 1),
        (["board", "width"], 1, 2**31 - 1),
        (["board", "food", 0, "x"], -(2**31), 2**31 - 1),
        (["turn"], -(2**31), 2**31 - 1),
    ],
)
def test_numbers_are_those_of_the_contract(path: list[str | int], least: int, most: int) -> None:
    """The ends of each range are valid, and nothing beyond them."""
    for value, is_valid in ((least - 1, False), (least, True), (most, True), (most + 1, False)):
        sent = _replaced(["board", "food"], [{"x": 1, "y": 1}])
        place: Any = sent
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        if is_valid:
            assert decode(json.dumps(sent).encode()).game.id
        else:
            with pytest.raises(BadBody):
                decode(json.dumps(sent).encode())


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"null", b'"\xff"', b'{"a":' + b"[" * 100_000])
def test_a_body_that_is_not_an_object_is_invalid_as_a_whole(raw: bytes) -> None:
    """The error for a body that isn't a JSON object names no field."""
    with pytest.raises(BadBody) as caught:
        decode(raw)
    assert caught.value.field == ""


def test_a_missing_top_level_field_is_named() -> None:
    """The error for an empty object names the missing field."""
    with pytest.raises(BadBody) as caught:
        decode(b"{}")
    assert caught.value.field == "game"


@pytest.mark.parametrize(
    ("text", "expected"), [("12", 12), ("0", 0), ("12.5", 12.5), ("", 0), ("fast", 0), ("-1", 0), ("nan", 0)]
)
def test_latency_comes_from_the_board(text: str, expected: float) -> None:
    """The latency is the one of our snake on the board; text that isn't a number counts as none."""
    recorded = body()
    for snake in recorded["board"]["snakes"]:
        snake["latency"] = text if snake["id"] == recorded["you"]["id"] else "77"
    assert decode(json.dumps(recorded).encode()).latency == expected


def test_latency_without_our_snake_on_the_board_is_none() -> None:
    """An eliminated snake has no latency."""
    recorded = body()
    recorded["you"]["id"] = "gone"
    assert decode(json.dumps(recorded).encode()).latency == 0
