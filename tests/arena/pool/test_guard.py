"""The guard of opponents that look one turn ahead, by the moves of a snake that likes all moves equally."""

from searcher.engine.position import Direction, Position, Ruleset
from tests.arena.pool.opponents import moves_of
from tests.searcher.engine.positions import points, snake

UP, DOWN, LEFT, RIGHT = Direction


def safe_moves(position: Position) -> set[Direction]:
    """The moves that the guard leaves."""
    return moves_of("random", position)


def test_walls_and_bodies_are_avoided() -> None:
    """A tail that leaves its cell is no obstacle; one that stays is, as are walls."""
    assert safe_moves(Position(7, 7, (snake("me", "00 10 20"),))) == {UP}
    me = snake("me", "33 32 31")
    assert safe_moves(Position(7, 7, (me, snake("other", "15 14 13 23")))) == {UP, LEFT, RIGHT}
    assert safe_moves(Position(7, 7, (me, snake("fed", "15 14 13 23 23")))) == {UP, RIGHT}


def test_edges_of_a_wrapped_board_are_no_walls() -> None:
    """A snake in the corner of a wrapped board goes over the edge."""
    position = Position(7, 7, (snake("me", "00 10 20"),), ruleset=Ruleset("wrapped"))
    assert safe_moves(position) == {UP, DOWN, LEFT}


def test_starving_is_avoided() -> None:
    """With one point of health left, only food saves the snake."""
    position = Position(7, 7, (snake("me", "33 32 31", 1),), points("34"))
    assert safe_moves(position) == {UP}


def test_deadly_hazards_are_avoided() -> None:
    """A hazard counts if its damage kills."""
    hazards = points("34 43")
    deadly = Position(7, 7, (snake("me", "33 32 31", 15),), hazards=hazards, ruleset=Ruleset("royale", 14))
    assert safe_moves(deadly) == {LEFT}
    healthy = Position(7, 7, (snake("me", "33 32 31", 16),), hazards=hazards, ruleset=Ruleset("royale", 14))
    assert safe_moves(healthy) == {UP, LEFT, RIGHT}


def test_heads_that_are_not_shorter_are_avoided() -> None:
    """A cell next to the head of a snake of my length or longer is entered only if there is no other."""
    me, peer = snake("me", "33 32 31"), snake("peer", "53 52 51")
    assert safe_moves(Position(7, 7, (me, peer))) == {UP, LEFT}
    assert safe_moves(Position(7, 7, (me, snake("shorter", "53 52")))) == {UP, LEFT, RIGHT}


def test_a_meal_counts_before_heads_meet() -> None:
    """A shorter snake that may eat counts as longer by one part."""
    me, shorter = snake("me", "33 32 31"), snake("shorter", "44 54")
    assert safe_moves(Position(7, 7, (me, shorter))) == {UP, LEFT, RIGHT}
    assert safe_moves(Position(7, 7, (me, shorter), points("45"))) == {LEFT}


def test_room_for_the_body_is_preferred() -> None:
    """A pocket of four cells is avoided by a snake of five, not by one of four."""
    other = snake("other", "12 02 03")
    assert safe_moves(Position(7, 7, (snake("me", "21 20 30 40 50"), other))) == {UP, RIGHT}
    assert safe_moves(Position(7, 7, (snake("me", "21 20 30 40"), other))) == {UP, LEFT, RIGHT}


def test_heads_come_before_room() -> None:
    """A small pocket is better than a cell that the head of a longer snake may enter."""
    me, other, longer = (
        snake("me", "21 20 30 40 50"),
        snake("other", "12 02 03"),
        snake("long", "32 42 52 62 63 64"),
    )
    assert safe_moves(Position(7, 7, (me, other, longer))) == {LEFT}
