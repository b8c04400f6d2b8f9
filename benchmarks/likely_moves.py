"""How well the model of likely moves predicts the moves of recorded games, and the points that fit them best.

    python -m benchmarks.likely_moves FILE...

Each FILE is one that a match or a gauntlet of the arena wrote. What counts are the moves of snakes that had a
choice, while three snakes or more lived. The points are those of a conditional logit (McFadden, 1974), fitted
to every second game and judged by the others; they are scaled so that food has the model's own points.
"""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from arena.games.replay import prepare_replays, replayed
from arena.records.files import Match, read_match
from arena.records.model import Game, Rules
from commandline.options import CONTEXT
from searcher.textbook.battlesnake.moves import candidate_moves
from tests.searcher.engine.algorithms.crowd_replies import POINTS, features_of
from tests.searcher.engine.positions import board_of

_CROWD = 3
"""The fewest living snakes of a position that counts."""

_SHARE = 0.2
"""The share of positions that count; neighbouring ones hardly differ."""

_MOVES = 4
_IMPOSSIBLE = -1e9
"""The points of a move that a snake does not have."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Choices:
    """Choices between moves: features by choice, move and feature; which moves exist; the chosen ones."""

    features: Array
    exist: NDArray[np.bool_]
    chosen: NDArray[np.int64]

    def points(self, weights: Array) -> Array:
        """Return the points of each move of each choice."""
        return np.where(self.exist, self.features @ weights, _IMPOSSIBLE)

    def predicted(self, weights: Array) -> float:
        """Return the share of choices in which the move with most points was played."""
        return float(np.mean(self.points(weights).argmax(axis=1) == self.chosen))

    def chance(self) -> float:
        """Return the share that a guess would predict."""
        return float(np.mean(1 / self.exist.sum(axis=1)))

    def fitted(self) -> Array:
        """Return the weights of greatest likelihood."""
        start = np.zeros(self.features.shape[2])
        return np.asarray(minimize(self._loss, start, jac=True, method="L-BFGS-B").x)

    def _loss(self, weights: Array) -> tuple[float, Array]:
        """Return the mean negative log-likelihood and its gradient."""
        points = self.points(weights)
        shares = np.exp(points - points.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        rows = np.arange(len(self.chosen))
        expected = (shares[:, :, None] * self.features).sum(axis=1)
        gradient = (expected - self.features[rows, self.chosen]).mean(axis=0)
        return float(-np.log(shares[rows, self.chosen]).mean()), gradient


@click.command(context_settings=CONTEXT)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
def main(files: tuple[Path, ...]) -> None:
    """Compare the model's points with fitted ones."""
    games = [game for file in files for game in _games(read_match(file))]
    fit, check = (_choices(games[first::2]) for first in (0, 1))
    model, fitted = np.array([*POINTS.values()], dtype=float), fit.fitted()
    click.echo(f"{len(fit.chosen)} moves to fit, {len(check.chosen)} to check")
    click.echo(
        f"predicted by chance {check.chance():.3f}, by the model {check.predicted(model):.3f}, ", nl=False
    )
    click.echo(f"by fitted points {check.predicted(fitted):.3f}")
    scale = POINTS["food"] / fitted[[*POINTS].index("food")]
    for name, points, best in zip(POINTS, model, fitted * scale, strict=True):
        click.echo(f"{name:10} {points:+6.0f} {best:+8.1f}")


def _games(match: Match) -> Iterator[tuple[Rules, Game]]:
    prepare_replays(match)
    return ((match.setup.rules, game) for block in match.blocks for game in block.games)


def _choices(games: Iterable[tuple[Rules, Game]]) -> Choices:
    found = [choice for rules, game in games for choice in _choices_in(rules, game)]
    if not found:
        raise click.ClickException(f"the files have no game with {_CROWD} living snakes")
    features = np.zeros((len(found), _MOVES, len(POINTS)))
    exist = np.zeros((len(found), _MOVES), dtype=bool)
    for row, (moves, _) in enumerate(found):
        features[row, : len(moves)] = moves
        exist[row, : len(moves)] = True
    return Choices(features, exist, np.array([chosen for _, chosen in found]))


def _choices_in(rules: Rules, game: Game) -> Iterator[tuple[list[list[int]], int]]:
    """Yield the features of the moves of a choice, and the index of the one that was played."""
    rng = random.Random(game.start.turn)
    for position, turn in zip(replayed(rules, game), game.turns, strict=False):
        if len(position.snakes) < _CROWD or rng.random() > _SHARE:
            continue
        board = board_of(position)
        for player, snake in enumerate(position.snakes):
            moves = list(candidate_moves(board, player))
            words = [move.name.lower() for move in moves]
            decision = turn.decisions[int(snake.id)]
            if decision is not None and len(moves) > 1 and decision.move in words:
                features = [[*features_of(board, player, move).values()] for move in moves]
                yield features, words.index(decision.move)


if __name__ == "__main__":
    main()
