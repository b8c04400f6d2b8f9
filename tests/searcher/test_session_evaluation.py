"""Evaluations without a search."""

import math
from dataclasses import replace

import pytest

from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import shapes_for
from searcher.interface import Evaluator, SnakeEvaluation, Weight
from searcher.session import evaluate
from searcher.strategies import strategy_of
from tests.searcher.engine.positions import recorded_positions
from tests.searcher.evaluators.test_contract import EVALUATORS, value

POSITION = max(recorded_positions(), key=lambda position: len(position.snakes))


def evaluated(name: str, **weights: float) -> tuple[SnakeEvaluation, ...]:
    """Return the evaluations of a position by an evaluator."""
    return evaluate(POSITION, strategy_of("paranoid", name, weights), shapes_for(POSITION)[0])


@pytest.mark.parametrize("name", EVALUATORS)
def test_values_are_those_of_the_evaluator(name: str) -> None:
    """Each snake has the evaluator's value, with and without each weight."""
    weights, packed = EVALUATORS[name].weights, pack(POSITION)
    defaults = [weight.default for weight in weights]
    for snake, found in enumerate(evaluated(name)):
        assert found.value == value(EVALUATORS[name], packed, defaults, snake)
        assert found.score == pytest.approx(min(max(found.value, -1.0), 1.0), abs=1e-5)
        assert [effect.name for effect in found.weights] == [weight.name for weight in weights]
        for number, (weight, effect) in enumerate(zip(weights, found.weights, strict=True)):
            instead = 0.0 if weight.minimum <= 0.0 <= weight.maximum else weight.minimum
            without = [*defaults[:number], instead, *defaults[number + 1 :]]
            assert (effect.weight, effect.replacement) == (weight.default, instead)
            assert effect.value_without == value(EVALUATORS[name], packed, without, snake)


def of_weights(game, board, weights, snake):  # type: ignore[no-untyped-def]
    """Return the square root of a weight, which is not a number below 0, times another one."""
    return math.sqrt(weights.values[0]) * weights.values[1]


@pytest.mark.parametrize(
    ("root", "factor", "expected"),
    [(4.0, 0.25, (0.5, 0.5)), (4.0, 3.0, (1.0, 6.0)), (-1.0, 1.0, (0.0, 0.0))],
    ids=["inside", "outside", "no number"],
)
def test_a_score_is_a_value_within_bounds(
    monkeypatch: pytest.MonkeyPatch, root: float, factor: float, expected: tuple[float, float]
) -> None:
    """A score lies within -1 and 1, and counts what is not a number as 0; bounds above 0 replace 0."""
    weights = Weight("root", 4.0, -9.0, 9.0, "Root."), Weight("factor", 1.0, 0.5, 3.0, "Factor.")
    evaluator = Evaluator("rooted", "Of its weights.", weights, of_weights)
    monkeypatch.setattr("searcher.session.evaluators", lambda: {"rooted": evaluator})
    strategy = replace(
        strategy_of("paranoid", "area"), evaluator="rooted", weights={"root": root, "factor": factor}
    )
    found = evaluate(POSITION, strategy, shapes_for(POSITION)[0])[0]
    assert (found.score, found.value) == pytest.approx(expected, abs=2e-6)
    assert [effect.replacement for effect in found.weights] == [0.0, 0.5]
