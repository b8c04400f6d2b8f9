"""Hand-written turns in which several rules meet: before, moves, after."""

from dataclasses import dataclass

import pytest

from battlesnake_search.contract.deaths import Cause
from searcher.engine.live_board import Death, deaths
from searcher.engine.position import Direction, Point, Position, Ruleset, Snake
from searcher.engine.rules.packing import body_of, food_of, living, pack
from searcher.engine.rules.records import RING, STEPS, Packed
from tests.searcher.engine.positions import points, snake
from tests.searcher.engine.turns import play

UP, DOWN, LEFT, RIGHT = Direction


@dataclass(frozen=True)
class Turn:
    """A position and its result: `after` has the living snakes, `died` causes and killers by index."""

    name: str
    before: Position
    moves: tuple[Direction, ...]
    after: tuple[Snake, ...]
    food: tuple[Point, ...] = ()
    died: tuple[tuple[int, Death], ...] = ()


def position(
    *snakes: Snake, ruleset: str = "standard", damage: int = 0, food: str = "", hazards: str = ""
) -> Position:
    """Return a position on a 7x7 board."""
    return Position(7, 7, snakes, points(food), points(hazards), ruleset=Ruleset(ruleset, damage))


def dead(index: int, cause: str, by: int | None = None) -> tuple[int, Death]:
    """Return an expected death."""
    return index, Death(Cause(cause), by)


A = snake("a", "33 32 31", 50)
A_UP = snake("a", "34 33 32", 49)
FAR = snake("f", "60 61 62", 50)
FAR_LEFT = snake("f", "50 60 61", 49)

TURNS = (
    Turn(
        "healing hazards heal up to full health",
        position(snake("a", "33 32 31", 70), FAR, damage=-20, hazards="34 34 34"),
        (UP, LEFT),
        (snake("a", "34 33 32", 100), FAR_LEFT),
    ),
    Turn(
        "healing comes before hunger",
        position(snake("a", "33 32 31", 1), FAR, damage=-20, hazards="34"),
        (UP, LEFT),
        (snake("a", "34 33 32", 20), FAR_LEFT),
    ),
    Turn(
        "food on hazard feeds and shields",
        position(snake("a", "33 32 31", 1), FAR, damage=100, hazards="34 34", food="34"),
        (UP, LEFT),
        (snake("a", "34 33 32 32"), FAR_LEFT),
    ),
    Turn(
        "hazard comes before hunger",
        position(snake("a", "33 32 31", 1), FAR, damage=0, hazards="34"),
        (UP, LEFT),
        (FAR_LEFT,),
        died=(dead(0, "hazard"),),
    ),
    Turn(
        "hunger comes before the wall",
        position(snake("a", "36 35 34", 1), FAR),
        (UP, LEFT),
        (FAR_LEFT,),
        died=(dead(0, "out-of-health"),),
    ),
    Turn(
        "three heads: the longest lives and is the killer",
        position(A, snake("b", "44 45 46", 50), snake("c", "24 14 04 03", 50)),
        (UP, LEFT, RIGHT),
        (snake("c", "34 24 14 04", 49),),
        died=(dead(0, "head-collision", 2), dead(1, "head-collision", 2)),
    ),
    Turn(
        "three heads: among equals the first is the killer",
        position(A, snake("b", "44 45 46", 50), snake("c", "24 14 04", 50)),
        (UP, LEFT, RIGHT),
        (),
        died=(dead(0, "head-collision", 1), dead(1, "head-collision", 0), dead(2, "head-collision", 0)),
    ),
    Turn(
        "both eat where heads meet, and count as longer",
        position(A, snake("b", "35 36 46 56", 50), FAR, food="34"),
        (UP, DOWN, LEFT),
        (snake("b", "34 35 36 46 46"), FAR_LEFT),
        died=(dead(0, "head-collision", 1),),
    ),
    Turn(
        "a body comes before a head",
        position(A, snake("b", "44 45 46 56", 50), snake("c", "24 34 35 36", 50)),
        (UP, LEFT, LEFT),
        (snake("c", "14 24 34 35", 49),),
        died=(dead(0, "snake-collision", 2), dead(1, "snake-collision", 2)),
    ),
    Turn(
        "neighbours that swap run into each other's necks",
        position(snake("a", "33 23 13", 50), snake("b", "43 53 63", 50)),
        (RIGHT, LEFT),
        (),
        died=(dead(0, "snake-collision", 1), dead(1, "snake-collision", 0)),
    ),
    Turn(
        "a snake that starves blocks no cell",
        position(A, snake("b", "24 34 35 36", 1)),
        (UP, LEFT),
        (A_UP,),
        died=(dead(1, "out-of-health"),),
    ),
    Turn(
        "a snake that collides still blocks its cells",
        position(A, snake("b", "24 34 44 54 53", 50), snake("c", "14 13 12", 50)),
        (UP, LEFT, RIGHT),
        (),
        died=(dead(0, "snake-collision", 1), dead(1, "snake-collision", 2), dead(2, "snake-collision", 1)),
    ),
    Turn(
        "constrictor: every snake grows and none eats",
        position(A, snake("f", "60 61 61", 50), ruleset="constrictor", food="00"),
        (UP, LEFT),
        (snake("a", "34 33 32 32"), snake("f", "50 60 61 61")),
    ),
    Turn(
        "constrictor: a snake with parts to unfold does not grow again",
        position(snake("a", "33 33 33"), FAR, ruleset="constrictor"),
        (UP, LEFT),
        (snake("a", "34 33 33"), snake("f", "50 60 61 61")),
    ),
    Turn(
        "one cell long: a snake that eats runs into the part that grows",
        position(snake("a", "33", 50), FAR, food="34"),
        (UP, LEFT),
        (FAR_LEFT,),
        died=(dead(0, "snake-self-collision", 0),),
    ),
    Turn(
        "wrapped: heads meet across the seam",
        position(snake("a", "63 53 43", 50), snake("b", "13 23 33 34", 50), ruleset="wrapped"),
        (RIGHT, LEFT),
        (snake("b", "03 13 23 33", 49),),
        died=(dead(0, "head-collision", 1),),
    ),
)


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.name)
def test_a_turn(turn: Turn) -> None:
    """The living snakes, the food and the deaths of a turn are those of the official rules."""
    before = pack(turn.before)
    after = play(before, turn.moves)
    assert snakes_of(after, turn.before) == turn.after
    assert food_of(after) == turn.food
    assert deaths(before, after) == dict(turn.died)


def snakes_of(packed: Packed, before: Position) -> tuple[Snake, ...]:
    """Return the living snakes."""
    return tuple(
        Snake(before.snakes[index].id, int(packed.board["health"][0, index]), body_of(packed, index))
        for index in living(packed)
    )


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
