"""The threads of a search: one leads, and helpers search the same position and share the transposition table.

This is Lazy SMP, as in chess engines. The threads differ in their depth and in their order of late moves.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from searcher.engine.position import Direction, Position, is_contested
from searcher.engine.result import Limits
from searcher.engine.rules.records import Packed
from searcher.engine.search import kernels
from searcher.engine.search.clock import Clock
from searcher.engine.search.kernels import EvaluateFunction, SearchKernel
from searcher.engine.search.state import state_dtype
from searcher.engine.search.table import Table

NO_LIMIT = 1 << 60
"""The node limit of a search with no limit of nodes: more nodes than any search counts."""


@dataclass(frozen=True, slots=True)
class ThreadSetup:
    """The shared functions and settings of all threads of a search.

    weights: one record of WEIGHTS_DTYPE. reduces: whether moves that seldom matter may get a smaller depth.
    """

    kernel: SearchKernel
    evaluate: EvaluateFunction
    weights: NDArray[np.void]
    reduces: bool = False


@dataclass(slots=True)
class Thread:
    """One thread of a search: its state and the function that it runs."""

    packed: Packed
    state: NDArray[np.void]
    weights: NDArray[np.void]
    search: Callable[..., int]
    table: Table
    addresses: tuple[int, int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.addresses = self.state.ctypes.data, self.packed.game.ctypes.data, self.weights.ctypes.data

    @property
    def nodes(self) -> int:
        """The number of nodes so far."""
        return int(self.state["nodes"][0])

    @property
    def evaluations(self) -> int:
        """The number of evaluations so far."""
        return int(self.state["evaluations"][0])

    @property
    def table_hits(self) -> int:
        """The number of positions found in the table so far."""
        return int(self.state["table_hits"][0])

    @property
    def stopped(self) -> bool:
        """Whether a limit was reached. The last call's value is then meaningless."""
        return bool(self.state["stopped"][0])

    def stop(self) -> None:
        """End the running call, from another thread."""
        self.state["stopped"] = 1

    def score(self, move: int, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a root move, or of another value that the kernel takes in place of a move."""
        return self.search(*self.addresses, 0, depth, int(move), alpha, beta)

    def legal_moves(self, you: int) -> list[Direction]:
        """Return the root's moves without certain death this turn, or UP if there is none."""
        return [move for move in Direction if int(self.state["legal"][0, 0, you]) >> move & 1]


def new_thread(
    position: Position,
    packed: Packed,
    setup: ThreadSetup,
    limits: Limits,
    clock: Clock,
    table: Table,
    number: int = 0,
) -> Thread:
    """Return a thread that is ready to search a position. It writes only to its own memory and to the table.

    `number` counts the threads of a search from 0. Every second thread tries late moves in the reverse order.
    The threads beyond `limits.threads` are helpers of the clock.
    """
    shape, kernel = packed.shape, setup.kernel
    packed = Packed(shape, packed.game.copy(), packed.board)
    state = np.zeros(1, dtype=state_dtype(shape, kernel.own_state))
    root = state[0]
    root["boards"][0] = packed.board[0]
    root["you"], root["contested"] = position.you, is_contested(position)
    root["reduces"], root["reverse_late_moves"] = setup.reduces, number % 2
    root["helper"] = max(0, number + 1 - limits.threads)
    root["node_limit"] = limits.nodes or NO_LIMIT
    root["search"] = kernels.search_function(kernel, shape).address
    root["evaluator"] = kernels.evaluator_function(setup.evaluate, shape).address
    root["clock"] = clock.words.ctypes.data
    table.attach_to(state)
    kernels.prepare_root(kernel, shape)(packed.game.ctypes.data, state.ctypes.data)
    return Thread(packed, state, setup.weights, kernels.compiled_search(kernel, shape), table)


@contextmanager
def helping(threads: Sequence[Thread], searches: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Run each helper's search in a separate thread, and stop the searches at the end of the context."""
    running = [
        threading.Thread(target=search, name=f"helper-{number}", daemon=True)
        for number, search in enumerate(searches, 1)
    ]
    for each in running:
        each.start()
    try:
        yield
    finally:
        for thread in threads:
            thread.stop()
        for each in running:
            each.join()
