"""Turns on a live board against those that the official engine has recorded."""

from dataclasses import replace

import pytest

from battlesnake_search.contract.rulesets import RULESETS
from searcher.engine.live_board import Death, LiveGame
from searcher.engine.position import Direction
from searcher.positions.move_body import points_of
from searcher.tools.conformance import Transition, position_of
from tests.arena.games.single_turn import play_turn
from tests.searcher.engine.positions import transitions

RECORDED = [
    transition
    for transition in transitions()
    if {"up", "down", "left", "right"}.issuperset(transition.moves.values())
]
"""Turns in which all moves are valid; the caller decides what to play in place of an invalid move."""


def moves_of(transition: Transition) -> dict[str, Direction]:
    """Return the moves by snake."""
    return {id_: Direction[move.upper()] for id_, move in transition.moves.items()}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_recorded_turns(ruleset: str) -> None:
    """Bodies, health, food and deaths with their causes and killers are as recorded."""
    chosen = [transition for transition in RECORDED if transition.ruleset == ruleset]
    assert len(chosen) > 90
    for transition in chosen:
        before, after = position_of(transition), transition.after
        position, fell = play_turn(before, moves_of(transition))
        assert [(snake.id, snake.health, snake.body) for snake in position.snakes] == [
            (snake.id, snake.health, points_of(snake.body)) for snake in after.snakes
        ]
        assert set(position.food) == set(points_of(after.food))
        assert position.turn == after.turn
        assert {id_: (death.cause, death.by) for id_, death in fell.items()} == {
            id_: (death.cause, index_of(death.by, transition)) for id_, death in transition.eliminated.items()
        }


def index_of(by: str, transition: Transition) -> int | None:
    """Return the index of a snake on the board before the turn; None without a snake."""
    return [snake.id for snake in transition.before.snakes].index(by) if by else None


def test_a_board_is_played_on_as_if_it_were_new_each_turn() -> None:
    """A board that is played on keeps nothing of earlier turns except the position, whatever the map adds."""
    for transition in RECORDED[::40]:
        board, position = LiveGame(position_of(transition)), position_of(transition)
        for turn in range(6):
            moves = {snake.id: Direction((turn + int(snake.health)) % 4) for snake in position.snakes}
            position, fell = play_turn(position, moves)
            assert ids_of(board.play(moves)) == ids_of(fell)
            taken = {*position.food, *(part for snake in position.snakes for part in snake.body)}
            food = tuple(cell for cell in ((0, turn), (turn, 0)) if cell not in taken)[:1]
            position = replace(position, food=position.food + food, hazards=(*position.hazards, (1, 1)))
            board.change(food, position.hazards)
            assert replace(board.position, food=()) == replace(position, food=())
            assert set(board.position.food) == set(position.food)


@pytest.mark.parametrize("every", [1, 3])
def test_hazards_close_in_by_the_map_alone(every: int) -> None:
    """A board is the same after each turn whether or not its rules say that hazards close in."""
    for transition in RECORDED[::40]:
        position = position_of(transition)
        closing = replace(position.ruleset, shrink_every=every)
        still = replace(position, hazards=())
        boards = LiveGame(still), LiveGame(replace(still, ruleset=closing))
        for turn in range(6):
            moves = {snake.id: Direction((turn + int(snake.health)) % 4) for snake in position.snakes}
            assert boards[0].play(moves) == boards[1].play(moves)
            assert replace(boards[0].position, ruleset=closing) == boards[1].position
            for board in boards:
                board.change((), tuple((turn, y) for y in range(position.height)))


def ids_of(fell: dict[str, Death]) -> dict[str, str]:
    """Return the causes of death by snake."""
    return {id_: death.cause for id_, death in fell.items()}
