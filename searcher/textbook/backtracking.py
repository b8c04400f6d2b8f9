"""Minimax as a backtracking search in post-order: one board, make and unmake, an explicit stack.

Source: "Backtracking minimax" (Nicholas Boyce, Recurse Center). The article keeps the untried moves of all
levels of the search in one queue, which the levels rotate. With a set in place of that queue, moves were
skipped or tried twice. Here each stack frame holds its own moves, so no container's order matters.
"""

from collections import deque
from collections.abc import Generator, Sequence
from typing import Generic, Protocol

from searcher.textbook.game import GameResult, Move


class UndoableBoard(Protocol[Move]):
    """A mutable board of a game for two players who alternate: moves are made and unmade in place."""

    @property
    def first_to_move(self) -> bool:
        """Whether the first player, who maximizes the value, is to move."""

    def legal_moves(self) -> Sequence[Move]:
        """Return the moves of a game that is not over, in a list that later moves don't change."""

    def make(self, move: Move) -> None:
        """Play a legal move."""

    def unmake(self, move: Move) -> None:
        """Take back `move`, the last one made."""

    def result(self) -> GameResult | None:
        """Return how the game ended for the first player; None while it goes on."""


class _Frame(Generic[Move]):
    """A stack frame: a position on the current path, its untried moves and its value so far."""

    def __init__(self, board: UndoableBoard[Move]) -> None:
        result = board.result()
        worst = GameResult.LOSS if board.first_to_move else GameResult.WIN
        self.value = worst if result is None else result
        self.choose = max if board.first_to_move else min
        self.untried = iter(board.legal_moves() if result is None else ())


def postorder_values(board: UndoableBoard[Move]) -> Generator[GameResult, None, None]:
    """Yield the value of every position below `board`, children before their parent, `board` itself last.

    Source: "Backtracking minimax". Adds to `minimax.best_result` that nothing is copied: while a value is
    yielded, the board shows its position. However the iteration ends, every move is unmade again.
    """
    stack, made = [_Frame(board)], list[Move]()
    try:
        while stack:
            move = next(stack[-1].untried, None)
            if move is not None:
                board.make(move)
                made.append(move)
                stack.append(_Frame(board))
                continue
            yield stack[-1].value
            value = stack.pop().value
            if stack:
                board.unmake(made.pop())
                stack[-1].value = stack[-1].choose(stack[-1].value, value)
    finally:
        while made:
            board.unmake(made.pop())


def backtracking_value(board: UndoableBoard[Move]) -> GameResult:
    """Return the value of `board` for the first player when both sides play their best moves.

    Source: "Backtracking minimax". It is the last value in post-order. The board is left unchanged.
    """
    return deque(postorder_values(board), maxlen=1).pop()


def backtracking_moves(board: UndoableBoard[Move]) -> dict[Move, GameResult]:
    """Return the value of each legal move for the player to move."""
    first = board.first_to_move
    scores = {}
    for move in board.legal_moves():
        board.make(move)
        value = backtracking_value(board)
        board.unmake(move)
        scores[move] = value if first else value.reversed()
    return scores
