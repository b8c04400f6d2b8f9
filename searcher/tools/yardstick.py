"""A fixed loop that measures a machine: random play with one turn and one area evaluation per position."""

import ctypes
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import msgspec
import numpy as np

from searcher.engine.features.flood import area
from searcher.engine.jit import intrinsics
from searcher.engine.jit.decorator import njit
from searcher.engine.jit.function import INT64, Function
from searcher.engine.position import Position
from searcher.engine.rules.board import free_cells, is_alive, legal_moves, move_bits
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import WEIGHTS_DTYPE, Board, Game, Shape, Weights, game_dtype, shapes_for
from searcher.engine.rules.turn import play
from searcher.engine.search.state import State, state_dtype
from searcher.precompile.code_units import CodeUnit, shape_text

ITERATIONS = 100_000
"""The number of passes of a loop in one measurement."""

SAMPLES = 64
"""The number of boards on which the single steps are measured."""

_Loop = Callable[..., int]
"""(state, game, weights, count) -> a number that depends on all the work, so that all of it is done."""

_LOOP = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * 3, ctypes.c_int64)


class Yardstick(msgspec.Struct):
    """The speed of this machine: a whole pass of the loop, and its single steps."""

    positions_per_second: float
    turn_nanoseconds: float
    duel_evaluation_nanoseconds: float
    four_evaluation_nanoseconds: float


@dataclass(frozen=True, slots=True)
class _LoopCode(CodeUnit):
    """Loops compiled for a board shape. They share most of their code, so one process compiles them all."""

    loops: tuple[_Loop, ...]
    shape: Shape

    def __str__(self) -> str:
        return f"the yardstick {shape_text(self.shape)}"

    @property
    def functions(self) -> tuple[Function, ...]:
        """The loops."""
        return tuple(_function(loop, self.shape) for loop in self.loops)


def loop_codes(duel: Position, four: Position) -> list[CodeUnit]:
    """Return the code of `Loops` on these positions."""
    loops = _loops_on(duel, four)
    return [
        _LoopCode(tuple(loop for loop, on in loops if on is position), shapes_for(position)[0])
        for position in (duel, four)
    ]


class Loops:
    """The loops of the yardstick, on a duel and a game of four.

    A machine's speed varies over time, so run them between other work.
    """

    def __init__(self, duel: Position, four: Position) -> None:
        self._loops = [_timed(loop, position) for loop, position in _loops_on(duel, four)]
        self._rounds: list[list[float]] = []

    def run(self) -> None:
        """Run each loop once."""
        self._rounds.append([loop() for loop in self._loops])

    def medians(self) -> Yardstick:
        """Return the medians of all rounds."""
        position, turn, duel, four = (statistics.median(times) for times in zip(*self._rounds, strict=True))
        return Yardstick(1e9 / position, turn, duel, four)


def _loops_on(duel: Position, four: Position) -> list[tuple[_Loop, Position]]:
    return [
        (_play_and_evaluate, duel),
        (_play_turns, duel),
        (_evaluate_boards, duel),
        (_evaluate_boards, four),
    ]


@cache
def _function(loop: _Loop, shape: Shape) -> Function:
    return Function(loop, INT64, (state_dtype(shape), game_dtype(shape), WEIGHTS_DTYPE, INT64))


def _timed(loop: _Loop, position: Position) -> Callable[[], float]:
    """Return a function that runs a loop and returns the nanoseconds of one pass."""
    packed = pack(position)
    state = np.zeros(1, dtype=state_dtype(packed.shape))
    state["boards"][0] = packed.board[0]
    weights = np.ones(1, dtype=WEIGHTS_DTYPE)
    function = _LOOP(_function(loop, packed.shape).address)

    def run() -> float:
        start = time.perf_counter()
        function(state.ctypes.data, packed.game.ctypes.data, weights.ctypes.data, ITERATIONS)
        return (time.perf_counter() - start) / ITERATIONS * 1e9

    return run


@njit
def random_joint(game: Game, board: Board, random: int) -> int:
    """Return a joint move of legal moves, chosen by the bits of a number."""
    joint, free = 0, free_cells(game, board)
    for snake in range(len(board.head)):
        if is_alive(board, snake):
            moves = legal_moves(game, board, snake, free)
            move = (random >> (2 * snake)) & 3
            while not (moves >> move) & 1:
                move = (move + 1) & 3
            joint |= move_bits(snake, move)
    return joint


@njit
def next_random(random: int) -> int:
    """Return the next pseudo-random number, of 31 bits (Park and Miller, 1988)."""
    return random * 48271 % 2147483647


@njit
def fill_samples(state: State, game: Game) -> None:
    """Fill the boards with random play from the root, starting again at the root when a snake dies."""
    random = 1
    for sample in range(1, SAMPLES + 1):
        board, last = state.boards[sample], state.boards[sample - 1]
        intrinsics.copy_record(board, last)
        random = next_random(random)
        play(game, board, random_joint(game, last, random >> 8))
        for snake in range(game.snakes):
            if not is_alive(board, snake):
                intrinsics.copy_record(board, state.boards[0])


def _play_and_evaluate(state: State, game: Game, weights: Weights, count: int) -> int:
    total = 0
    for _ in range(count // SAMPLES):
        fill_samples(state, game)
        for sample in range(1, SAMPLES + 1):
            mine, theirs = area(game, state.boards[sample], 0)
            total += mine - theirs
    return total


def _play_turns(state: State, game: Game, weights: Weights, count: int) -> int:
    fill_samples(state, game)
    total, board = 0, state.boards[SAMPLES + 1]
    for number in range(count):
        intrinsics.copy_record(board, state.boards[number & (SAMPLES - 1)])
        play(game, board, number >> 2)
        total += board.length[0]
    return total


def _evaluate_boards(state: State, game: Game, weights: Weights, count: int) -> int:
    fill_samples(state, game)
    total = 0
    for number in range(count):
        mine, theirs = area(game, state.boards[number & (SAMPLES - 1)], 0)
        total += mine - theirs
    return total
