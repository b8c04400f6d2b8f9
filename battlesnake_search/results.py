"""What a searcher answers, in the words of the Battlesnake API."""

from collections.abc import Mapping
from dataclasses import dataclass

from battlesnake_search import translate
from battlesnake_search.contract import search_pb2
from battlesnake_search.plan import AUTO
from battlesnake_search.searcher_client import SearchReply
from battlesnake_search.translate import RootMove


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best move that a search has found, and why.

    `move` is up, down, left or right; `score` is from -1 (lost) to 1 (won); `depth` counts completed turns;
    `seconds` is the search's own time. `strategy` is the one that ran, as search/evaluator: never auto, but
    what auto chose. `moves` has every move that was compared, best first, and `pv` the moves that the search
    expects, turn by turn and by snake id. `final` says whether the search was completed; `stop` is then why:
    time, depth, nodes, solved, only_move or cancelled.
    """

    move: str
    score: float
    depth: int
    nodes: int
    seconds: float
    strategy: str
    moves: tuple[RootMove, ...]
    pv: tuple[Mapping[str, str], ...]
    stop: str | None
    final: bool


@dataclass(frozen=True, slots=True)
class Weight:
    """A weight of an evaluator: the value that it has unless a search sets it, and its range."""

    default: float
    minimum: float
    maximum: float
    description: str


@dataclass(frozen=True, slots=True)
class Evaluator:
    """An evaluator that a strategy may name, and its weights by name."""

    description: str
    weights: Mapping[str, Weight]


@dataclass(frozen=True, slots=True)
class Strategies:
    """What a searcher can play: any of the searches with any of the evaluators, each by name.

    `default` is the strategy of a search that names none.
    """

    searches: Mapping[str, str]
    evaluators: Mapping[str, Evaluator]
    default: str


def result_of(reply: SearchReply) -> SearchResult | None:
    """Return the best result that a searcher has sent; None if it has sent none that names a move."""
    found = translate.move_result(reply.result)
    if found is None or reply.result is None:
        return None
    details = translate.details(reply.result)
    return SearchResult(
        found.move,
        found.score,
        found.depth,
        found.nodes,
        found.seconds,
        found.strategy.name if found.strategy else "",
        details.moves,
        details.pv,
        details.stop if reply.final else None,
        reply.final,
    )


def strategies_of(response: search_pb2.ListStrategiesResponse) -> Strategies:
    """Return a searcher's list of strategies."""
    default = response.default_strategy
    return Strategies(
        {search.name: search.description for search in response.searches},
        {each.name: Evaluator(each.description, _weights_of(each)) for each in response.evaluators},
        AUTO if response.auto_strategies else f"{default.search}/{default.evaluator}",
    )


def _weights_of(evaluator: search_pb2.EvaluatorInfo) -> dict[str, Weight]:
    return {
        each.name: Weight(each.default, each.minimum, each.maximum, each.description)
        for each in evaluator.weights
    }
