"""The likely move of a snake, against the same model in plain Python and on small boards."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings

from searcher.engine.features.likely import likely_move
from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.rules.board import enterable_cells, free_cells
from searcher.engine.rules.packing import pack
from searcher.engine.search.ordering import moves_of
from searcher.textbook.battlesnake import Board
from tests.searcher.engine.algorithms import crowd_replies
from tests.searcher.engine.positions import (
    board_of,
    random_position,
    randoms,
    recorded_positions,
    snake,
    textbook_moves,
)
from tests.searcher.engine.turns import call

UP, DOWN, LEFT, RIGHT = Direction


def _likely(game: Any, board: Any, number: int) -> int:
    free = free_cells(game, board)
    return int(
        likely_move(
            game, board, number, moves_of(game, board, number, free, enterable_cells(game, board, free)), free
        )
    )


def likely(position: Position, number: int = 0) -> Direction:
    """Return the likely move of one of a position's snakes."""
    return Direction(call(_likely, pack(position), number))


def expected(board: Board, number: int) -> Direction:
    """Return the likely move by the model in plain Python."""
    return Direction[crowd_replies.likely_move(board, number).name]


@settings(max_examples=100)
@given(randoms())
def test_random_positions(random: Random) -> None:
    """On random boards, whatever the rules, every snake's likely move is that of the plain model."""
    position = random_position(random, sizes=random.choice([(3, 6), (7, 11), (3, 19)]))
    board = board_of(position)
    for number in range(len(position.snakes)):
        assert likely(position, number) is expected(board, number)


def test_recorded_positions() -> None:
    """In positions of real games, too."""
    for position in recorded_positions(every=10):
        board = board_of(position)
        for number in range(len(position.snakes)):
            assert likely(position, number) is expected(board, number)


def alone(body: str, *food: tuple[int, int], ruleset: str = "standard") -> Position:
    """Return a position of one snake on 7x7."""
    return Position(7, 7, (snake("a", body),), food, ruleset=Ruleset(ruleset))


@pytest.mark.parametrize(("food", "move"), [((5, 3), RIGHT), ((1, 3), LEFT), ((3, 5), UP)])
def test_it_goes_for_food(food: tuple[int, int], move: Direction) -> None:
    """A snake steps towards food, though it has to turn for it."""
    assert likely(alone("33 32 31", food)) is move


def test_it_avoids_a_dead_end() -> None:
    """A snake doesn't enter a cell without an exit, not even for food there."""
    position = alone("10 11 12 02 01 01", (0, 0))
    assert set(textbook_moves(board_of(position), 0)) == {LEFT, RIGHT}
    assert likely(position) is RIGHT


@pytest.mark.parametrize(("body", "move"), [("35 36", UP), ("35 36 46", LEFT), ("35 36 46 56", LEFT)])
def test_it_avoids_heads_that_are_not_shorter(body: str, move: Direction) -> None:
    """A snake goes straight on towards a shorter head, and turns away from one that is not shorter."""
    assert likely(Position(7, 7, (snake("a", "33 32 31"), snake("b", body)))) is move


def test_it_takes_the_only_move() -> None:
    """With a single legal move that one is likely, and UP without any."""
    assert likely(alone("00 10 11 21 20")) is UP
    assert likely(alone("00 10 11 01 02 12 22")) is UP
    assert likely(alone("06 05 15 25 24")) is RIGHT


def test_the_position_alone_decides() -> None:
    """The move doesn't depend on the snakes' order, hazards, the turn, who is to move, or health above 1."""
    for position in recorded_positions(every=40):
        if min(each.health for each in position.snakes) == 1:
            continue
        moves = [likely(position, number) for number in range(len(position.snakes))]
        others = replace(
            position,
            snakes=tuple(replace(each, health=7) for each in reversed(position.snakes)),
            food=tuple(reversed(position.food)),
            hazards=(),
            you=0,
            turn=position.turn + 3,
        )
        assert [likely(others, number) for number in range(len(moves))] == moves[::-1]
