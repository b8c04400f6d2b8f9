"""Positions of data have the values that the evaluator gives them in a search."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.data.files import Row, read_columns, write_part
from arena.data.histories import History, HistoryTurn, rows_of
from arena.learning.values import Values
from searcher.engine.rules.records import shapes_for
from searcher.positions.bench import bench_positions
from searcher.positions.move_body import position_in
from searcher.session import evaluate
from searcher.strategies import evaluators, strategy_of


@pytest.mark.rest("other board shapes")
def test_values_are_those_of_a_search(tmp_path: Path) -> None:
    """For all rules, sizes, numbers of snakes and hazards, with several sets of weights at once."""
    evaluator = evaluators()["hungry"]
    # Nothing closes in: data has the hazards as they lie.
    recorded = [position_in(body) for body in bench_positions()]
    positions = [
        replace(position, ruleset=replace(position.ruleset, shrink_every=0))
        for position in recorded
        if len(position.snakes) > 1
    ]
    rows: list[Row] = []
    for number, position in enumerate(positions):
        ids = {snake.id: 1.0 for snake in position.snakes}
        history = History(str(number), [HistoryTurn(position, {}, {})], dict.fromkeys(ids, "A"), ids)
        rows += rows_of(history)
    write_part(tmp_path / "a.parquet", rows)
    defaults = {weight.name: weight.default for weight in evaluator.weights}
    halved = {weight.name: max(weight.default / 2, weight.minimum) for weight in evaluator.weights}
    found = Values(read_columns(tmp_path), evaluator)([defaults, halved])
    for values, weights in zip(found, (defaults, halved), strict=True):
        strategy = strategy_of("paranoid", "hungry", weights)
        expected = [
            snake.value
            for position in positions
            for snake in evaluate(position, strategy, shapes_for(position)[0])
        ]
        np.testing.assert_allclose(values, expected, rtol=1e-5, atol=1e-6)
