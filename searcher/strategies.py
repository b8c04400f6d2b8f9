"""The registry of strategies: all search algorithms and evaluators, and the parsing of their names."""

from collections.abc import Collection, Mapping
from functools import cache

from searcher.engine.algorithms import breadth, brs, maxn, paranoid, simultaneous
from searcher.engine.root.deepening import OpponentModelDeepening
from searcher.engine.root.mixed import MixedDeepening
from searcher.engine.root.parallel import ParallelDeepening
from searcher.evaluators import balanced
from searcher.interface import Evaluator, Offer, SearchAlgorithm, Strategy, complete_strategy
from searcher.plugins.discovery import Discovery, discover_evaluators
from searcher.plugins.faults import Fault, FaultyEvaluatorError

SEARCHES: Mapping[str, SearchAlgorithm] = {
    algorithm.name: algorithm
    for algorithm in (
        SearchAlgorithm(
            "paranoid",
            "Alpha-beta; all opponents play against me and know my move; reduces moves that seldom matter.",
            paranoid.PARANOID,
            reduces=True,
            deepening=OpponentModelDeepening,
        ),
        SearchAlgorithm(
            "paranoid-full",
            "Like paranoid, but searches every move to the full depth.",
            paranoid.PARANOID,
            uses_lower_bound=True,
        ),
        SearchAlgorithm(
            "brs", "Best-reply search; one opponent moves each turn, the others stand still.", brs.BRS
        ),
        SearchAlgorithm(
            "brs-plus",
            "Best-reply search; one opponent chooses, the others make a default move.",
            brs.BRS_PLUS,
        ),
        SearchAlgorithm(
            "maxn",
            "Each snake maximizes its own score and knows my move.",
            maxn.MAXN,
            uses_window=False,
            deepening=OpponentModelDeepening,
        ),
        SearchAlgorithm(
            "breadth",
            "Every direction equally deep, on all cores; the scores of all positions on the way count.",
            breadth.BREADTH,
            uses_window=False,
            deepening=ParallelDeepening,
        ),
        SearchAlgorithm(
            "simultaneous",
            "A matrix game each turn, for duels; plays a mixed strategy where no move is safe.",
            simultaneous.SIMULTANEOUS,
            deepening=MixedDeepening,
        ),
    )
}

DEFAULT = Strategy("paranoid", "balanced", {weight.name: weight.default for weight in balanced.WEIGHTS})


@cache
def discovered() -> Discovery:
    """Return the evaluators of this project and of installed packages, which are loaded only once."""
    return discover_evaluators()


def evaluators() -> Mapping[str, Evaluator]:
    """Return every valid evaluator, by name."""
    return discovered().evaluators


def faults() -> tuple[Fault, ...]:
    """Return the faults of the evaluators that could not be loaded."""
    return discovered().faults


def strategy_of(search: str, evaluator: str, weights: Mapping[str, float] | None = None) -> Strategy:
    """Return a strategy with the evaluator's default weights, except for those in `weights`.

    Raises KeyError for an unknown evaluator.
    """
    return complete_strategy(search, evaluators()[evaluator], weights)


def offer(only: Collection[Strategy] = ()) -> Offer:
    """Return the searches and evaluators of these strategies and of the default one; by default, all."""
    chosen = (DEFAULT, *only)
    searches = {strategy.search for strategy in chosen} if only else SEARCHES.keys()
    names = {strategy.evaluator for strategy in chosen} if only else evaluators().keys()
    return Offer(
        default=DEFAULT,
        searches={name: algorithm for name, algorithm in SEARCHES.items() if name in searches},
        evaluators={name: evaluator for name, evaluator in evaluators().items() if name in names},
    )


def parse_strategy(text: str) -> Strategy:
    """Return the strategy written as search/evaluator; the default strategy for an empty text.

    Raises ValueError, which lists the valid names, or FaultyEvaluatorError for an evaluator that is left out.
    """
    if not text:
        return DEFAULT
    search, slash, evaluator = text.partition("/")
    if not slash or search not in SEARCHES or evaluator not in evaluators():
        for fault in faults():
            if fault.evaluator == evaluator:
                raise FaultyEvaluatorError(fault)
        raise ValueError(
            f"no strategy {text!r}; a strategy is written like paranoid/area; "
            f"valid searches: {', '.join(SEARCHES)}; valid evaluators: {', '.join(evaluators())}"
        )
    return strategy_of(search, evaluator)
