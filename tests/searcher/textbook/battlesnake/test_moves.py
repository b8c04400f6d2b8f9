"""The moves a search tries."""

import pytest

from searcher.textbook.battlesnake.board import Board, Direction
from searcher.textbook.battlesnake.moves import candidate_moves
from searcher.textbook.battlesnake.rules import play_turn
from tests.searcher.textbook.boards import board, recorded_board, recorded_turns, snake

UP, DOWN, LEFT, RIGHT = Direction


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (board(snake("a", "33 33 33")), []),
        (board(snake("a", "00 01 02")), [RIGHT]),
        (board(snake("a", "00 01 02"), ruleset="wrapped"), [DOWN, LEFT, RIGHT]),
        (board(snake("a", "22 23 33 32")), [DOWN, LEFT, RIGHT]),
        (board(snake("a", "22 23 33 32 32")), [DOWN, LEFT]),
        (board(snake("a", "33 32 31"), snake("b", "43 53 63")), [UP, LEFT]),
        (board(snake("a", "33 32 31"), snake("b", "54 44 43")), [UP, LEFT, RIGHT]),
        (board(snake("a", "00 01 11 10 20")), [UP]),
    ],
    ids=["start", "corner", "seams", "tail", "stacked tail", "body", "other's tail", "none"],
)
def test_candidates(position: Board, expected: list[Direction]) -> None:
    """Walls, wrapped edges, moving and doubled tails and other snakes count; up is the last resort."""
    assert candidate_moves(position, 0) == (expected or list(Direction))


def test_a_dead_snake_is_no_obstacle() -> None:
    """A living snake may move onto the body of a dead one."""
    first = board(snake("a", "06 05 04 03"), snake("b", "14 24 34"), snake("c", "66 65 64"))
    second = play_turn(first, {0: "up", 1: "up", 2: "left"})
    assert LEFT in candidate_moves(second, 1)


def test_excluded_moves_kill() -> None:
    """In every recorded position an excluded move kills, provided that all other snakes survive the turn."""
    checked = 0
    for record in recorded_turns()[::7]:
        position = recorded_board(record)
        for player in position.living:
            for move in set(Direction) - set(candidate_moves(position, player)):
                others = {other: candidate_moves(position, other)[0] for other in position.living}
                after = play_turn(position, others | {player: move})
                if all(after.snakes[other].alive for other in position.living if other != player):
                    assert not after.snakes[player].alive
                    checked += 1
    assert checked > 500


def test_candidates_avoid_walls_and_bodies() -> None:
    """In every recorded position a candidate move hits no wall and no body, unless up is a last resort."""
    for record in recorded_turns()[::7]:
        position = recorded_board(record)
        candidates = {player: candidate_moves(position, player) for player in position.living}
        if all(moves != [UP] for moves in candidates.values()):
            after = play_turn(position, {player: moves[-1] for player, moves in candidates.items()})
            causes = {each.elimination.cause.value for each in after.snakes if each.elimination}
            assert causes <= {"head-collision", "out-of-health", "hazard"}
