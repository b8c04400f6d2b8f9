"""The samples of a fit: their targets, and the strengths of players."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import expit, logit

from arena.data.files import BadDataError, Columns, read_columns, write_part
from arena.data.histories import History, HistoryTurn, rows_of
from arena.learning.samples import Numbers, design_of, targets_of
from searcher.engine.position import Direction, Position, Snake
from tests.arena.learning.setups import made_up


def with_outcome(columns: Columns, outcome: float) -> Columns:
    """The same data, in which all snakes have one outcome."""
    same = np.full_like(columns.snakes.outcome, outcome)
    return replace(columns, snakes=replace(columns.snakes, outcome=same))


def test_outcomes_of_one_class_are_refused(tmp_path: Path) -> None:
    """Nothing can be learned from them."""
    columns = with_outcome(made_up(tmp_path, 10, health=1.0, length=0.5), 1.0)
    with pytest.raises(BadDataError, match=f"{tmp_path}: every outcome is 1"):
        design_of(columns, 1.0)


def test_a_snake_is_favoured_by_its_strength_less_that_of_its_opponents(tmp_path: Path) -> None:
    """Between snakes of the same player nobody is."""
    columns = made_up(tmp_path, 50, health=1.0, length=0.5)
    snakes = columns.snakes
    favoured = design_of(columns, 1.0).strengths.toarray()[:, 0].reshape(-1, 2)
    players = snakes.player.codes.reshape(-1, 2)
    frequent = np.bincount(snakes.player.codes).argmax()
    expected = (players != frequent).astype(float)
    np.testing.assert_allclose(favoured, expected - expected[:, ::-1])


SNAKES = (Snake("a", 90, ((1, 1), (1, 2))), Snake("b", 80, ((5, 1), (5, 2))))


def game(name: str, scores: list[dict[str, float]], winner: str) -> History:
    """A game with these scores in each turn."""
    turns = [
        HistoryTurn(Position(7, 7, SNAKES, food=((turn, 6),), turn=turn), {}, found)
        for turn, found in enumerate(scores)
    ]
    lives = {id_: len(scores) + (id_ == winner) for id_ in ("a", "b")}
    return History(name, turns, {"a": "A", "b": "B"}, lives)


def columns_of(folder: Path, *games: History) -> Columns:
    """Read games as data; the positions of one have other food than those of another."""
    for number, one in enumerate(games):
        turns = [replace(turn, position=replace(turn.position, hazards=((number, 0),))) for turn in one.turns]
        write_part(folder / f"{number}.parquet", list(rows_of(replace(one, turns=turns))))
    return read_columns(folder)


def returns_of_a(folder: Path, moves: dict[str, Direction]) -> Numbers:
    """Return the targets of a snake that won, with a lambda of 0.75; `moves` are those of its second turn."""
    scores = [{"a": 0.1, "b": -0.1}, {"a": 0.5, "b": -0.5}, {"b": -0.2}, {"a": 0.4, "b": 0.3}]
    played = game("g", scores, "a")
    turns = [replace(turn, moves={"a": Direction.UP}) for turn in played.turns]
    turns[1] = replace(turns[1], moves=moves)
    columns = columns_of(folder, replace(played, turns=turns), game("h", [{"a": 0.6}] * 2, "b"))
    snakes, outcomes = columns.snakes, columns.snakes.outcome.astype(float)
    found = targets_of(columns, outcomes, 0.75)
    of_a: Numbers = found[(columns.game.codes[snakes.rows] == 0) & (snakes.seat == 0)]
    return of_a


def test_each_later_score_counts_less_and_the_outcome_for_the_rest(tmp_path: Path) -> None:
    """The chances are those that fit the outcomes best; an unknown score is passed over."""
    found = returns_of_a(tmp_path, {"a": Direction.UP})
    slope = logit((found[3] - 0.75) / 0.25) / 0.4
    assert 0.0 < slope < 20.0
    assert found[2] == found[3]
    assert found[1] == pytest.approx(0.25 * expit(slope * 0.5) + 0.75 * found[2])
    assert found[0] == pytest.approx(0.25 * expit(slope * 0.1) + 0.75 * found[1])


def test_a_random_move_says_nothing_of_the_position(tmp_path: Path) -> None:
    """Before it, the position's own score counts alone."""
    found = returns_of_a(tmp_path, {})
    slope = logit((found[3] - 0.75) / 0.25) / 0.4
    assert found[1] == pytest.approx(expit(slope * 0.5))
    assert found[0] == pytest.approx(0.25 * expit(slope * 0.1) + 0.75 * found[1])


def test_scores_predict_by_the_outcomes_that_they_had(tmp_path: Path) -> None:
    """Scores that say nothing of the outcome are even chances."""
    games = [game(str(number), [{"a": 0.5}] * 2, "ab"[number % 2]) for number in range(10)]
    columns = columns_of(tmp_path, *games)
    outcomes = columns.snakes.outcome.astype(float)
    found = targets_of(columns, outcomes, 0.0)
    first_of_a = (columns.turn[columns.snakes.rows] == 0) & (columns.snakes.seat == 0)
    np.testing.assert_allclose(found[first_of_a], 0.5, atol=1e-3)


def test_scores_that_are_not_there_are_missed(tmp_path: Path) -> None:
    """The error names the folder."""
    columns = columns_of(tmp_path, game("g", [{}, {}], "a"))
    with pytest.raises(BadDataError, match=f"{tmp_path}: no search reported a score"):
        targets_of(columns, columns.snakes.outcome.astype(float), 0.9)
