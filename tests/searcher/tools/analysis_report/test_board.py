"""The board of an analysis, and its legend."""

from rich.console import Console

from battlesnake_search.common.drawing import draw_board
from searcher.engine.position import Position, Snake
from searcher.tools.analysis_report import draw_legend

SNAKES = (
    Snake("a", 90, ((2, 2), (2, 1), (1, 1), (1, 2), (0, 2), (0, 2))),
    Snake("b\x1b[2J", 8, ((10, 0), (9, 0), (8, 0), (8, 1))),
    Snake("c", 100, ((0, 0),)),
)
HAZARDS = ((6, 3), (7, 3), (7, 3), (8, 3), (10, 0), (10, 1))


def test_snakes_food_and_hazards_are_drawn() -> None:
    """Parts side by side are joined only if they follow one another; layers of hazards are counted."""
    bodies = {number: snake.body for number, snake in enumerate(SNAKES)}
    assert draw_board(11, 4, bodies, [(5, 3), (6, 3)], HAZARDS).plain.splitlines() == [
        " 3 . . . . . * % 2 ~ . .",
        " 2 a-a A . . . . . . . .",
        " 1 . a-a . . . . . b . ~",
        " 0 C . . . . . . . b-b-B",
        "   0 1 2 3 4 5 6 7 8 9 0",
        "                       1",
    ]


def test_the_legend_has_a_line_for_each_snake() -> None:
    """It has the letter, the name, the id, health and length, and marks the snake to move."""
    console = Console(width=200)
    with console.capture() as capture:
        console.print(draw_legend(Position(11, 4, SNAKES, hazards=HAZARDS, you=1), ["first", "second", ""]))
    assert [line.rstrip() for line in capture.get().splitlines()] == [
        "A       first   a      health  90  length   6",
        "B  you  second  b?[2J  health   8  length   4  head in a hazard",
        "C               c      health 100  length   1",
    ]
