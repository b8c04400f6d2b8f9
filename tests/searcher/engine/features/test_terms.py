"""How far a game has come."""

import math
from typing import Any

import pytest

from searcher.engine.features.terms import crowding, lateness, log_ratio
from searcher.engine.position import Position, Snake
from searcher.engine.rules.packing import pack
from tests.searcher.engine.turns import call

THOUSAND = 1000


def _lateness(game: Any, board: Any, _number: int) -> int:
    return round(THOUSAND * lateness(game, board))


def _crowding(game: Any, board: Any, _number: int) -> int:
    return round(THOUSAND * crowding(board))


def _log_ratio(game: Any, board: Any, number: int) -> int:
    return round(THOUSAND * log_ratio(number // THOUSAND, number % THOUSAND))


def _position(*lengths: int) -> Position:
    """Return a 10x10 board with snakes of these lengths, all of it yet to unfold."""
    return Position(10, 10, tuple(Snake(str(x), 90, ((x, 0),) * length) for x, length in enumerate(lengths)))


@pytest.mark.parametrize(("lengths", "late"), [((3, 7), 0.2), ((20, 30), 1.0), ((60, 3, 3), 1.0)])
def test_a_game_is_late_when_bodies_cover_half_of_the_board(lengths: tuple[int, ...], late: float) -> None:
    """Before that it grows with the sum of the lengths."""
    assert call(_lateness, pack(_position(*lengths))) == late * THOUSAND


@pytest.mark.parametrize(("snakes", "crowd"), [(1, 0.0), (2, 0.0), (4, 0.5), (8, 0.75)])
def test_more_than_two_snakes_are_a_crowd(snakes: int, crowd: float) -> None:
    """It is the share of the snakes beyond two."""
    assert call(_crowding, pack(_position(*[3] * snakes))) == crowd * THOUSAND


@pytest.mark.parametrize(("mine", "theirs"), [(9, 4), (4, 9), (7, 7), (0, 100)])
def test_a_ratio_has_a_sign(mine: int, theirs: int) -> None:
    """It is above 0 for the larger one, and the same below 0 for the smaller one."""
    expected = round(THOUSAND * math.log((mine + 1) / (theirs + 1)))
    packed = pack(_position(3, 3))
    assert call(_log_ratio, packed, mine * THOUSAND + theirs) == expected
    assert call(_log_ratio, packed, theirs * THOUSAND + mine) == -expected
