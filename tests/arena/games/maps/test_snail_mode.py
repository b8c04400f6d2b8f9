"""Trails of the map "snail_mode"."""

from collections import Counter
from random import Random

import pytest

from arena.games.boards import BoardInPlay, update_board
from arena.records import Start
from searcher.engine.position import Direction, Position, Snake
from searcher.engine.rules.packing import pack
from tests.arena.games.maps.map_rules import hazards_after, rules_of
from tests.searcher.engine.turns import play

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


FORESEEN = 7
"""The turns of the next test. In these no head returns to a cell that it entered after the first turn."""


@pytest.mark.parametrize("seed", range(12))
def test_a_search_foresees_the_trails_of_the_bodies_on_the_board(seed: int) -> None:
    """Turns of a search do the same damage as turns of the map: of fading hazards, and of trails to come.

    The second snake follows the first one's tail, and walks over old hazards on the way.
    """
    random = Random(seed)
    rules = rules_of(
        map="snail_mode", width=11, height=11, minimum_food=0, food_spawn_chance=0, hazard_damage=2
    )
    ahead, behind = tuple((x, 5) for x in range(7, -1, -1)), ((0, 7), (0, 8), (0, 9), (0, 9), (0, 9))
    hazards = ((0, 6),) * 3 + ((9, 5),) * 5 + ((0, 5 + 11),) * len(ahead)
    board = BoardInPlay(rules, Start(3, (ahead, behind), (100, 100), (), hazards))
    searched = pack(board.position)
    ways = [Direction.UP, Direction.RIGHT], [Direction.DOWN, Direction.RIGHT]
    for turn in range(FORESEEN):
        moves = [Direction.DOWN if turn < 2 and snake else random.choice(ways[snake]) for snake in range(2)]
        board.play({str(index): move for index, move in enumerate(moves)})
        board.update(update_board(rules, board.position, seed))
        searched = play(searched, moves)
        health = {int(each.id): each.health for each in board.position.snakes}
        assert searched.board["health"][0, :2].tolist() == [health.get(index, 0) for index in range(2)]
    assert health[1] < 100 - FORESEEN - 2 * 2 - 2 * len(ahead)
