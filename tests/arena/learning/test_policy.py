"""The model of likely moves is fitted to the moves that snakes chose."""

from pathlib import Path

import numpy as np
import pytest

from arena.data.files import read_columns, write_part
from arena.data.histories import History, HistoryTurn, rows_of
from arena.learning.policy import DIRECTIONS, HABITS, Choices, choices_of, fit_policy
from arena.learning.samples import QUANTILE
from searcher.engine.features.likely import POINTS
from searcher.engine.position import Direction, Position, Snake
from tests.searcher.engine.positions import points

UP, DOWN, LEFT, RIGHT = Direction


def choices_by(truth: np.ndarray, games: int = 200, moves: int = 50) -> Choices:
    """Return made-up choices of a snake whose moves have these points."""
    rng = np.random.default_rng(1)
    count = games * moves
    habits = rng.integers(0, 3, size=(count, DIRECTIONS, len(POINTS))).astype(np.int8)
    legal = rng.random((count, DIRECTIONS)) < 0.7
    legal[:, :2] = True
    noise = rng.gumbel(size=(count, DIRECTIONS))
    chosen = np.where(legal, habits @ truth + noise, -np.inf).argmax(axis=1).astype(np.uint8)
    game = np.repeat(np.arange(games), moves)
    return Choices(habits, legal, chosen, game, game % 10)


def test_known_points_are_found_again() -> None:
    """The intervals hold the points by which the moves were made, and unseen games are foreseen better."""
    truth = np.array([0.5, -1.0, 0.3, 0.8, 0.0, -2.0])
    found = fit_policy(choices_by(truth))
    assert len(HABITS) == len(POINTS)
    assert (np.abs(found.points - truth) < 2 * QUANTILE * found.errors).all()
    assert (found.errors < 0.1).all()
    assert found.accuracy is not None
    assert found.chance < found.former_accuracy < found.accuracy
    assert (found.games, found.choices) == (200, 10_000)


def test_games_of_one_part_can_not_be_split() -> None:
    """Then nothing is known about unseen games."""
    assert fit_policy(choices_by(np.zeros(len(POINTS)), games=1)).accuracy is None


@pytest.mark.parametrize(("players", "seats"), [((), 2), (("B",), 1)])
def test_choices_are_moves_that_had_alternatives(
    tmp_path: Path, players: tuple[str, ...], seats: int
) -> None:
    """A snake with a single legal move chooses nothing, and an unknown move is none."""
    free = (Snake("a", 90, points("33 32 31")), Snake("b", 90, points("53 52 51")))
    forced = (Snake("a", 90, points("00 10 11 21 20")), Snake("b", 90, points("53 52 51")))
    moves = {"a": UP, "b": RIGHT}
    turns = [
        HistoryTurn(Position(7, 7, free, ((3, 5),), turn=0), moves, {}),
        HistoryTurn(Position(7, 7, forced, turn=1), moves, {}),
        HistoryTurn(Position(7, 7, free, ((0, 0),), turn=2), {}, {}),
    ]
    history = History("g", turns, {"a": "A", "b": "B"}, {"a": 3, "b": 4})
    write_part(tmp_path / "g.parquet", list(rows_of(history)))
    found = choices_of(read_columns(tmp_path), players)
    assert len(found) == seats + 1
    last = found.where(np.arange(len(found)) == len(found) - 1)
    assert last.chosen.tolist() == [RIGHT]
    if not players:
        exits, dead_end, straight, food, prey, danger = found.habits[0, UP].tolist()
        assert (exits, dead_end, straight, food, prey, danger) == (3, 0, 1, 1, 0, 0)
        assert found.legal[0].tolist() == [True, False, True, True]
        # To the right is a cell next to the head of a snake that is not shorter.
        assert found.habits[0, RIGHT].tolist() == [2, 0, 0, 0, 0, 1]
