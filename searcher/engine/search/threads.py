"""The threads of a search: one leads, helpers look at the same and leave what they find in the table.

That is Lazy SMP, as chess engines have it: threads share the transposition table and nothing else, and
differ in the depth that they are at, and in the end from which they look at a position's moves.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from searcher.engine.position import Direction, Position, is_contested
from searcher.engine.result import Limits
from searcher.engine.rules.records import Packed
from searcher.engine.search import kernels
from searcher.engine.search.clock import Clock
from searcher.engine.search.table import Table
from searcher.engine.search.thread_state import tree_dtype

NO_LIMIT = 1 << 60


@dataclass(slots=True)
class Thread:
    """One thread of a search: its tree and the function it runs."""

    packed: Packed
    tree: NDArray[np.void]
    weights: NDArray[np.void]
    search: Callable[..., int]
    table: Table
    addresses: tuple[int, int, int] = field(init=False)

    def __post_init__(self) -> None:
        self.addresses = self.tree.ctypes.data, self.packed.game.ctypes.data, self.weights.ctypes.data

    @property
    def nodes(self) -> int:
        """Nodes counted so far."""
        return int(self.tree["nodes"][0])

    @property
    def evaluations(self) -> int:
        """Evaluations counted so far."""
        return int(self.tree["evaluations"][0])

    @property
    def table_hits(self) -> int:
        """Positions found in the table so far."""
        return int(self.tree["table_hits"][0])

    @property
    def stopped(self) -> bool:
        """Whether a limit was reached; what the last call returned means nothing then."""
        return bool(self.tree["stopped"][0])

    def stop(self) -> None:
        """Ends the call that runs, from another thread."""
        self.tree["stopped"] = 1

    def score(self, move: int, depth: int, alpha: int, beta: int) -> int:
        """The score of a root move, or of what else the search takes for one, as it promises it."""
        return self.search(*self.addresses, 0, depth, int(move), alpha, beta)

    def legal_moves(self, you: int) -> list[Direction]:
        """The moves of the root that do not surely lose at once; UP if there is none."""
        return [move for move in Direction if int(self.tree["legal"][0, 0, you]) >> move & 1]


def new_thread(
    position: Position,
    packed: Packed,
    search: kernels.SearchFunction,
    evaluator: kernels.EvaluateFunction,
    bound: kernels.EvaluateFunction | None,
    weights: NDArray[np.void],
    limits: Limits,
    clock: Clock,
    table: Table,
    *,
    reduces: bool = False,
    contrary: bool = False,
) -> Thread:
    """A thread ready to look at a position; what it writes is its own, save for the table.

    `bound` is the evaluator's `at_least`, if it has one and the search asks for it. `reduces`: whether the
    search may look less closely at what seldom matters. `contrary`: whether it looks at late choices from the
    other end than other threads do.
    """
    packed = Packed(packed.shape, packed.game.copy(), packed.board)
    tree = np.zeros(1, dtype=tree_dtype(packed.shape))
    root = tree[0]
    root["boards"][0] = packed.board[0]
    root["you"], root["contested"] = position.you, is_contested(position)
    root["reduces"], root["contrary"] = reduces, contrary
    root["node_limit"] = limits.nodes or NO_LIMIT
    root["search"] = kernels.search_function(search, packed.shape).address
    root["evaluator"] = kernels.evaluator_function(evaluator, packed.shape).address
    root["bound"] = kernels.bound_function(bound, packed.shape).address if bound else 0
    root["clock"] = clock.cells.ctypes.data
    table.lend(tree)
    kernels.open_ply(packed.shape)(packed.game.ctypes.data, tree.ctypes.data, 0)
    return Thread(packed, tree, weights, kernels.reply(search, packed.shape), table)


class Helpers:
    """Functions that look with a search thread each, in threads of their own while the context lasts."""

    def __init__(self, threads: Sequence[Thread], looking: Sequence[Callable[[], object]]) -> None:
        self._threads = threads
        self._running = [
            threading.Thread(target=look, name=f"helper-{number}", daemon=True)
            for number, look in enumerate(looking, 1)
        ]

    def __enter__(self) -> Self:
        for running in self._running:
            running.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for thread in self._threads:
            thread.stop()
        for running in self._running:
            running.join()
