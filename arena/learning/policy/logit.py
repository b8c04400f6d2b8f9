"""Fits the model of likely moves to the moves that snakes chose: a conditional logit (McFadden 1974).

The chance of a move is proportional to the exponential of its points. The points that make the moves in the
data the most probable are found by maximum likelihood.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax

from arena.learning.policy.choices import Choices
from arena.learning.samples.design import SPLITS
from arena.learning.samples.numbers import Numbers
from searcher.engine.features.likely import POINTS

HABITS = ("exit", "dead end", "straight on", "towards food", "prey", "danger")
"""The names of the points, in the order of POINTS."""

_PENALTY = 1e-5
"""Times the sum of the squares of the points, is added to the loss: a move that nobody makes has no limit."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Fitted points, in log-odds, with their standard errors, and what they are worth.

    An accuracy is the share of the choices for which the move with the most points was chosen. `accuracy`
    is that of the fitted points in games that a fit has not seen, None if the games can't be split,
    `former_accuracy` that of POINTS, and `chance` that of a random legal move.
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
    """Return the accuracy on each part of the games by a fit of the others; None for games of one part."""
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
    """Return how many moves were those with the most points; ties go to the first, as in the search."""
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
