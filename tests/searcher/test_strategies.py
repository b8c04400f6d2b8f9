"""The parsing of strategies' names."""

import pytest

from searcher.strategies import DEFAULT, SEARCHES, evaluators, parse_strategy, strategy_of


def test_every_name_is_parsed() -> None:
    """search/evaluator gives that strategy with default weights; an empty text gives the default strategy."""
    for search in SEARCHES:
        for name, evaluator in evaluators().items():
            strategy = parse_strategy(f"{search}/{name}")
            assert str(strategy) == f"{search}/{name}"
            assert strategy.weights == {weight.name: weight.default for weight in evaluator.weights}
    assert parse_strategy("") == DEFAULT


@pytest.mark.parametrize(
    "text", ["paranoid", "paranoid/", "/area", "area/paranoid", "paranoid/area/area", "Paranoid/area", " "]
)
def test_other_names_are_refused(text: str) -> None:
    """The error quotes the text and lists the valid names."""
    with pytest.raises(ValueError) as refused:
        parse_strategy(text)
    assert repr(text) in str(refused.value)
    assert all(name in str(refused.value) for name in (*SEARCHES, *evaluators()))


def test_given_weights_replace_defaults() -> None:
    """The other weights keep their defaults."""
    strategy = strategy_of(DEFAULT.search, DEFAULT.evaluator, {"hunger": 0.25})
    assert strategy.weights == {**DEFAULT.weights, "hunger": 0.25}
