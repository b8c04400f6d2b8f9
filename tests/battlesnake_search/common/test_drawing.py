"""Boards drawn on a terminal; tests of the searcher's analysis draw whole positions."""

from battlesnake_search.common.drawing import draw_board


def test_a_snake_keeps_its_letter_when_others_have_died() -> None:
    """Letters and colours follow the index of a snake, not its place among the living snakes."""
    drawn = draw_board(4, 2, {0: [(0, 0), (1, 0)], 2: [(3, 1), (3, 0)]}, food=[(0, 1)], hazards=[])
    assert drawn.plain.splitlines() == [
        " 1 * . . C",
        " 0 A-a . c",
        "   0 1 2 3",
    ]


def test_a_board_of_any_size_is_said() -> None:
    """A board that no terminal has room for takes no memory."""
    drawn = draw_board(2**31 - 1, 2**31 - 1, {0: [(5, 5)]}, [(1, 1)], [])
    assert drawn.plain == "A board of 2147483647x2147483647 cells is too large to be drawn."
