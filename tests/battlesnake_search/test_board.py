"""The decoding of request bodies."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from battlesnake_search.board import Turn
from battlesnake_search.reader import BadBody, decode, read
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


def test_optional_fields_have_defaults() -> None:
    """A body without settings, timeout, food and hazards is valid and has the engine's default timeout."""
    turn = decode(json.dumps(MINIMAL).encode())
    assert (turn.timeout, turn.turn, turn.board.food, turn.game.ruleset.name) == (500, 0, [], "standard")
    settings = turn.game.ruleset.settings
    assert (settings.hazard_damage_per_turn, settings.food_spawn_chance, settings.minimum_food) == (0, 0, 0)
    assert (settings.royale.shrink_every_n_turns, turn.you.health, turn.latency) == (0, 100, 0.0)


@pytest.mark.parametrize(
    ("path", "least", "most"),
    [
        (["game", "timeout"], 0, 2**31 - 1),
        (["board", "width"], 11, 2**31 - 1),
        (["board", "hazards", 0, "x"], -(2**31) + 1, 2**31 - 1),
        (["turn"], 0, 2**31 - 1),
    ],
)
def test_numbers_are_those_of_the_contract(path: list[str | int], least: int, most: int) -> None:
    """The ends of each range are kept, and every number is within it."""
    for value in (least - 1, least, most, most + 1):
        sent = _replaced(["board", "hazards"], [{"x": 1, "y": 1}])
        place: Any = sent
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        reading = read(json.dumps(sent).encode())
        # This is how an encoder names the fields.
        kept: Any = msgspec.to_builtins(reading.turn)
        if least <= value <= most:
            assert not reading.mended
            for step in path:
                kept = kept[step]
            assert kept == value
        assert msgspec.convert(msgspec.to_builtins(reading.turn), Turn) == reading.turn


@pytest.mark.parametrize("value", [0, -1, None, "", [], True])
@pytest.mark.parametrize("side", ["width", "height"])
def test_a_board_without_a_side_is_refused(side: str, value: object) -> None:
    """There is no move to make on it."""
    with pytest.raises(BadBody) as caught:
        read(json.dumps(_replaced(["board", side], value)).encode())
    assert caught.value.field == f"board.{side}" and caught.value.reason


def test_a_missing_top_level_field_is_named() -> None:
    """The error for an empty object names the missing field."""
    with pytest.raises(BadBody) as caught:
        decode(b"{}")
    assert caught.value.field == "board"


@pytest.mark.parametrize(
    ("text", "expected"), [("12", 12), ("0", 0), ("12.5", 12.5), ("", 0), ("fast", 0), ("-1", 0), ("nan", 0)]
)
def test_latency_comes_from_the_board(text: str, expected: float) -> None:
    """The latency is from our snake on the board. Text that isn't a number counts as 0."""
    recorded = body()
    for snake in recorded["board"]["snakes"]:
        snake["latency"] = text if snake["id"] == recorded["you"]["id"] else "77"
    assert decode(json.dumps(recorded).encode()).latency == expected


def test_latency_without_our_snake_on_the_board_is_none() -> None:
    """An eliminated snake has no latency."""
    recorded = body()
    recorded["you"]["id"] = "gone"
    assert decode(json.dumps(recorded).encode()).latency == 0


def test_no_text_has_a_null_character() -> None:
    """PostgreSQL can't store it."""
    sent = body(id="a\0b", map="\0m")
    sent["you"]["id"] = sent["board"]["snakes"][0]["id"] = "i\0d"
    sent["board"]["snakes"][0]["name"] = "na\0me"
    turn = decode(json.dumps(sent).encode())
    assert (turn.game.id, turn.game.map, turn.you.id, turn.you.name) == ("ab", "m", "id", "name")
    assert b"\\u0000" not in msgspec.json.encode(turn)
