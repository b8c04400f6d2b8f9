"""The moves that snakes chose, and what spoke for each that they had."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.data.columns import Columns
from arena.data.schema import UNKNOWN_MOVE
from arena.learning.samples.packing import kinds_of, pack_row, rows_of
from searcher.engine.features.distance import nearest_food
from searcher.engine.features.likely import POINTS, habits
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import free_cells, legal_moves

DIRECTIONS = 4


@dataclass(frozen=True, slots=True)
class Choices:
    """Moves of snakes that had several legal ones, of which they chose one."""

    habits: NDArray[np.int8]
    """By choice and direction, the counts of `searcher.engine.features.likely.habits`."""
    legal: NDArray[np.bool_]
    """By choice and direction."""
    chosen: NDArray[np.uint8]
    """The direction."""
    games: NDArray[np.int64]
    folds: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.chosen)

    def where(self, samples: NDArray[np.bool_]) -> "Choices":
        """Return some of the choices."""
        return Choices(
            self.habits[samples],
            self.legal[samples],
            self.chosen[samples],
            self.games[samples],
            self.folds[samples],
        )


def choices_of(columns: Columns, players: Sequence[str] = (), living: int = 2) -> Choices:
    """Return the choices of some players, by default of all, while so many snakes or more lived."""
    snakes = columns.snakes
    found = np.zeros((len(snakes), DIRECTIONS, len(POINTS)), dtype=np.int8)
    legal = np.zeros((len(snakes), DIRECTIONS), dtype=np.bool_)
    rows = rows_of(columns)
    for kind in kinds_of(columns):
        _fill(kind, rows, found, legal)
    known = np.where(snakes.move == UNKNOWN_MOVE, 0, snakes.move)
    wanted = [code for code, name in enumerate(snakes.player.names) if not players or name in players]
    is_choice = (
        (snakes.move != UNKNOWN_MOVE)
        & legal[np.arange(len(snakes)), known]
        & (legal.sum(axis=1) > 1)
        & np.isin(snakes.player.codes, wanted)
        & (np.diff(columns.first)[snakes.rows] >= living)
    )
    games = columns.game.codes[snakes.rows].astype(np.int64)
    folds = columns.fold[snakes.rows].astype(np.int64)
    return Choices(found, legal, snakes.move, games, folds).where(is_choice)


@njit
def _fill(kind: Any, rows: Any, found: Any, legal: Any) -> None:
    game, board = kind.game[0], kind.board[0]
    for row in kind.positions:
        pack_row(game, board, rows, row)
        free = free_cells(game, board)
        for snake in range(rows.first[row], rows.first[row + 1]):
            seat = snake - rows.first[row]
            moves = legal_moves(game, board, seat, free)
            nearest = nearest_food(game, board, board.head[seat])
            for move in range(DIRECTIONS):
                if (moves >> move) & 1:
                    legal[snake, move] = True
                    counts = habits(game, board, seat, move, free, nearest)
                    for habit in range(len(POINTS)):
                        found[snake, move, habit] = counts[habit]
