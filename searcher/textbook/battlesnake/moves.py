"""Which moves a search tries for a snake."""

from searcher.textbook.battlesnake.board import Board, Direction
from searcher.textbook.game import Player


def candidate_moves(board: Board, player: Player) -> list[Direction]:
    """The moves of a living snake that don't surely kill it at once, in the order of Direction; else up.

    Left out are moves off the board (unless wrapped) and onto a cell where some living snake, this one too,
    will still have a part after the turn: any part but the last, which moves on. The last part of a snake
    that has just eaten, or has not unfolded yet, is doubled, so its cell counts as held. Not looked at: heads
    that may meet, health, hazards, and that the snake in the way may die this turn. A snake with no such
    move dies whatever it plays; up stands for all of them.
    """
    held = {part for other in board.living for part in board.snakes[other].body[:-1]}
    head = board.snakes[player].head
    targets = {direction: board.neighbour(head, direction) for direction in Direction}
    free = [direction for direction, cell in targets.items() if board.holds(cell) and cell not in held]
    return free or [Direction.UP]
