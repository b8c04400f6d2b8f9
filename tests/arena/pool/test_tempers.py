"""The temper of each opponent that looks one turn ahead, on small boards where it shows."""

from dataclasses import replace

import pytest

from searcher.engine.position import Direction, Position, Ruleset
from tests.arena.pool.opponents import moves_of, played_alone
from tests.searcher.engine.positions import points, snake

UP, DOWN, LEFT, RIGHT = Direction
SOLO = Ruleset("solo")
CENTRE = Position(7, 7, (snake("me", "33 32 31"),), ruleset=SOLO)
"""A snake in the middle of an empty board, which has come up."""


def test_the_greedy_one_takes_the_shortest_way_to_food() -> None:
    """The nearest food decides, by steps around bodies."""
    assert moves_of("greedy", replace(CENTRE, food=points("13 63"))) == {LEFT}
    # The body of the other snake bars the way to the food on the left.
    wall = snake("wall", "26 25 24 23 22 21 20", 50)
    assert moves_of("greedy", replace(CENTRE, snakes=(*CENTRE.snakes, wall), food=points("13 63"))) == {RIGHT}


def test_the_forager_takes_the_food_that_it_reaches_first() -> None:
    """It leaves food to a snake that is nearer. Without other food, it fights for it."""
    peer = snake("peer", "03 02 01")
    position = replace(CENTRE, snakes=(*CENTRE.snakes, peer), food=points("13 63"))
    assert moves_of("greedy", position) == {LEFT}
    assert moves_of("forager", position) == {RIGHT}
    assert moves_of("forager", replace(position, food=points("13"))) == {LEFT}


def test_the_harvester_goes_where_most_food_is() -> None:
    """Two meals on one side are better than a meal at the same distance on the other side."""
    assert moves_of("greedy", replace(CENTRE, food=points("13 53 63"))) == {LEFT, RIGHT}
    assert moves_of("harvester", replace(CENTRE, food=points("13 53 63"))) == {RIGHT}
    peer = snake("peer", "03 02 01")
    assert moves_of("harvester", replace(CENTRE, snakes=(*CENTRE.snakes, peer), food=points("13"))) == {LEFT}


def test_the_hunter_goes_for_a_shorter_head() -> None:
    """A shorter snake is prey even where food is nearer; without prey the hunter eats."""
    prey, hunter = snake("prey", "04 03"), snake("me", "33 32 31")
    hunt = Position(7, 7, (hunter, prey), points("43"))
    assert moves_of("hunter", hunt) == {UP, LEFT}
    assert moves_of("hunter", replace(hunt, snakes=(hunter, snake("peer", "04 03 02")))) == {RIGHT}


def test_the_coward_keeps_away_from_heads() -> None:
    """The coward runs from the head of another snake, whatever lies near it."""
    other = snake("other", "13 12")
    position = Position(7, 7, (snake("me", "33 32 31"), other), points("23"))
    assert moves_of("greedy", position) == {LEFT}
    assert moves_of("coward", position) == {RIGHT}


def test_the_wall_hugger_keeps_to_the_edge() -> None:
    """It goes to the nearest edge and stays there."""
    heads = [position.snakes[0].body[0] for position in played_alone("wall_hugger", CENTRE, 40)]
    assert all(0 in head or 6 in head for head in heads[2:])
    assert len(set(heads[2:])) == 24


def test_the_tail_chaser_follows_its_tail() -> None:
    """A snake of length four that follows its tail stays on four cells."""
    start = replace(CENTRE, snakes=(snake("me", "33 32 22 23"),))
    bodies = {frozenset(position.snakes[0].body) for position in played_alone("tail_chaser", start, 40)}
    assert bodies == {frozenset(start.snakes[0].body)}


def test_the_spacious_one_takes_the_larger_side() -> None:
    """Where bodies divide the board, it goes to the side with more cells, not to the one with food."""
    me, wall = snake("me", "24 23 22 21 20"), snake("wall", "25 26 36")
    position = Position(7, 7, (me, wall), points("14"))
    assert moves_of("greedy", position) == {LEFT}
    assert moves_of("spacious", position) == {RIGHT}


def test_the_random_one_plays_any_safe_move() -> None:
    """Nothing attracts it."""
    assert moves_of("random", replace(CENTRE, food=points("43"))) == {UP, LEFT, RIGHT}


@pytest.mark.parametrize("name", ["coward", "random", "spacious", "tail_chaser", "wall_hugger"])
def test_every_hungry_snake_eats(name: str) -> None:
    """A snake that can't wait any longer goes for food, whatever its temper."""
    hungry = replace(CENTRE, snakes=(snake("me", "33 32 31", 14),), food=points("63"))
    assert moves_of(name, hungry) == {RIGHT}
    fed = replace(hungry, snakes=(snake("me", "33 32 31", 15),))
    assert moves_of(name, fed) != {RIGHT}
