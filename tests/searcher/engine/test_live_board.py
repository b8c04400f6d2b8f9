"""A live board that is played on, from positions of recorded games."""

from dataclasses import replace

import pytest

from searcher.engine.live_board import LiveGame
from searcher.engine.position import Direction
from tests.arena.games.single_turn import play_turn
from tests.searcher.engine.positions import recorded_positions


def test_a_board_is_played_on_as_if_it_were_new_each_turn() -> None:
    """A board that is played on keeps nothing of earlier turns except the position, whatever the map adds."""
    for position in recorded_positions(every=40):
        board = LiveGame(position)
        for turn in range(6):
            moves = {snake.id: Direction((turn + int(snake.health)) % 4) for snake in position.snakes}
            position, fell = play_turn(position, moves)
            causes = {id_: death.cause for id_, death in board.play(moves).items()}
            assert causes == {id_: death.cause for id_, death in fell.items()}
            taken = {*position.food, *(part for snake in position.snakes for part in snake.body)}
            food = tuple(cell for cell in ((0, turn), (turn, 0)) if cell not in taken)[:1]
            position = replace(position, food=position.food + food, hazards=(*position.hazards, (1, 1)))
            board.change(food, position.hazards)
            assert replace(board.position, food=()) == replace(position, food=())
            assert set(board.position.food) == set(position.food)


@pytest.mark.parametrize("every", [1, 3])
def test_hazards_close_in_by_the_map_alone(every: int) -> None:
    """A board is the same after each turn whether or not its rules say that hazards close in."""
    for position in recorded_positions(every=40):
        closing = replace(position.ruleset, shrink_every=every)
        still = replace(position, hazards=())
        boards = LiveGame(still), LiveGame(replace(still, ruleset=closing))
        for turn in range(6):
            moves = {snake.id: Direction((turn + int(snake.health)) % 4) for snake in position.snakes}
            assert boards[0].play(moves) == boards[1].play(moves)
            assert replace(boards[0].position, ruleset=closing) == boards[1].position
            for board in boards:
                board.change((), tuple((turn, y) for y in range(position.height)))
