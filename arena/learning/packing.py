"""Evaluation of many positions, as compiled code: a position is packed from columns, then evaluated."""

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit

from searcher.engine.jit.vectors import WORD_BITS
from searcher.engine.position import MAX_HEALTH


@cache
def values_function(evaluate: Callable[..., float]) -> Callable[..., None]:
    """Return the function that fills in the values of an evaluator's snakes, without the GIL.

    It is (records, position columns, snake columns, rows, weights, values): see `arena.learning.values`.
    `weights` is an array of records, and `values` has a row for each of them and a column for each snake.
    """
    compiled = njit(evaluate)

    @njit(nogil=True)
    def fill(
        records: Any,
        food: Any,
        hazards: Any,
        first: Any,
        health: Any,
        body: Any,
        rows: Any,
        weights: Any,
        values: Any,
    ) -> None:
        game, board = records[0][0], records[1][0]
        for row in rows:
            pack_row(game, board, food, hazards, first, health, body, row)
            for snake in range(first[row], first[row + 1]):
                for number in range(len(weights)):
                    values[number, snake] = compiled(game, board, weights[number], snake - first[row])

    return fill


@njit
def pack_row(
    game: Any, board: Any, food: Any, hazards: Any, first: Any, health: Any, body: Any, row: int
) -> None:
    """Set the records of a kind of board to a position of the columns."""
    _pack_hazards(game, hazards, row)
    _pack_board(game, board, food, first, health, body, row)


@njit
def _pack_hazards(game: Any, hazards: Any, row: int) -> None:
    """Set the hazards as they lie; none close in."""
    offsets, cells = hazards
    game.hazards[:] = 0
    game.damage[0, :] = 0
    for index in range(offsets[row], offsets[row + 1]):
        cell = _cell(game, cells[index])
        _add(game.hazards, cell)
        damage = game.damage[0, cell] + game.hazard_damage
        game.damage[0, cell] = min(max(damage, -MAX_HEALTH), MAX_HEALTH)


@njit
def _pack_board(game: Any, board: Any, food: Any, first: Any, health: Any, body: Any, row: int) -> None:
    offsets, cells = food
    board.food[:] = 0
    for index in range(offsets[row], offsets[row + 1]):
        _add(board.food, _cell(game, cells[index]))
    board.bodies[:] = 0
    alive = first[row + 1] - first[row]
    game.snakes = alive
    for seat in range(len(board.head)):
        if seat < alive:
            _pack_snake(game, board, health, body, first[row] + seat, seat)
        else:
            board.head[seat] = board.length[seat] = board.health[seat] = board.grow[seat] = 0
            board.head_at[seat] = board.tail_at[seat] = game.root_length[seat] = 0


@njit
def _pack_snake(game: Any, board: Any, health: Any, body: Any, snake: int, seat: int) -> None:
    offsets, parts = body
    begin, end = offsets[snake], offsets[snake + 1]
    distinct = end - begin
    while distinct > 1 and parts[begin + distinct - 1] == parts[begin + distinct - 2]:
        distinct -= 1
    for place in range(distinct):
        cell = _cell(game, parts[begin + distinct - 1 - place])
        game.ring[seat, place] = cell
        _add(board.bodies, cell)
    board.head[seat] = _cell(game, parts[begin])
    board.head_at[seat], board.tail_at[seat] = distinct - 1, 0
    board.length[seat], board.health[seat] = end - begin, health[snake]
    board.grow[seat] = end - begin - distinct
    game.root_length[seat] = end - begin


@njit
def _cell(game: Any, number: int) -> int:
    """Return the engine's number of a cell of the data."""
    return number // game.width * game.stride + number % game.width


@njit
def _add(words: Any, cell: int) -> None:
    words[cell // WORD_BITS] |= 1 << (cell % WORD_BITS)
