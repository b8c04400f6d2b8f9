"""Edges of boards of every size, and a body that fills a board."""

import pytest

from battlesnake_search.contract.deaths import Cause
from battlesnake_search.contract.limits import MAX_SIDE
from searcher.engine.position import Direction, Position, Ruleset, Snake
from searcher.engine.rules.death_causes import Death, deaths
from searcher.engine.rules.packing import body_of, pack
from searcher.engine.rules.records import RING, STEPS
from tests.searcher.engine.turns import play

UP, DOWN, LEFT, RIGHT = Direction


@pytest.mark.parametrize("ruleset", ["standard", "wrapped"])
@pytest.mark.parametrize(
    ("width", "height"), [(3, 3), (3, 25), (25, 3), (11, 11), (10, 11), (12, 7), (19, 21), (21, 19), (25, 25)]
)
def test_edges_of_every_size(width: int, height: int, ruleset: str) -> None:
    """One step over any edge leads to the opposite edge on a wrapped board, else to death."""
    right, top = width - 1, height - 1
    assert max(width, height) <= MAX_SIDE
    for start, move, end in (
        ((right, 1), RIGHT, (0, 1)),
        ((0, 1), LEFT, (right, 1)),
        ((1, top), UP, (1, 0)),
        ((1, 0), DOWN, (1, top)),
        ((right, top), RIGHT, (0, top)),
        ((right, top), UP, (right, 0)),
    ):
        before = pack(Position(width, height, (Snake("a", 50, (start,)),), ruleset=Ruleset(ruleset)))
        after = play(before, (move,))
        if ruleset == "wrapped":
            assert body_of(after, 0) == (end,)
        else:
            assert deaths(before, after) == {0: Death(Cause.WALL, None)}


def test_the_longest_body_follows_its_tail() -> None:
    """A snake that fills the board follows its tail for more turns than the ring of its body has places."""
    rows = [[(x, y) for x in range(1, 25)] for y in range(24)]
    loop = [cell for y, row in enumerate(rows) for cell in (row if y % 2 == 0 else row[::-1])]
    loop += [(0, y) for y in range(23, -1, -1)]
    body = tuple(reversed(loop))
    # The hazards heal what a turn costs.
    packed = pack(Position(25, 24, (Snake("a", 50, body),), hazards=body, ruleset=Ruleset("solo", -1)))
    for turn in range(2 * RING):
        (x, y), (next_x, next_y) = loop[turn % 600 - 1], loop[turn % 600]
        move = next(move for move, step in STEPS.items() if step == (next_x - x, next_y - y))
        packed = play(packed, (move,))
    last = 2 * RING % 600
    assert body_of(packed, 0) == tuple(reversed(loop[last:] + loop[:last]))
