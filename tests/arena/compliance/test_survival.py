"""Moves that certainly kill a snake."""

from arena.compliance.exchanges import Body, recorded_game
from arena.compliance.recorded import safe_moves


def _alone(parts: list[tuple[int, int]], ruleset: str = "standard") -> Body:
    """A snake with these parts, alone on a board of 3x3."""
    body = recorded_game("solo", 500)["move-mid"].body
    you = {"id": "me", "body": [{"x": x, "y": y} for x, y in parts]}
    body["game"]["ruleset"]["name"] = ruleset
    return body | {"you": you, "board": {"width": 3, "height": 3, "snakes": [you]}}


def test_walls_and_bodies_are_not_safe() -> None:
    """In a corner only the move along the wall is safe; the neck is occupied."""
    assert safe_moves(_alone([(0, 0), (1, 0), (2, 0)])) == ["up"]


def test_edges_are_open_when_wrapped() -> None:
    """On a wrapped board a corner has four neighbours."""
    assert safe_moves(_alone([(0, 0), (1, 0), (1, 1)], "wrapped")) == ["up", "down", "left"]


def test_a_tail_moves_on_unless_it_is_stacked() -> None:
    """The cell of the last part becomes free unless two parts are stacked on it."""
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    assert safe_moves(_alone(square)) == ["up"]
    assert safe_moves(_alone([*square, (0, 1)])) == []
