"""A player that looks one turn ahead: it plays the move that it likes best among the safest moves."""

import ctypes
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from arena.players.player import ChosenMove, Player, View
from arena.players.strategy import shapes_of_game
from arena.pool._guard import safety
from arena.pool.greedy import rate as rate_food
from searcher.engine.jit.function import FLOAT64, INT64, Function
from searcher.engine.position import Direction, Position
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import Packed, Shape, board_dtype, game_dtype
from searcher.precompile.code_units import CodeUnit, shape_text

Rate = Callable[..., float]
"""(game, board, snake, move or cell) -> a value. Higher values are better. The function is compiled."""

_RATE = ctypes.PYFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
"""The type of a compiled rating. It keeps the GIL: it takes less time than a switch to another thread."""


@dataclass(frozen=True, slots=True)
class Rating(CodeUnit):
    """A function that rates moves, for a board shape."""

    rate: Rate
    shape: Shape

    def __str__(self) -> str:
        return f"{self.rate.__module__.rpartition('.')[2]} {shape_text(self.shape)}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """This function alone."""
        return (_rate_function(self.rate, self.shape),)


def ratings_of_game(position: Position, rate: Rate) -> list[Rating]:
    """Return the compiled code that an opponent uses in a game from this position on."""
    rates = dict.fromkeys((safety, rate_food, rate))
    return [Rating(each, shape) for shape in shapes_of_game(position) for each in rates]


class OneTurnPlayer(Player):
    """A player of the pool that looks one turn ahead, by its function `rate`."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate

    async def start(self, view: View) -> None:
        """Load the code for every number of snakes that may remain in the game."""
        for rating in ratings_of_game(view.position, self._rate):
            rating.load()

    async def choose(self, view: View) -> ChosenMove:
        """Return the move that the player likes best among the safest moves."""
        return ChosenMove(self.move(view.position, view.seed))

    def move(self, position: Position, seed: int) -> Direction:
        """Return the move in a position. Between moves with the same value, the seed decides."""
        packed, you = pack(position), position.you
        head = packed.board["head"][0, you]
        cells = packed.game["neighbours"][0, head].tolist()
        rate = rate_food if _is_hungry(position) else self._rate
        safest = _best(Direction, lambda move: _call(safety, packed, you, int(move)))
        liked = _best(safest, lambda move: _call(rate, packed, you, cells[move]))
        return random.Random(seed).choice(liked)


def _is_hungry(position: Position) -> bool:
    """Return whether the snake's health would not last for a walk across the board."""
    return position.snakes[position.you].health <= position.width + position.height


def _best(moves: Iterable[Direction], value: Callable[[Direction], float]) -> list[Direction]:
    """Return the moves of the highest value."""
    values = {move: value(move) for move in moves}
    highest = max(values.values())
    return [move for move in values if values[move] == highest]


def _call(rate: Rate, packed: Packed, snake: int, choice: int) -> float:
    function = _compiled(rate, packed.shape)
    return function(packed.game.ctypes.data, packed.board.ctypes.data, snake, choice)


@cache
def _compiled(rate: Rate, shape: Shape) -> Callable[[int, int, int, int], float]:
    return _RATE(_rate_function(rate, shape).address)


@cache
def _rate_function(rate: Rate, shape: Shape) -> Function:
    return Function(rate, FLOAT64, (game_dtype(shape), board_dtype(shape), INT64, INT64))
