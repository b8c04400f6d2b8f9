"""The moves that a search tries for a snake."""

from searcher.textbook.battlesnake.board import Board, Direction
from searcher.textbook.game import Player


def candidate_moves(board: Board, player: Player) -> list[Direction]:
    """Return the moves that don't surely kill a living snake at once, in the order of Direction; else up.

    Moves off the board (unless wrapped) are left out, and so are moves onto a cell that a living snake,
    including this one, still occupies after the turn: that of any segment but the tail, which moves on. The
    tail of a snake that has just eaten or has yet to unfold is doubled, so its cell counts as occupied.
    Head-to-head collisions, health, hazards and the possible death of the blocking snake are ignored. A snake
    without a candidate dies whatever it plays; up stands for all its moves.
    """
    occupied = {segment for other in board.living for segment in board.snakes[other].body[:-1]}
    head = board.snakes[player].head
    targets = {direction: board.neighbour(head, direction) for direction in Direction}
    free = [direction for direction, cell in targets.items() if board.holds(cell) and cell not in occupied]
    return free or [Direction.UP]
