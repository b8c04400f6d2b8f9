"""The values of many positions, by compiled code on the engine's records."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.data.files import Columns, Lists
from battlesnake_search.common.cores import available_cores
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.words import WORD_BITS, Words
from searcher.engine.position import MAX_HEALTH, Position, Ruleset, Snake
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import SHAPES, Packed
from searcher.interface import Evaluator
from searcher.session import pack_weights
from searcher.toolkit import Board, Game

_CHUNK = 4096
"""Positions that a thread evaluates in one go."""


Valuing = Callable[[Sequence[Mapping[str, float]]], NDArray[np.float32]]
"""Returns the values of samples: a row for each set of weights, by name, and a column for each sample."""


def chosen(values: Valuing, samples: NDArray[np.bool_]) -> Valuing:
    """Return the function that returns the values of some samples alone."""
    return lambda weights: values(weights)[:, samples]


class Values:
    """Evaluates the snakes of all positions of some data. A sample is a snake."""

    def __init__(self, columns: Columns, evaluator: Evaluator) -> None:
        self._rows = rows_of(columns)
        self._snakes = len(columns.snakes)
        self._evaluator = evaluator
        self._fill = _values_function(evaluator.evaluate)
        self._kinds = list(kinds_of(columns))

    def __call__(self, weights: Sequence[Mapping[str, float]]) -> NDArray[np.float32]:
        """Return the values, as Valuing requires."""
        records = np.concatenate([pack_weights(self._evaluator, given) for given in weights])
        values = np.zeros((len(weights), self._snakes), dtype=np.float32)

        def fill(chunk: Kind) -> None:
            self._fill(chunk, self._rows, records, values)

        first, *others = (chunk for kind in self._kinds for chunk in kind.chunks(_CHUNK))
        fill(first)  # compiles the code once, instead of in each thread
        with ThreadPoolExecutor(available_cores()) as pool:
            list(pool.map(fill, others))
        return values


@cache
def _values_function(evaluate: Callable[..., float]) -> Callable[..., None]:
    """Return the function that fills in the values of an evaluator's snakes, without the GIL.

    `weights` is an array of records, and `values` has a row for each of them and a column for each snake.
    """
    compiled = njit(evaluate)

    @njit(nogil=True)
    def fill(kind: Kind, rows: Rows, weights: NDArray[np.void], values: NDArray[np.float32]) -> None:
        game, board = kind.game[0], kind.board[0]
        for row in kind.positions:
            pack_row(game, board, rows, row)
            for snake in range(rows.first[row], rows.first[row + 1]):
                for number in range(len(weights)):
                    values[number, snake] = compiled(game, board, weights[number], snake - rows.first[row])

    return fill


Numbers = NDArray[np.integer[Any]]


class Rows(NamedTuple):
    """The columns that compiled code reads."""

    food: Lists
    hazards: Lists
    first: Numbers
    """By position, the number of its first snake. The last item is the number of all snakes."""
    health: Numbers
    body: Lists


class Kind(NamedTuple):
    """A kind of board: its size, its rules and the room for snakes."""

    game: NDArray[np.void]
    """The engine's record of an empty board, to fill."""
    board: NDArray[np.void]
    positions: NDArray[np.int64]
    """The positions of this kind, by number."""

    def chunks(self, size: int) -> "Iterator[Kind]":
        """Yield chunks of `size` positions, each with separate records."""
        for start in range(0, len(self.positions), size):
            yield Kind(self.game.copy(), self.board.copy(), self.positions[start : start + size])


def rows_of(columns: Columns) -> Rows:
    """Return the columns that compiled code reads."""
    snakes = columns.snakes
    return Rows(columns.food, columns.hazards, columns.first, snakes.health, snakes.body)


def kinds_of(columns: Columns) -> Iterator[Kind]:
    """Yield the kinds of boards.

    Positions with fewer snakes are of another kind, because a record with room for more snakes is slower.
    """
    snakes = np.diff(columns.first)
    capacities = np.unique([shape.snakes for shape in SHAPES])
    room = capacities[np.searchsorted(capacities, snakes)]
    kinds = np.stack(
        [columns.width, columns.height, columns.ruleset.codes, columns.hazard_damage, room], axis=1
    )
    distinct, inverse = np.unique(kinds.astype(np.int64), axis=0, return_inverse=True)
    for number, (width, height, ruleset, damage, capacity) in enumerate(distinct.tolist()):
        rules = Ruleset(columns.ruleset.names[ruleset], damage)
        packed = _empty(width, height, capacity, rules)
        yield Kind(packed.game, packed.board, np.flatnonzero(inverse == number))


def _empty(width: int, height: int, capacity: int, rules: Ruleset) -> Packed:
    return pack(Position(width, height, (Snake("", 1, ((0, 0),)),) * capacity, ruleset=rules))


@njit
def pack_row(game: Game, board: Board, rows: Rows, row: int) -> None:
    """Set the records of a kind of board to a position of the columns."""
    _pack_hazards(game, rows.hazards, row)
    _pack_board(game, board, rows, row)


@njit
def _pack_hazards(game: Game, hazards: Lists, row: int) -> None:
    """Set the hazards as they lie, without closing hazards."""
    offsets, cells = hazards
    game.hazards[:] = 0
    game.damage[0, :] = 0
    for index in range(offsets[row], offsets[row + 1]):
        cell = _cell(game, cells[index])
        _add(game.hazards, cell)
        damage = game.damage[0, cell] + game.hazard_damage
        game.damage[0, cell] = min(max(damage, -MAX_HEALTH), MAX_HEALTH)


@njit
def _pack_board(game: Game, board: Board, rows: Rows, row: int) -> None:
    offsets, cells = rows.food
    board.food[:] = 0
    for index in range(offsets[row], offsets[row + 1]):
        _add(board.food, _cell(game, cells[index]))
    board.bodies[:] = 0
    alive = rows.first[row + 1] - rows.first[row]
    game.snakes = alive
    for seat in range(len(board.head)):
        if seat < alive:
            _pack_snake(game, board, rows, rows.first[row] + seat, seat)
        else:
            board.head[seat] = board.length[seat] = board.health[seat] = board.grow[seat] = 0
            board.head_at[seat] = board.tail_at[seat] = game.root_length[seat] = 0


@njit
def _pack_snake(game: Game, board: Board, rows: Rows, snake: int, seat: int) -> None:
    offsets, parts = rows.body
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
    board.length[seat], board.health[seat] = end - begin, rows.health[snake]
    board.grow[seat] = end - begin - distinct
    game.root_length[seat] = end - begin


@njit
def _cell(game: Game, number: int) -> int:
    """Return the engine's number of a cell of the data."""
    return number // game.width * game.stride + number % game.width


@njit
def _add(words: Words, cell: int) -> None:
    words[cell // WORD_BITS] |= 1 << (cell % WORD_BITS)
