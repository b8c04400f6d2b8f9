"""Tic-tac-toe: as immutable positions, and as a board whose moves are made and unmade."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from searcher.textbook.game import GameResult, Player, mover

MARKS = "XO"
"""The mark of each player: player 0 is X and begins."""

EMPTY = "."

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
"""The eight lines of three cells. Cells are numbered 0 to 8, row by row from the top left."""


def complete_line(cells: Sequence[str]) -> tuple[int, int, int] | None:
    """Return the first line of LINES with three equal marks, or None without such a line."""
    for line in LINES:
        a, b, c = line
        if cells[a] != EMPTY and cells[a] == cells[b] == cells[c]:
            return line
    return None


@dataclass(frozen=True, slots=True)
class TicTacToe:
    """A position: nine characters, each X, O or a dot. X begins, so the marks show the player to move.

    >>> TicTacToe("XX.OO....").play({0: 2}).result(0).name
    'WIN'
    """

    cells: str = EMPTY * 9

    @property
    def players(self) -> tuple[Player, Player]:
        """X and O."""
        return 0, 1

    @property
    def turn(self) -> int:
        """The number of marks on the board."""
        return 9 - self.cells.count(EMPTY)

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The player who sets the next mark. Empty after a complete line or nine marks."""
        over = self.turn == 9 or complete_line(self.cells) is not None
        return () if over else (self.turn % 2,)

    def legal_moves(self, player: Player) -> list[int]:
        """Return the empty cells, in order."""
        return [cell for cell, mark in enumerate(self.cells) if mark == EMPTY]

    def play(self, moves: Mapping[Player, int]) -> "TicTacToe":
        """Set the mark of the player to move. Raises ValueError if the game is over or the cell is taken."""
        player = mover(self)
        cell = moves[player]
        if cell not in self.legal_moves(player):
            raise ValueError(f"cell {cell} is not free; the free cells are {self.legal_moves(player)}")
        return TicTacToe(self.cells[:cell] + MARKS[player] + self.cells[cell + 1 :])

    def result(self, player: Player) -> GameResult | None:
        """Return a win for the owner of a complete line, a draw on a full board without a line, else None."""
        line = complete_line(self.cells)
        if line is not None:
            return GameResult.WIN if self.cells[line[0]] == MARKS[player] else GameResult.LOSS
        return GameResult.DRAW if self.turn == 9 else None


def open_lines(game: TicTacToe, player: Player) -> float:
    """Evaluate a position by its open lines: the lines of `player` minus the opponent's lines, from -1 to 1.

    A line is open to a player while the opponent has no mark on it.
    """

    def open_to(mark: str) -> int:
        return sum(all(game.cells[cell] in (mark, EMPTY) for cell in line) for line in LINES)

    return (open_to(MARKS[player]) - open_to(MARKS[1 - player])) / len(LINES)


class TicTacToeBoard:
    """A mutable board for a search that makes and unmakes moves (see `minimax.UndoableBoard`)."""

    def __init__(self, cells: Iterable[str] = EMPTY * 9) -> None:
        self.cells = list(cells)
        self.first_to_move = self.cells.count(EMPTY) % 2 == 1

    def legal_moves(self) -> list[int]:
        """Return the empty cells, in order, even on a board with a complete line."""
        return [cell for cell, mark in enumerate(self.cells) if mark == EMPTY]

    def make(self, move: int) -> None:
        """Set the mark of the player to move on the empty cell `move`."""
        self.cells[move] = MARKS[0] if self.first_to_move else MARKS[1]
        self.first_to_move = not self.first_to_move

    def unmake(self, move: int) -> None:
        """Remove the mark from the cell `move`."""
        self.cells[move] = EMPTY
        self.first_to_move = not self.first_to_move

    def result(self) -> GameResult | None:
        """Return the result for X, or None while the game goes on."""
        line = complete_line(self.cells)
        if line is not None:
            return GameResult.WIN if self.cells[line[0]] == MARKS[0] else GameResult.LOSS
        return None if EMPTY in self.cells else GameResult.DRAW
