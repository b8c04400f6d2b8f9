"""A single turn, for tests that have one position and want the next."""

from collections.abc import Mapping

from searcher.engine.live_board import Death, LiveGame
from searcher.engine.position import Direction, Position


def play_turn(position: Position, moves: Mapping[str, Direction]) -> tuple[Position, dict[str, Death]]:
    """The position after a turn, and the deaths; `by` is an index into the snakes before the turn."""
    board = LiveGame(position)
    fell = board.play(moves)
    return board.position, fell
