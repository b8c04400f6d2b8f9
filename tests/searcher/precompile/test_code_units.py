"""The parts that strategies are compiled in."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest

from searcher import strategies
from searcher.engine.position import Position
from searcher.engine.rules.records import SHAPES, Shape
from searcher.interface import StrategyChoice
from searcher.precompile.code_units import StrategyCode, ahead_codes, all_codes, first_codes
from searcher.strategies import AUTO, FALLBACK, SEARCHES, discovered, evaluators, parse_strategy
from tests.searcher.engine.positions import snake
from tests.searcher.own_rules import OWN

pytestmark = pytest.mark.usefixtures("all_shapes")

DUEL = Position(11, 11, (snake("a", "33 32 31"), snake("b", "77 78 79")), ((5, 5),))


def names(parts: Sequence[StrategyCode]) -> list[str]:
    """Return the strategies of the parts, sorted."""
    return sorted(f"{part.search}/{part.evaluator}" for part in parts)


def test_there_is_a_part_for_every_shape() -> None:
    """All strategies can search every shape, and no unit is repeated."""
    units = all_codes()
    functions = {function for unit in units for function in unit.functions}
    assert len(units) == len(set(units))
    for search, evaluator, shape in itertools.product(SEARCHES, evaluators(), SHAPES):
        assert functions.issuperset(StrategyCode(search, evaluator, shape).functions)


def test_evaluators_that_share_a_function_have_units_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them is tried and remembered by its name."""
    twin = replace(evaluators()["area"], name="twin")
    monkeypatch.setitem(discovered().evaluators, "twin", twin)
    assert {unit.evaluator for unit in all_codes()} == {None, *evaluators()}


def test_the_first_parts_play_auto_on_11x11(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are all strategies that `auto` may choose, on the shape that holds every game on 11x11."""
    monkeypatch.setattr(strategies, "AUTO", OWN)
    first = first_codes()
    assert names(first) == sorted(map(str, OWN.strategies))
    assert [(part.shape.snakes, part.shape.stride) for part in first] == [(8, 11)] * len(first)
    assert ahead_codes()[: len(first)] == first
    assert ahead_codes([FALLBACK])[: len(first)] == first


def test_a_few_parts_are_compiled_ahead() -> None:
    """They are the strategies of `auto` and the given ones, on the shapes of the platform's games.

    Shapes for all snakes come first. A shape for few snakes has only the strategies for so many snakes.
    """
    shapes = list(dict.fromkeys(part.shape for part in ahead_codes()))
    assert shapes == [Shape(11, 11, 8), Shape(19, 21, 8), Shape(11, 11, 4), Shape(11, 11, 2)]
    every = sorted(map(str, AUTO.strategies))
    duels, four = ["mcts/area", "paranoid/hungry", "paranoid/solo"], ["crowd/hungry", "mcts/area"]
    choices: list[StrategyChoice] = [AUTO, parse_strategy("brs/area")]
    for played, more in (choices[:0], []), (choices, ["brs/area"]):
        found = ahead_codes(played)
        on_shape = [names([part for part in found if part.shape == shape]) for shape in shapes]
        assert on_shape == [sorted([*each, *more]) for each in (every, every, four, duels)]
