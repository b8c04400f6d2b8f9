"""Trails of the map "snail_mode"."""

from collections import Counter

from searcher.engine.position import Position, Snake
from tests.arena.games.maps.map_rules import hazards_after, rules_of

RULES = rules_of(map="snail_mode", minimum_food=0, food_spawn_chance=0)


def after(position: Position) -> Counter[tuple[int, int]]:
    """The layers of the hazards after the map's update."""
    return Counter(hazards_after(RULES, position, 1))


def snake(*body: tuple[int, int]) -> Snake:
    """A snake with this body."""
    return Snake("me", 90, body)


def test_a_trail_begins_on_the_cell_that_the_tail_has_left() -> None:
    """The tail's cell is remembered above the board with a layer for each part, and a hazard a turn later."""
    first = after(Position(7, 7, (snake((3, 3), (3, 2), (3, 1)),), turn=5))
    assert first == {(3, 1 + 7): 3}
    moved = Position(7, 7, (snake((3, 4), (3, 3), (3, 2)),), hazards=tuple(first.elements()), turn=6)
    assert after(moved) == {(3, 1): 3, (3, 2 + 7): 3}


def test_trails_fade() -> None:
    """Each turn every hazard on the board loses a layer."""
    assert after(Position(7, 7, (), hazards=((1, 1), (1, 1), (2, 2)), turn=5)) == {(1, 1): 1}


def test_a_tail_that_stays_leaves_no_trail() -> None:
    """The cell of a folded tail is not remembered."""
    assert after(Position(7, 7, (snake((3, 3), (3, 2), (3, 2)),), turn=5)) == {}


def test_no_trail_begins_under_a_head() -> None:
    """A remembered cell that a head has entered is forgotten; a body does not matter."""
    hazards = ((3, 3 + 7), (3, 2 + 7))
    found = after(Position(7, 7, (snake((3, 3), (3, 2), (3, 2)),), hazards=hazards, turn=5))
    assert found == {(3, 2): 1}
