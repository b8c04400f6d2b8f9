"""The decoding of request bodies."""

import json
from pathlib import Path

import msgspec
import pytest

from battlesnake_search.reader import decode
from tests.gateway.scripted_searcher import REQUESTS, body

MINIMAL = {
    "game": {"id": "g"},
    "board": {"width": 3, "height": 4, "snakes": [{"id": "a", "body": [{"x": 1, "y": 2}]}]},
    "you": {"id": "a", "body": [{"x": 1, "y": 2}]},
}


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


def test_no_text_has_a_null_character() -> None:
    """PostgreSQL can't store it."""
    sent = body(id="a\0b", map="\0m")
    sent["you"]["id"] = sent["board"]["snakes"][0]["id"] = "i\0d"
    sent["board"]["snakes"][0]["name"] = "na\0me"
    turn = decode(json.dumps(sent).encode())
    assert (turn.game.id, turn.game.map, turn.you.id, turn.you.name) == ("ab", "m", "id", "name")
    assert b"\\u0000" not in msgspec.json.encode(turn)
