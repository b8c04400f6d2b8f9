"""Answers and lines of searches that end within a depth, and of decided positions."""

import random
from collections.abc import Iterator

import pytest

from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.result import OutcomeKind, Result
from searcher.textbook.battlesnake import Battlesnake
from tests.searcher.engine.positions import (
    board_of,
    random_position,
    snake,
    textbook_moves,
)
from tests.searcher.engine.searches import search


def losses(result: Result) -> dict[Direction, int]:
    """Return the most turns that the snake survives each move with a proven loss."""
    return {
        found.move: found.outcome.turns
        for found in result.root_moves
        if found.outcome is not None and found.outcome.kind is OutcomeKind.LOSS
    }


def crowded_duels() -> list[Position]:
    """Return duels with a choice of moves, some of which lose soon."""
    source = random.Random(11)
    positions = [random_position(source, (2, 2), (5, 7), parts=(3, 12)) for _ in range(120)]
    return [each for each in positions if len(each.snakes) == 2 and len(legal_moves(each)) > 1]


def legal_moves(position: Position) -> list[Direction]:
    """Return the legal moves of the snake to move."""
    return textbook_moves(board_of(position), position.you)


POSITIONS = crowded_duels()


def cut_short(position: Position) -> Iterator[Result]:
    """Yield results of searches with various limits of nodes, the first limits one node apart."""
    whole = search(position, "area", depth=6).nodes
    for nodes in (*range(1, min(whole, 40)), *range(40, whole, max(1, whole // 40))):
        yield search(position, "area", nodes=nodes)


@pytest.mark.parametrize("number", range(6))
def test_answers_at_any_limit(number: int) -> None:
    """A move known to lose is played only if all moves lose, and then the longest loss is.

    The line starts with the answer, and every move of it is legal.
    """
    for position in POSITIONS[number::6]:
        for result in cut_short(position):
            assert_line_is_legal(position, result)
            lost = losses(result)
            if result.move in lost:
                assert set(lost) == set(legal_moves(position)), (position, result)
                assert lost[result.move] == max(lost.values()), (position, result)


SOONER_AND_LATER = (
    Position(
        6,
        5,
        (
            snake("a", "30 34 24 23 13 12 11 01 01", 100),
            snake("b", "43 42 52 51 50", 2),
        ),
        you=1,
        ruleset=Ruleset("wrapped_constrictor"),
    ),
    Position(
        7,
        4,
        (
            snake("a", "53 50 60 61 51 51", 100),
            snake("b", "11 21 22 32 31 41 40 30 33 23", 2),
        ),
        you=1,
        ruleset=Ruleset("wrapped_constrictor"),
    ),
)
"""Positions in which three moves lose, one of them sooner than the others."""


@pytest.mark.parametrize("position", SOONER_AND_LATER)
def test_a_sooner_loss_is_not_preferred_to_a_later_one(position: Position) -> None:
    """A sooner loss is not preferred even if its search is cut short when all other moves are lost."""
    whole = search(position, "area", depth=8).nodes
    for nodes in range(1, whole):
        result = search(position, "area", nodes=nodes)
        lost = losses(result)
        if set(lost) == set(legal_moves(position)):
            assert lost[result.move] == max(lost.values()), result


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_the_principal_variation_is_played_by_the_rules(depth: int) -> None:
    """The line at each depth is as long as the depth, unless the game ends on it."""
    for position in POSITIONS:
        result = search(position, "area", depth=depth)
        game = assert_line_is_legal(position, result)
        over = game.result(position.you) is not None
        assert over or len(result.principal_variation) >= result.depth


def assert_line_is_legal(position: Position, result: Result) -> Battlesnake:
    """Play the principal variation by the textbook, assert that it is legal, and return the last game."""
    game, line = Battlesnake(board_of(position)), result.principal_variation
    if line:
        assert line[0][position.you] == result.move
    for joint in line:
        moves = {player: move for player, move in enumerate(joint) if move is not None}
        assert list(moves) == game.to_move
        for player, move in moves.items():
            assert move in textbook_moves(game.board, player)
        game = game.play({player: move.name.lower() for player, move in moves.items()})
    return game


def test_the_soonest_of_wins() -> None:
    """A win is found at the first depth that contains one, so no win is sooner."""
    found = 0
    for position in POSITIONS:
        result = search(position, "area", depth=8)
        outcome = result.root_moves[0].outcome
        if outcome is not None and outcome.kind is OutcomeKind.WIN:
            found += 1
            assert outcome.turns == result.depth == len(result.principal_variation)
    assert found
