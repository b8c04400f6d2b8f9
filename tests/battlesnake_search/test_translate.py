"""The translation from request bodies to the contract's messages and back."""

import pytest

from battlesnake_search import translate
from battlesnake_search.contract import search_pb2
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.reader import decode
from battlesnake_search.translate import PlayedStrategy
from tests.gateway.scripted_searcher import REQUESTS


def test_an_unknown_ruleset_is_played_by_the_standard_rules() -> None:
    """An unknown ruleset means the standard rules, as in the official engine."""
    body = (REQUESTS / "royale-move-mid-16.json").read_bytes().replace(b'"royale",', b'"squad",', 1)
    assert translate.search_request(decode(body), Plan()).position.ruleset.name == "standard"


@pytest.mark.parametrize(
    ("text", "parts"),
    [("", ("", "")), ("auto", ("auto", "")), ("paranoid/area", ("paranoid", "area"))],
)
def test_a_strategy_is_parsed(text: str, parts: tuple[str, str]) -> None:
    """search/evaluator names both. An empty text is the searcher's default, and auto names a search alone."""
    strategy = translate.parse_strategy(text)
    assert (strategy.search, strategy.evaluator) == parts


@pytest.mark.parametrize("text", ["paranoid", "Auto", "paranoid/", "/area", "a/b/c", "pärä/noid", "a/b\n"])
def test_an_invalid_strategy_is_refused(text: str) -> None:
    """Any other form is an error that shows the valid one."""
    with pytest.raises(ValueError, match="neither auto nor of the form search/evaluator"):
        translate.parse_strategy(text)


def test_a_plan_reaches_the_searcher() -> None:
    """The request has the plan's strategy, weights and limits, but no time limit."""
    turn = decode((REQUESTS / "royale-move-mid-16.json").read_bytes())
    limits = Limits(time=50, depth=3, nodes=2**40, threads=2, seed=9)
    request = translate.search_request(
        turn, Plan(strategy="paranoid/area", evaluator_weights={"hunger": 0.25}, limits=limits)
    )
    assert request.strategy == search_pb2.Strategy(
        search="paranoid", evaluator="area", weights={"hunger": 0.25}
    )
    assert request.limits == search_pb2.Limits(depth=3, nodes=2**40, threads=2, seed=9)


def test_a_result_has_the_moves_of_the_api() -> None:
    """Each direction has a name in the API. A response without a direction has no result."""
    names = search_pb2.Direction.keys()
    sent = [search_pb2.SearchResult(move=name) for name in names]
    results = [translate.move_result(one) for one in sent]
    assert translate.move_result(None) is None
    assert [result and result.move for result in results] == [None, "up", "down", "left", "right"]


def _played(weight: float = 0.5, code: str = "c1", evaluator: str = "area") -> PlayedStrategy:
    strategy = search_pb2.Strategy(search="paranoid", evaluator=evaluator, weights={"x": weight, "y": 2.0})
    sent = search_pb2.SearchResult(move="DIRECTION_UP", strategy=strategy, code_digest=code)
    result = translate.move_result(sent)
    assert result is not None and result.strategy is not None
    return result.strategy


def test_a_result_names_the_strategy_that_was_played() -> None:
    """It has the searcher's names and weights. Without a name from the searcher, the strategy is unknown."""
    assert (_played().name, _played().weights) == ("paranoid/area", {"x": 0.5, "y": 2.0})
    silent = translate.move_result(search_pb2.SearchResult(move="DIRECTION_UP"))
    assert silent is not None and silent.strategy is None


def test_a_result_says_that_auto_chose_its_strategy() -> None:
    """The digest of `auto` covers its rules. Without a digest, the request named the strategy."""
    strategy = search_pb2.Strategy(search="paranoid", evaluator="solo")
    sent = search_pb2.SearchResult(move="DIRECTION_UP", strategy=strategy, choice_digest="r1")
    chosen = translate.move_result(sent)
    assert chosen is not None and chosen.strategy is not None
    assert chosen.strategy.name == "paranoid/solo"
    assert chosen.auto == PlayedStrategy("auto", {}, "r1")
    named = translate.move_result(search_pb2.SearchResult(move="DIRECTION_UP", strategy=strategy))
    assert named is not None and named.auto is None
