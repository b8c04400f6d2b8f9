"""The parts that strategies are compiled in."""

import itertools

import pytest

from searcher import strategies
from searcher.engine.position import Position
from searcher.engine.rules.records import SHAPES
from searcher.precompile.code_units import StrategyCode, all_codes, codes_for, first_codes
from searcher.strategies import AUTO, FALLBACK, SEARCHES, evaluators, offer, parse_strategy
from tests.searcher.engine.positions import snake
from tests.searcher.own_rules import OWN

DUEL = Position(11, 11, (snake("a", "33 32 31"), snake("b", "77 78 79")), ((5, 5),))


def test_there_is_a_part_for_every_shape() -> None:
    """All strategies can search every shape, no part is repeated, and those without a choice come first."""
    parts = all_codes()
    functions = {function for part in parts for function in part.functions}
    assert len(parts) == len(set(parts))
    for search, evaluator, shape in itertools.product(SEARCHES, evaluators(), SHAPES):
        assert functions.issuperset(StrategyCode(search, evaluator, shape).functions)
    assert (parts[0].shape.snakes, parts[0].shape.stride) == (8, 11)
    defaults = {str(strategy) for strategy in (*AUTO.strategies, FALLBACK)}
    first = parts[: len(defaults) * len(SHAPES)]
    assert {f"{part.search}/{part.evaluator}" for part in first} == defaults


def test_the_first_parts_play_auto_on_11x11(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are all strategies that `auto` may choose, on the shape that holds every game on 11x11."""
    monkeypatch.setattr(strategies, "AUTO", OWN)
    first = first_codes()
    assert {f"{part.search}/{part.evaluator}" for part in first} == set(map(str, OWN.strategies))
    assert [(part.shape.snakes, part.shape.stride) for part in first] == [(8, 11)] * len(first)
    assert all_codes()[: len(first)] == first
    assert all_codes([FALLBACK])[: len(first)] == first


def test_an_offer_of_a_few_strategies() -> None:
    """Their combinations with those of `auto` are offered, and the parts have exactly their functions."""
    only = [parse_strategy("brs/area"), parse_strategy("brs/length")]
    offered = offer(only)
    assert set(offered.searches) == {"brs", "paranoid", *(each.search for each in AUTO.strategies)}
    names = {each.evaluator for each in AUTO.strategies}
    assert set(offered.evaluators) == {"area", "length", "balanced", *names}
    functions = {function for part in all_codes(only) for function in part.functions}
    pairs = [
        StrategyCode(*names) for names in itertools.product(offered.searches, offered.evaluators, SHAPES)
    ]
    assert functions == {function for part in pairs for function in part.functions}
    assert all_codes(only)[0] == all_codes()[0]


def test_the_parts_of_a_position() -> None:
    """The parts have all shapes that hold the position, the smallest first; a loaded part is in the cache."""
    parts = codes_for(DUEL, FALLBACK)
    assert [part.shape for part in parts] == list(SHAPES)
    assert set(parts) <= set(all_codes())
    parts[0].load()
    assert parts[0].is_cached()
