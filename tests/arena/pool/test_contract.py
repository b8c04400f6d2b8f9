"""The contract of every opponent of the pool that looks one turn ahead."""

from pathlib import Path
from random import Random

import pytest

from arena import pool
from arena.games import boards
from arena.games.boards import position_at
from arena.games.entrants import one_turn_opponents, pool_names
from battlesnake_search.contract.rulesets import RULESETS
from searcher.engine.position import Position
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.textbook.battlesnake import Direction, candidate_moves
from tests.arena.games.maps.map_rules import square
from tests.arena.pool.opponents import move_of, seen_by_each
from tests.searcher.engine.positions import board_of, random_position

OPPONENTS = tuple(one_turn_opponents())
BENCH = [position_in(body) for body in bench_positions()]
STARTS = [
    position_at(rules, boards.set_up_board(rules, snakes, 1))
    for side, snakes in ((7, 2), (11, 4), (19, 8))
    for rules in (square(side, ruleset=ruleset) for ruleset in RULESETS if ruleset != "solo")
]
CROWDED = [random_position(Random(seed), sizes=(3, 11)) for seed in range(30)]

COMPASS = """
DESCRIPTION = "Goes north."


def rate(game, board, snake, cell):
    return float(game.row[cell])
"""


@pytest.mark.parametrize("name", OPPONENTS)
@pytest.mark.parametrize("boards_of", [BENCH, STARTS, CROWDED], ids=["bench", "starts", "crowded"])
def test_moves_are_legal(name: str, boards_of: list[Position]) -> None:
    """Wherever a snake has a legal move, it plays one: on all boards, in all rulesets, in every seat."""
    for position in boards_of:
        for seen in seen_by_each(position):
            legal = {str(move) for move in candidate_moves(board_of(seen), seen.you)}
            assert move_of(name, seen).name.lower() in legal or _is_lost(seen), seen


def test_a_file_is_an_opponent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of the pool is found by its file's name; one with an underscore is not."""
    (tmp_path / "silent.py").write_text(COMPASS)
    (tmp_path / "_helper.py").write_text("")
    monkeypatch.setattr(pool, "__path__", [*pool.__path__, str(tmp_path)])
    one_turn_opponents.cache_clear()
    try:
        assert set(one_turn_opponents()) == {*OPPONENTS, "silent"}
        assert "silent" in pool_names()
    finally:
        one_turn_opponents.cache_clear()


def _is_lost(position: Position) -> bool:
    """Whether the snake has no legal move; the textbook returns up for it all the same."""
    board, head = board_of(position), position.snakes[position.you].body[0]
    taken = {part for each in position.snakes for part in each.body[:-1]}
    around = {board.neighbour(head, direction) for direction in Direction}
    return not any(board.holds(cell) and cell not in taken for cell in around)
