"""A search session: searches of one thread, one after another, and the memory that they share."""

from searcher.engine.position import Position
from searcher.engine.result import Limits, Result
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import Shape
from searcher.engine.search.clock import Clock
from searcher.engine.search.table import Table
from searcher.engine.search.threads import ThreadSetup, new_thread
from searcher.evaluation import pack_weights
from searcher.interface import OnDepth, Strategy
from searcher.strategies import SEARCHES, evaluators

TABLE_BYTES = 16 << 20
"""The size of the transposition table."""


class SearchSession:
    """Runs searches one after another in one thread, and owns their memory."""

    def __init__(self) -> None:
        self._table = Table(TABLE_BYTES)

    def search(
        self,
        position: Position,
        strategy: Strategy,
        limits: Limits,
        clock: Clock,
        on_depth: OnDepth | None = None,
        shape: Shape | None = None,
    ) -> Result:
        """Search until a limit or the clock ends it; call `on_depth` after each completed depth.

        `shape` is the shape of board to search with; by default the smallest that holds the position.
        """
        evaluator, algorithm = evaluators()[strategy.evaluator], SEARCHES[strategy.search]
        setup = ThreadSetup(
            algorithm.kernel,
            evaluator.evaluate,
            evaluator.at_least if algorithm.uses_lower_bound else None,
            pack_weights(evaluator, strategy.weights),
            algorithm.reduces,
        )
        self._table.next_search()
        packed = pack(position, shape)
        threads = [
            new_thread(
                position, packed, setup, limits, clock, self._table, reverse_late_moves=number % 2 == 1
            )
            for number in range(limits.threads)
        ]
        deepening = algorithm.deepening(position, threads, limits, clock, uses_window=algorithm.uses_window)
        return deepening.run(on_depth)
