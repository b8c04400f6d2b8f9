"""Data of a few short games."""

from functools import cache

import msgspec

from arena.data.files import Row
from arena.data.histories import History, HistoryTurn, rows_of
from arena.data.playing import DataSetup
from arena.games.entrants import parse_entrants
from searcher.engine.position import Direction, Position, Snake
from tests.arena.setups import FEW, SMALL

SETUP = DataSetup(
    players=parse_entrants(["paranoid/length", "greedy"], FEW),
    snakes=2,
    rules=msgspec.structs.replace(SMALL, max_turns=30),
    seed=1,
    vary=0.3,
)

POSITION = Position(
    width=7,
    height=5,
    snakes=(Snake("one", 90, ((1, 1), (1, 2), (1, 3))), Snake("two", 80, ((5, 1), (5, 2), (5, 2)))),
    food=((3, 4), (0, 0)),
    hazards=((6, 0), (6, 0), (2, 9)),
    turn=12,
)


def history(name: str = "game", **lifetimes: float) -> History:
    """A game of two turns in which snake one goes up, and the other one down into a wall."""
    moves = {"one": Direction.UP, "two": Direction.DOWN}
    turns = [HistoryTurn(POSITION, moves, {"one": 0.5}), HistoryTurn(POSITION, moves, {})]
    return History(name, turns, {"one": "A", "two": "B"}, lifetimes or {"one": 3, "two": 2})


@cache
def rows() -> list[Row]:
    """The rows of that game."""
    return list(rows_of(history()))
