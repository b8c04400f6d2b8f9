"""Strategies by name."""

import itertools
import math

import pytest

from searcher.engine.position import Position
from searcher.engine.result import Limits
from searcher.engine.rules.records import SHAPES
from searcher.engine.search.clock import Clock
from searcher.strategies import (
    DEFAULT,
    EVALUATORS,
    SEARCHES,
    Part,
    Searcher,
    all_parts,
    offer,
    parse_strategy,
    parts_for,
    strategy_of,
)
from tests.searcher.engine.positions import snake

DUEL = Position(11, 11, (snake("a", "33 32 31"), snake("b", "77 78 79")), ((5, 5),))


def test_every_name_is_parsed() -> None:
    """search/evaluator gives that strategy with default weights; nothing gives the default one."""
    for search in SEARCHES:
        for name, evaluator in EVALUATORS.items():
            strategy = parse_strategy(f"{search}/{name}")
            assert str(strategy) == f"{search}/{name}"
            assert strategy.weights == {weight.name: weight.default for weight in evaluator.weights}
    assert parse_strategy("") == DEFAULT


@pytest.mark.parametrize(
    "text", ["paranoid", "paranoid/", "/area", "area/paranoid", "paranoid/area/area", "Paranoid/area", " "]
)
def test_other_names_are_refused(text: str) -> None:
    """The error quotes what was asked for and names what there is."""
    with pytest.raises(ValueError) as refused:
        parse_strategy(text)
    assert repr(text) in str(refused.value)
    assert all(name in str(refused.value) for name in (*SEARCHES, *EVALUATORS))


def test_given_weights_take_the_place_of_defaults() -> None:
    """The others keep theirs."""
    strategy = strategy_of(DEFAULT.search, DEFAULT.evaluator, {"hunger": 0.25})
    assert strategy.weights == {**DEFAULT.weights, "hunger": 0.25}


def test_weights_reach_the_search() -> None:
    """With all weights nought every move of an open duel is worth nothing."""
    nought = strategy_of("paranoid", "area", {"area": 0.0, "hunger": 0.0})
    hungry = strategy_of("paranoid", "area", {"area": 0.0, "hunger": 10.0})
    results = [
        Searcher().search(DUEL, strategy, Limits(depth=2), Clock(math.inf)) for strategy in (nought, hungry)
    ]
    assert results[0].score == 0.0
    assert results[1].score < 0.0


def test_there_is_a_part_for_every_shape() -> None:
    """All strategies can search every shape; the default one for most games comes first; no part is twice."""
    parts = all_parts()
    functions = {function for part in parts for function in part.functions}
    assert len(parts) == len(set(parts))
    for search, evaluator, shape in itertools.product(SEARCHES, EVALUATORS, SHAPES):
        assert functions.issuperset(Part(search, evaluator, shape).functions)
    assert str(parts[0]) == "paranoid/balanced for 8 snakes on 11x11"
    defaults = parts[: len(SHAPES)]
    assert {(part.search, part.evaluator) for part in defaults} == {(DEFAULT.search, DEFAULT.evaluator)}


def test_an_offer_of_a_few_strategies() -> None:
    """They and the default are offered, joined in any way, and parts have just the functions for that."""
    only = [parse_strategy("brs/area"), parse_strategy("brs/length")]
    searches, evaluators = offer(only)
    assert set(searches) == {DEFAULT.search, "brs"}
    assert set(evaluators) == {DEFAULT.evaluator, "area", "length"}
    functions = {function for part in all_parts(only) for function in part.functions}
    pairs = [Part(*names) for names in itertools.product(searches, evaluators, SHAPES)]
    assert functions == {function for part in pairs for function in part.functions}
    assert all_parts(only)[0] == all_parts()[0]


def test_the_parts_of_a_position() -> None:
    """Whatever holds the position, the smallest shape first; once loaded it lies in the cache."""
    parts = parts_for(DUEL, DEFAULT)
    assert [part.shape for part in parts] == list(SHAPES)
    assert set(parts) <= set(all_parts())
    parts[0].load()
    assert parts[0].is_cached()


def test_helpers_find_the_same() -> None:
    """With several threads a depth gives the same score as with one."""
    full = strategy_of("paranoid-full", "area")
    one, two = (
        Searcher().search(DUEL, full, Limits(depth=6, threads=threads), Clock(math.inf)) for threads in (1, 2)
    )
    assert (two.depth, two.stop_reason) == (one.depth, one.stop_reason)
    assert two.score == pytest.approx(one.score)
