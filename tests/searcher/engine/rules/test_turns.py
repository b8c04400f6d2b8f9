"""Hand-written turns: before, moves, after."""

from dataclasses import dataclass

import pytest

from battlesnake_search.contract.deaths import Cause
from searcher.engine.position import Direction, Point, Position, Ruleset, Snake
from searcher.engine.rules.death_causes import Death, deaths
from searcher.engine.rules.packing import body_of, food_of, living, pack
from searcher.engine.rules.records import Packed
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
        "a stacked start unfolds",
        position(snake("a", "33 33 33"), FAR),
        (UP, LEFT),
        (snake("a", "34 33 33", 99), FAR_LEFT),
    ),
    Turn(
        "eating doubles the tail",
        position(A, FAR, food="34 00"),
        (UP, LEFT),
        (snake("a", "34 33 32 32"), FAR_LEFT),
        food=points("00"),
    ),
    Turn(
        "the tail stays on the turn after",
        position(snake("a", "34 33 32 32"), FAR),
        (UP, LEFT),
        (snake("a", "35 34 33 32", 99), FAR_LEFT),
    ),
    Turn(
        "eating twice in a row",
        position(snake("a", "34 33 32 32", 7), FAR, food="35"),
        (UP, LEFT),
        (snake("a", "35 34 33 32 32"), FAR_LEFT),
    ),
    Turn(
        "hazards do damage by layers",
        position(A, FAR, damage=14, hazards="34 34 33"),
        (UP, LEFT),
        (snake("a", "34 33 32", 21), FAR_LEFT),
    ),
    Turn(
        "a hazard that was left does nothing",
        position(A, FAR, damage=14, hazards="33"),
        (UP, LEFT),
        (A_UP, FAR_LEFT),
    ),
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
        "hunger kills",
        position(snake("a", "33 32 31", 1), FAR),
        (UP, LEFT),
        (FAR_LEFT,),
        died=(dead(0, "out-of-health"),),
    ),
    Turn(
        "food saves at the last moment",
        position(snake("a", "33 32 31", 1), FAR, food="34"),
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
        "the wall kills on every side",
        position(snake("a", "36 35"), snake("b", "10 11"), snake("c", "02 12"), snake("d", "64 54"), FAR),
        (UP, DOWN, LEFT, RIGHT, LEFT),
        (FAR_LEFT,),
        died=tuple(dead(index, "wall-collision") for index in range(4)),
    ),
    Turn(
        "equal heads both die",
        position(A, snake("b", "35 36 46", 50), FAR),
        (UP, DOWN, LEFT),
        (FAR_LEFT,),
        died=(dead(0, "head-collision", 1), dead(1, "head-collision", 0)),
    ),
    Turn(
        "the longer head lives",
        position(A, snake("b", "35 36 46 56", 50), FAR),
        (UP, DOWN, LEFT),
        (snake("b", "34 35 36 46", 49), FAR_LEFT),
        died=(dead(0, "head-collision", 1),),
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
        "a snake that runs into itself is its own killer",
        position(snake("a", "33 34 44 43 42", 50), FAR),
        (RIGHT, LEFT),
        (FAR_LEFT,),
        died=(dead(0, "snake-self-collision", 0),),
    ),
    Turn(
        "back into the neck",
        position(A, FAR),
        (DOWN, LEFT),
        (FAR_LEFT,),
        died=(dead(0, "snake-self-collision", 0),),
    ),
    Turn(
        "a snake's own tail moves on",
        position(snake("a", "33 34 44 43", 50), FAR),
        (RIGHT, LEFT),
        (snake("a", "43 33 34 44", 49), FAR_LEFT),
    ),
    Turn(
        "a tail that stays blocks its cell",
        position(A, snake("b", "45 44 34 34", 50)),
        (UP, UP),
        (snake("b", "46 45 44 34", 49),),
        died=(dead(0, "snake-collision", 1),),
    ),
    Turn(
        "a tail whose snake eats moves on this turn",
        position(A, snake("b", "45 44 34", 50), food="46"),
        (UP, UP),
        (A_UP, snake("b", "46 45 44 44")),
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
    Turn("solo: one snake plays on", position(A, ruleset="solo"), (UP,), (A_UP,)),
    Turn(
        "one cell long",
        position(snake("a", "33", 50), FAR),
        (UP, LEFT),
        (snake("a", "34", 49), FAR_LEFT),
    ),
    Turn(
        "two cells long: it may turn on the spot",
        position(snake("a", "33 32", 50), FAR),
        (DOWN, LEFT),
        (snake("a", "32 33", 49), FAR_LEFT),
    ),
    Turn(
        "one cell long: a snake that eats runs into the part that grows",
        position(snake("a", "33", 50), FAR, food="34"),
        (UP, LEFT),
        (FAR_LEFT,),
        died=(dead(0, "snake-self-collision", 0),),
    ),
    Turn(
        "wrapped: across the seam",
        position(snake("a", "63 53 43", 50), FAR, ruleset="wrapped"),
        (RIGHT, DOWN),
        (snake("a", "03 63 53", 49), snake("f", "66 60 61", 49)),
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
