"""The measured time of an evaluation."""

from tests.searcher.command_line import run

MEASURE = """
from searcher.strategies import evaluators
from searcher.trials.speed import nanoseconds_of

print(*(nanoseconds_of(evaluators()[name]) for name in ("length", "area")))
"""


def test_an_evaluator_that_does_more_takes_longer() -> None:
    """`length` reads two numbers, and `area` floods the board."""
    little, much = map(float, run("-c", MEASURE).stdout.split())
    assert 0.5 < little < much < 1e6
