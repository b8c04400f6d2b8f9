"""Trails of the map "snail_mode"."""

from random import Random

import pytest

from arena.games.boards import BoardInPlay, update_board
from arena.records import Start
from searcher.engine.position import Direction
from searcher.engine.rules.packing import pack
from tests.arena.games.maps.map_rules import rules_of
from tests.searcher.engine.turns import play

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
