"""Minimax as a backtracking search in post-order: one board, make and unmake, an explicit stack.

Source: "Backtracking minimax" (Nicholas Boyce, Recurse Center). The article keeps its untried moves in one
queue that all levels of the search turn round; with a set in its place, moves were skipped or tried twice.
Here each level holds its own moves, so the order in which a container hands things out decides nothing.
"""

from collections import deque
from collections.abc import Generator, Sequence
from typing import Generic, Protocol

from searcher.textbook.game import GameResult, Move


class UndoableBoard(Protocol[Move]):
    """One board of a game for two players who alternate. It changes with each move and changes back."""

    @property
    def first_to_move(self) -> bool:
        """Whether the first player, who wants the highest value, is to move."""

    def legal_moves(self) -> Sequence[Move]:
        """The moves of a game that is not over, as a list of its own that later moves don't change."""

    def make(self, move: Move) -> None:
        """Play a legal move."""

    def unmake(self, move: Move) -> None:
        """Take back `move`, the last one made."""

    def result(self) -> GameResult | None:
        """How the game has ended for the first player; None while it goes on."""


class _Level(Generic[Move]):
    """A position between the root and where the search stands: the moves to try, the value so far."""

    def __init__(self, board: UndoableBoard[Move]) -> None:
        result = board.result()
        worst = GameResult.LOSS if board.first_to_move else GameResult.WIN
        self.value = worst if result is None else result
        self.choose = max if board.first_to_move else min
        self.untried = iter(board.legal_moves() if result is None else ())


def postorder_values(board: UndoableBoard[Move]) -> Generator[GameResult, None, None]:
    """The value of every position below `board`, children before their parent, `board` itself last.

    Source: "Backtracking minimax". Adds to `minimaxing.best_result` that nothing is copied: while a value
    is handed out the board stands in that position. However the iteration ends, all is unmade again.
    """
    levels, made = [_Level(board)], list[Move]()
    try:
        while levels:
            move = next(levels[-1].untried, None)
            if move is not None:
                board.make(move)
                made.append(move)
                levels.append(_Level(board))
                continue
            yield levels[-1].value
            value = levels.pop().value
            if levels:
                board.unmake(made.pop())
                levels[-1].value = levels[-1].choose(levels[-1].value, value)
    finally:
        while made:
            board.unmake(made.pop())


def backtracking_value(board: UndoableBoard[Move]) -> GameResult:
    """The value of `board` for the first player, when both play their best.

    Source: "Backtracking minimax". It is the last of the post-order. Leaves the board as it found it.
    """
    return deque(postorder_values(board), maxlen=1).pop()


def backtracking_moves(board: UndoableBoard[Move]) -> dict[Move, GameResult]:
    """Each legal move with the value it leads to, seen by the player to move."""
    first = board.first_to_move
    scores = {}
    for move in board.legal_moves():
        board.make(move)
        value = backtracking_value(board)
        board.unmake(move)
        scores[move] = value if first else value.reversed()
    return scores
