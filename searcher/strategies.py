"""The registry of searches and evaluators, the rules of `auto`, and the parsing of strategies' names."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from battlesnake_search.contract.limits import FALLBACK_EVALUATOR, MAX_SIDE, MAX_SNAKES
from searcher.engine.algorithms import breadth, brs, crowd, maxn, mcts, paranoid
from searcher.engine.position import Position
from searcher.engine.root.deepening import OpponentModelDeepening, ParallelDeepening
from searcher.engine.root.tree import TreeGrowth
from searcher.evaluators import balanced
from searcher.interface import (
    Evaluator,
    Offer,
    SearchAlgorithm,
    Strategy,
    StrategyChoice,
    complete_strategy,
)
from searcher.plugins.discovery import REINSTALL, Discovery, discover_evaluators
from searcher.plugins.faults import EvaluatorFault, FaultyEvaluatorError

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
        ),
        SearchAlgorithm(
            "crowd",
            "For three snakes or more: opponents make likely moves half of the time, else one is against me.",
            crowd.CROWD,
            reduces=True,
            deepening=OpponentModelDeepening,
        ),
        SearchAlgorithm(
            "brs", "Best-reply search; one opponent moves each turn, the others stand still.", brs.BRS
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
            "mcts",
            "Monte Carlo tree search; all snakes move at once and each maximizes its own value.",
            mcts.MCTS,
            uses_window=False,
            deepening=TreeGrowth,
        ),
    )
}

AUTO_NAME = "auto"
"""The name of the default strategy. It stands in place of the names of a search and an evaluator."""

FALLBACK = Strategy(
    "paranoid", FALLBACK_EVALUATOR, {weight.name: weight.default for weight in balanced.WEIGHTS}
)
"""If a caller names only the search, only the evaluator, or only weights, this completes the strategy."""


@cache
def discovered() -> Discovery:
    """Return the evaluators of this project and of installed packages. They are loaded once."""
    return discover_evaluators()


def evaluators() -> Mapping[str, Evaluator]:
    """Return every valid evaluator, by name."""
    return discovered().evaluators


def strategy_names() -> list[str]:
    """Return the names of all strategies, with `auto`."""
    return [AUTO_NAME, *(f"{search}/{evaluator}" for search in SEARCHES for evaluator in evaluators())]


def faults() -> tuple[EvaluatorFault, ...]:
    """Return the faults of the evaluators that could not be loaded."""
    return discovered().faults


def replace_defaults(evaluator: str, weights: Mapping[str, float]) -> None:
    """Give an evaluator other default weights, for this process.

    Raises ValueError, with the valid names or bounds, for an unknown name or a weight out of bounds.
    """
    if evaluator not in evaluators():
        raise ValueError(f"no evaluator {evaluator!r}; valid: {', '.join(evaluators())}; {REINSTALL}")
    declared = evaluators()[evaluator]
    check_weights(declared, weights)
    defaults = tuple(
        replace(weight, default=weights.get(weight.name, weight.default)) for weight in declared.weights
    )
    discovered().evaluators[evaluator] = replace(declared, weights=defaults)
    _replaced[evaluator] = dict(weights)


_replaced: dict[str, dict[str, float]] = {}
"""The weights that replace defaults, by evaluator."""


def check_weights(evaluator: Evaluator, weights: Mapping[str, float]) -> None:
    """Raise ValueError, with the valid names or bounds, for an unknown weight or a weight out of bounds."""
    known = {weight.name: weight for weight in evaluator.weights}
    for name, value in weights.items():
        if name not in known:
            raise ValueError(f"{evaluator.name}: no weight {name!r}; valid: {', '.join(known) or 'none'}")
        if not known[name].minimum <= value <= known[name].maximum:
            bounds = f"{known[name].minimum} to {known[name].maximum}"
            raise ValueError(f"{evaluator.name}: weight {name} must be {bounds}, not {value}")


def strategy_of(search: str, evaluator: str, weights: Mapping[str, float] | None = None) -> Strategy:
    """Return a strategy with the weights in `weights`, and the evaluator's default for every other weight.

    Raises KeyError for an unknown evaluator.
    """
    return complete_strategy(search, evaluators()[evaluator], weights)


Span = tuple[int, int]
"""A range of numbers: the first and the last, both included."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A search and an evaluator, by name, and the positions in which they play, by default all."""

    search: str
    evaluator: str
    snakes: Span = (1, MAX_SNAKES)
    """The number of living snakes."""
    rulesets: tuple[str, ...] = ()
    """Names of rulesets. Empty means all."""
    side: Span = (1, MAX_SIDE)
    """The longer side of the board, in cells."""

    def applies_to(self, position: Position) -> bool:
        """Return whether the rule is for this position."""
        return (
            _is_in(len(position.snakes), self.snakes)
            and (not self.rulesets or position.ruleset.name in self.rulesets)
            and _is_in(max(position.width, position.height), self.side)
        )


RULES: Sequence[Rule] = (
    Rule("paranoid", "solo", snakes=(1, 1)),
    Rule("mcts", "area", rulesets=("constrictor", "wrapped_constrictor")),
    Rule("paranoid", "hungry", snakes=(2, 2)),
    Rule("crowd", "hungry"),
)
"""The rules in the order in which they are tried. The last rule applies to every position."""

_DIGITS = 16


@dataclass(frozen=True, slots=True)
class Auto:
    """The default strategy: in each position, the strategy of the first rule that applies."""

    rules: Sequence[Rule] = RULES

    def __str__(self) -> str:
        return AUTO_NAME

    @property
    def strategies(self) -> Collection[Strategy]:
        """The strategies of the rules, without repetitions. The strategy for most positions comes first."""
        names = dict.fromkeys((rule.search, rule.evaluator) for rule in reversed(self.rules))
        return [strategy_of(search, evaluator) for search, evaluator in names]

    @property
    def choice_digest(self) -> str:
        """A digest of the rules and of replaced default weights, because both change the play of `auto`."""
        named = {rule.evaluator for rule in self.rules}
        weights = {name: sorted(_replaced[name].items()) for name in sorted(named & _replaced.keys())}
        text = repr(tuple(self.rules)) + (repr(weights) if weights else "")
        return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]

    def for_position(self, position: Position) -> Strategy:
        """Return the strategy for the position, with default weights."""
        rule = next(rule for rule in self.rules if rule.applies_to(position))
        return strategy_of(rule.search, rule.evaluator)


AUTO = Auto()


def is_trusted(evaluator: str) -> bool:
    """Return whether an evaluator plays without a trial, because the tests of this project try it."""
    package = evaluators()[evaluator].evaluate.__module__.rpartition(".")[0]
    return package == balanced.__package__


def offer(only: Collection[StrategyChoice] = ()) -> Offer:
    """Return an offer of the searches and evaluators of these strategies and of `auto`, by default of all."""
    chosen = [FALLBACK, *(strategy for choice in (AUTO, *only) for strategy in choice.strategies)]
    searches = {strategy.search for strategy in chosen} if only else SEARCHES.keys()
    names = {strategy.evaluator for strategy in chosen} if only else evaluators().keys()
    return Offer(
        default=AUTO,
        fallback=strategy_of(FALLBACK.search, FALLBACK.evaluator),
        searches={name: algorithm for name, algorithm in SEARCHES.items() if name in searches},
        evaluators={name: evaluator for name, evaluator in evaluators().items() if name in names},
    )


def parse_choice(text: str) -> StrategyChoice:
    """Return `auto` for its name or an empty text. For any other text return `parse_strategy` of the text."""
    return AUTO if text in ("", AUTO_NAME) else parse_strategy(text)


def parse_strategy(text: str) -> Strategy:
    """Return the strategy written as search/evaluator.

    Raises ValueError with the valid names, or FaultyEvaluatorError for an evaluator that is left out.
    """
    search, slash, evaluator = text.partition("/")
    if not slash or search not in SEARCHES or evaluator not in evaluators():
        for fault in faults():
            if fault.evaluator == evaluator:
                raise FaultyEvaluatorError(fault)
        raise ValueError(
            f"no strategy {text!r}; a strategy is {AUTO_NAME} or written like paranoid/area; "
            f"valid searches: {', '.join(SEARCHES)}; valid evaluators: {', '.join(evaluators())}; {REINSTALL}"
        )
    return strategy_of(search, evaluator)


def _is_in(value: int, span: Span) -> bool:
    return span[0] <= value <= span[1]
