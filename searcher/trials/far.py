"""The toolkit with another number for NOWHERE. A value that it changes counts NOWHERE as steps."""

from typing import Any

from searcher import toolkit
from searcher.toolkit import Board, Cells, Game, njit

NOWHERE = toolkit.NOWHERE * 3 // 2


def __getattr__(name: str) -> Any:
    return getattr(toolkit, name)


@njit
def _far(steps: int) -> int:
    return NOWHERE if steps == toolkit.NOWHERE else steps


@njit
def edge_distance(game: Game, cell: int) -> int:  # noqa: D103
    return int(_far(toolkit.edge_distance(game, cell)))


@njit
def nearest_heads(game: Game, board: Board, snake: int) -> tuple[int, int]:  # noqa: D103
    strong, weak = toolkit.nearest_heads(game, board, snake)
    return _far(strong), _far(weak)


@njit
def reach(game: Game, board: Board, snake: int) -> tuple[Cells, Cells, int]:  # noqa: D103
    mine, theirs, steps = toolkit.reach(game, board, snake)
    return mine, theirs, _far(steps)


@njit
def reach_in_time(game: Game, board: Board, snake: int) -> tuple[Cells, Cells, int]:  # noqa: D103
    mine, theirs, steps = toolkit.reach_in_time(game, board, snake)
    return mine, theirs, _far(steps)


@njit
def race_to_food(game: Game, board: Board, snake: int) -> tuple[Cells, Cells, int, int]:  # noqa: D103
    mine, theirs, steps, their_steps = toolkit.race_to_food(game, board, snake)
    return mine, theirs, _far(steps), _far(their_steps)
