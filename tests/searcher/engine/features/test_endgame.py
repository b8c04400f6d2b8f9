"""Endgames that bounds decide, against full searches and the textbook's rules."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from searcher.engine.features.endgame import decided_in
from searcher.engine.position import MAX_HEALTH, Position, Ruleset
from searcher.engine.result import OutcomeKind
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import shapes_for
from searcher.textbook.battlesnake import Board, candidate_moves, play_turn
from tests.searcher.engine.positions import board_of, points, position_on, random_position, snake
from tests.searcher.engine.searches import search
from tests.searcher.engine.turns import call

RULESETS = ("standard", "standard", "wrapped", "constrictor")

TURNS = 30
"""Turns for which random snakes play on from a random position."""

NODES = 200_000
"""The most nodes of a search that checks a decision; one that needs more is not checked."""

TEXTBOOK_TURNS = 4
"""The most turns of a decision that the textbook checks."""

BOXED_IN = Position(
    7, 7, (snake("a", "66 65 64 63 62 61 60 50 40"), snake("b", "00 01 11 21 20 30 31 32 22 12 02 03"))
)
"""The snake b has one free cell, (1, 0), and its tail is far; the snake a has the rest of the board."""


def _decided_in(game: Any, board: Any, snake: int) -> int:
    return decided_in(game, board, snake)


def decision(position: Position) -> int:
    """Return the turns in which the snake to move wins (above 0) or loses (below 0); 0 if unknown."""
    return call(_decided_in, pack(position), position.you)


def test_a_snake_that_is_boxed_in_loses() -> None:
    """It dies once its cells are full; the result is a win for one snake and a loss for the other."""
    assert decision(BOXED_IN) == 2
    assert decision(replace(BOXED_IN, you=1)) == -2


def test_a_snake_that_starves_loses() -> None:
    """Where no food is in reach, health bounds a life, and a snake that follows its tail lives on."""
    circling = snake("a", "00 01 11 10", 9)
    for health, food, expected in ((3, "", 3), (9, "", 0), (3, "46", 0)):
        starving = snake("b", "66 65 55 56", health)
        assert decision(Position(7, 7, (circling, starving), points(food))) == expected


def test_hazards_and_crowds_are_not_decided() -> None:
    """Where hazards lie, or more than two snakes fit the board's shape, nothing is decided."""
    assert decision(replace(BOXED_IN, hazards=points("33"))) == 0
    assert call(_decided_in, pack(BOXED_IN, shapes_for(BOXED_IN)[1]), 0) == 0


def played_on(random: Random) -> Iterator[Position]:
    """Yield the positions of a duel on a small board in which both snakes make random moves."""
    ruleset = random.choice(RULESETS)
    parts = (3, random.choice((6, 10, 14)))
    position = random_position(random, (2, 2), sizes=(5, 7), rulesets=(ruleset,), parts=parts)
    health = MAX_HEALTH if ruleset == "constrictor" else random.choice((MAX_HEALTH, 30, 8))
    snakes = tuple(replace(each, health=health) for each in position.snakes)
    board = board_of(replace(position, snakes=snakes, hazards=(), ruleset=Ruleset(ruleset)))
    while len(board.living) == 2 and board.turn < position.turn + TURNS:
        yield position_on(board)
        moves = {player: random.choice(list(candidate_moves(board, player))) for player in board.living}
        board = play_turn(board, moves)


def confirmed(position: Position, turns: int) -> bool | None:
    """Return whether a full search finds a win within so many turns; None if it is too large."""
    found = search(position, "length", kind="paranoid-full", depth=turns, nodes=NODES)
    outcome = found.root_moves[0].outcome
    if outcome is None and found.depth < turns:
        return None
    return outcome is not None and outcome.kind is OutcomeKind.WIN and outcome.turns <= turns


def wins(board: Board, player: int, turns: int) -> bool:
    """Return whether a player can win within so many turns against every play, by the textbook's rules."""
    if board.living != [0, 1]:
        return board.living == [player]
    return turns > 0 and any(
        all(
            wins(play_turn(board, {player: move, 1 - player: reply}), player, turns - 1)
            for reply in candidate_moves(board, 1 - player)
        )
        for move in candidate_moves(board, player)
    )


def assert_decision_is_true(position: Position) -> bool:
    """Assert that what is decided is true from both sides; return whether anything was checked."""
    turns = decision(position)
    assert decision(replace(position, you=1)) == -turns
    if turns == 0:
        return False
    winner = 0 if turns > 0 else 1
    if abs(turns) <= TEXTBOOK_TURNS:
        assert wins(board_of(position), winner, abs(turns))
    found = confirmed(replace(position, you=winner), abs(turns))
    assert found is not False
    return found is True


@pytest.mark.parametrize("seed", range(2))
def test_decisions_are_true(seed: int) -> None:
    """In positions of random play no decision is wrong, and many decide."""
    checked = sum(
        assert_decision_is_true(position)
        for game in range(80)
        for position in played_on(Random(f"{seed} {game}"))
    )
    assert checked > 50
