"""Fits the model of likely moves to the moves that snakes chose: a conditional logit (McFadden 1974).

The chance of a move is proportional to the exponential of its points. The fit finds the points that make
the moves in the data most probable (maximum likelihood).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from arena.data.files import UNKNOWN_MOVE, Columns
from arena.learning.samples import SPLITS, Numbers
from arena.learning.values import kinds_of, pack_row, rows_of
from searcher.engine.features.distance import nearest_food
from searcher.engine.features.likely import POINTS, habits
from searcher.engine.jit.decorator import njit
from searcher.engine.rules.board import free_cells, legal_moves

DIRECTIONS = 4


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of snakes among several legal moves."""

    habits: NDArray[np.int8]
    """By choice and direction, the counts of `searcher.engine.features.likely.habits`."""
    legal: NDArray[np.bool_]
    """Whether the move is legal, by choice and direction."""
    chosen: NDArray[np.uint8]
    """The chosen direction, by choice."""
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
    """Return the choices of some players, by default of all, with at least `living` snakes on the board."""
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


HABITS = ("exit", "dead end", "straight on", "towards food", "prey", "danger")
"""The names of the points, in the order of POINTS."""

_PENALTY = 1e-5
"""The loss has this factor times sum(points ** 2), to limit the points of a move that no snake makes."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Fitted points, in log-odds, with their standard errors, and their accuracy.

    An accuracy is the share of choices in which the snake chose the move with the most points. `accuracy` is
    for the fitted points, in games that the fit has not seen. It is None if the games can't be split.
    `former_accuracy` is for POINTS, and `chance` is for a random legal move.
    """

    choices: int
    games: int
    points: Numbers
    errors: Numbers
    accuracy: float | None
    former_accuracy: float
    chance: float


def fit_policy(choices: Choices) -> Policy:
    """Return the points that fit the choices best."""
    points = _fit(choices)
    return Policy(
        choices=len(choices),
        games=len(np.unique(choices.games)),
        points=points,
        errors=_errors(choices, points),
        accuracy=_unseen_accuracy(choices),
        former_accuracy=_hits(choices, np.array(POINTS, dtype=np.float64)) / len(choices),
        chance=float((1.0 / choices.legal.sum(axis=1)).mean()),
    )


def _unseen_accuracy(choices: Choices) -> float | None:
    """Return the accuracy over all parts of the games. Each part's moves are foreseen by a fit to the others.

    The result is None if the games can't be split into SPLITS parts."""
    parts = [choices.folds % SPLITS == part for part in range(SPLITS)]
    hits = [_hits(choices.where(part), _fit(choices.where(~part))) for part in parts if not part.all()]
    return sum(hits) / len(choices) if len(hits) == SPLITS else None


def _fit(choices: Choices) -> Numbers:
    habits = choices.habits.astype(np.float64)
    chosen = habits[np.arange(len(choices)), choices.chosen]

    def loss_and_gradient(points: Numbers) -> tuple[float, Numbers]:
        logs = _log_chances(choices, habits @ points)
        expected = np.einsum("nd,ndh->nh", np.exp(logs), habits)
        loss = -float(logs[np.arange(len(choices)), choices.chosen].mean()) + _PENALTY * float(
            points @ points
        )
        return loss, (expected - chosen).mean(axis=0) + 2 * _PENALTY * points

    found: Numbers = minimize(loss_and_gradient, np.zeros(len(POINTS)), jac=True, method="L-BFGS-B").x
    return found


def _log_chances(choices: Choices, points: Numbers) -> Numbers:
    logs: Numbers = log_softmax(np.where(choices.legal, points, -np.inf), axis=1)
    return logs


def _hits(choices: Choices, points: Numbers) -> int:
    """Return how often the move with most points was chosen. Ties go to the first move, as in a search."""
    sums = np.where(choices.legal, choices.habits.astype(np.float64) @ points, -np.inf)
    return int((sums.argmax(axis=1) == choices.chosen).sum())


def _errors(choices: Choices, points: Numbers) -> Numbers:
    """Return the standard errors, clustered by game: the moves of a game are alike."""
    habits = choices.habits.astype(np.float64)
    chances = np.exp(_log_chances(choices, habits @ points))
    expected = np.einsum("nd,ndh->nh", chances, habits)
    away = habits - expected[:, None, :]
    curvature = np.einsum("nd,ndi,ndj->ij", chances, away, away)
    scores = habits[np.arange(len(choices)), choices.chosen] - expected
    _, game = np.unique(choices.games, return_inverse=True)
    by_game = np.zeros((int(game.max()) + 1, len(points)))
    np.add.at(by_game, game, scores)
    inverse = np.linalg.pinv(curvature)
    errors: Numbers = np.sqrt(np.diag(inverse @ (by_game.T @ by_game) @ inverse))
    return errors
