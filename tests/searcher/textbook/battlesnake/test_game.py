"""Battlesnake as a Game: the players to move and the results."""

import pytest

from searcher.textbook.battlesnake.board import Direction
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.game import GameResult, is_over
from tests.searcher.textbook.boards import board, snake

UP, DOWN, LEFT, RIGHT = Direction
A, B, C = snake("a", "11 12 13"), snake("b", "51 52 53"), snake("c", "31 32 33")


def test_all_living_snakes_move_at_once() -> None:
    """All snakes are to move; after a death, the remaining ones are."""
    game = Battlesnake(board(A, B, C))
    assert list(game.to_move) == [0, 1, 2]
    after = game.play({0: UP, 1: DOWN, 2: DOWN})
    assert list(after.to_move) == [1, 2]
    assert (list(after.players), after.turn) == ([0, 1, 2], 1)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ({0: DOWN, 1: DOWN}, [None, None]),
        ({0: UP, 1: DOWN}, [GameResult.LOSS, GameResult.WIN]),
        ({0: UP, 1: UP}, [GameResult.DRAW, GameResult.DRAW]),
    ],
    ids=["both live", "one dies", "both die"],
)
def test_ends_of_a_duel(moves: dict[int, Direction], expected: list[GameResult | None]) -> None:
    """The last survivor wins; snakes that die together draw."""
    after = Battlesnake(board(A, B)).play(moves)
    assert [after.result(player) for player in after.players] == expected
    assert is_over(after) == (None not in expected)


def test_an_earlier_death_loses() -> None:
    """Two snakes that die together draw; the third, which died a turn earlier, has lost."""
    after = Battlesnake(board(A, B, C)).play({0: UP, 1: DOWN, 2: DOWN})
    assert [after.result(player) for player in after.players] == [GameResult.LOSS, None, None]
    end = after.play({1: UP, 2: UP})
    assert [end.result(player) for player in end.players] == [
        GameResult.LOSS,
        GameResult.DRAW,
        GameResult.DRAW,
    ]


@pytest.mark.parametrize("ruleset", ["solo", "standard"])
def test_a_lone_snake_can_only_lose(ruleset: str) -> None:
    """A lone snake plays until it dies, and then it has lost."""
    game = Battlesnake(board(A, ruleset=ruleset))
    assert list(game.to_move) == [0]
    assert game.result(0) is None
    assert game.play({0: UP}).result(0) is GameResult.LOSS
    assert is_over(game.play({0: UP}))


def test_solo_rules_have_no_winner() -> None:
    """Under the solo ruleset the survivor of two plays on, and nobody draws."""
    after = Battlesnake(board(A, B, ruleset="solo")).play({0: UP, 1: DOWN})
    assert [after.result(player) for player in after.players] == [GameResult.LOSS, None]
    both = Battlesnake(board(A, B, ruleset="solo")).play({0: UP, 1: UP})
    assert [both.result(player) for player in both.players] == [GameResult.LOSS] * 2


def test_legal_moves_are_the_candidates() -> None:
    """The legal moves are those that don't kill at once."""
    assert list(Battlesnake(board(A, B)).legal_moves(0)) == [DOWN, LEFT, RIGHT]
