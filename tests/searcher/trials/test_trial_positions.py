"""Extreme positions: the rules allow them, and they cover what recorded games seldom reach."""

from searcher.serving.translate import BoardExtent, body_faults, shared_cells
from searcher.trials.outcome import SHAPE
from searcher.trials.trial import extreme_positions

POSITIONS = list(extreme_positions())


def test_the_rules_allow_them() -> None:
    """A searcher would accept each of them, and they fit into the shape of trials."""
    for position in POSITIONS:
        bodies = [snake.body for snake in position.snakes]
        extent = BoardExtent(position.width, position.height, position.ruleset.wrapped)
        assert not [fault for body in bodies for fault in body_faults(body, extent)]
        assert not list(shared_cells(bodies))
        assert max(position.width, position.height) <= SHAPE.stride and len(bodies) <= SHAPE.snakes
