"""An evaluator for Battlesnake: who gets first to how much of the board.

Source: the "area control" score named in "Minimax in Battlesnake" (Corey Alexander).
"""

from searcher.textbook.battlesnake.board import Board, Direction, Point
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.game import Player


def territory(game: Battlesnake, player: Player) -> float:
    """The share of the free cells that `player` reaches before all others, from -1 (none) to 1 (all).

    Bodies stand still, their last parts are free. Of snakes that arrive together the longest gets the cell,
    nobody if two are equally long.
    """
    owners = reached_first(game.board)
    mine = sum(owner == player for owner in owners.values())
    return 2 * mine / max(len(owners), 1) - 1


def reached_first(board: Board) -> dict[Point, Player | None]:
    """Who gets first to each free cell that anybody can reach; None for nobody."""
    held = {part for player in board.living for part in board.snakes[player].body[:-1]}
    owners: dict[Point, Player | None] = {}
    front = {board.snakes[player].head: player for player in board.living}
    while front:
        arrivals: dict[Point, set[Player]] = {}
        for cell, player in front.items():
            for target in _neighbours(board, cell) - held - owners.keys():
                arrivals.setdefault(target, set()).add(player)
        reached = {cell: _longest(board, players) for cell, players in arrivals.items()}
        owners |= reached
        front = {cell: player for cell, player in reached.items() if player is not None}
    return owners


def _neighbours(board: Board, cell: Point) -> set[Point]:
    """The cells of the board one step away."""
    cells = {board.neighbour(cell, direction) for direction in Direction}
    return {cell for cell in cells if board.holds(cell)}


def _longest(board: Board, players: set[Player]) -> Player | None:
    """The player with the longest snake; None if several are."""
    most = max(len(board.snakes[player].body) for player in players)
    longest = [player for player in players if len(board.snakes[player].body) == most]
    return longest[0] if len(longest) == 1 else None
