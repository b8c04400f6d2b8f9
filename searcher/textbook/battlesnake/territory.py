"""An evaluator for Battlesnake: the share of the board that a snake reaches first.

Source: the "area control" score named in "Minimax in Battlesnake" (Corey Alexander).
"""

from searcher.textbook.battlesnake.board import Board, Direction, Point
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.game import Player


def territory(game: Battlesnake, player: Player) -> float:
    """Evaluate the share of free cells that `player` reaches before all opponents, from -1 (none) to 1 (all).

    Bodies stand still and their tails are free. If snakes arrive at the same time, the longest gets the cell,
    or nobody if several are equally long.
    """
    owners = reached_first(game.board)
    mine = sum(owner == player for owner in owners.values())
    return 2 * mine / max(len(owners), 1) - 1


def reached_first(board: Board) -> dict[Point, Player | None]:
    """Return the player who reaches each reachable free cell first; None for a tie."""
    occupied = {segment for player in board.living for segment in board.snakes[player].body[:-1]}
    owners: dict[Point, Player | None] = {}
    front = {board.snakes[player].head: player for player in board.living}
    while front:
        arrivals: dict[Point, set[Player]] = {}
        for cell, player in front.items():
            for target in _neighbours(board, cell) - occupied - owners.keys():
                arrivals.setdefault(target, set()).add(player)
        reached = {cell: _longest(board, players) for cell, players in arrivals.items()}
        owners |= reached
        front = {cell: player for cell, player in reached.items() if player is not None}
    return owners


def _neighbours(board: Board, cell: Point) -> set[Point]:
    """Return the cells of the board one step away."""
    cells = {board.neighbour(cell, direction) for direction in Direction}
    return {cell for cell in cells if board.holds(cell)}


def _longest(board: Board, players: set[Player]) -> Player | None:
    """Return the player with the longest snake; None if several are equally long."""
    length = max(len(board.snakes[player].body) for player in players)
    longest = [player for player in players if len(board.snakes[player].body) == length]
    return longest[0] if len(longest) == 1 else None
