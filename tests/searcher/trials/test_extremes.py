"""Extreme positions: the rules allow them, and they cover what recorded games seldom reach."""

from battlesnake_search.contract.rulesets import RULESETS
from searcher.engine.position import Position
from searcher.serving.translate import BoardExtent, body_faults, shared_cells
from searcher.trials.extremes import extreme_positions
from searcher.trials.outcome import SHAPE

POSITIONS = list(extreme_positions())


def parts(position: Position) -> int:
    """Return the number of parts on a board."""
    return sum(len(snake.body) for snake in position.snakes)


def test_the_rules_allow_them() -> None:
    """A searcher would accept each of them, and they fit into the shape of trials."""
    for position in POSITIONS:
        bodies = [snake.body for snake in position.snakes]
        extent = BoardExtent(position.width, position.height, position.ruleset.wrapped)
        assert not [fault for body in bodies for fault in body_faults(body, extent)]
        assert not list(shared_cells(bodies))
        assert max(position.width, position.height) <= SHAPE.stride and len(bodies) <= SHAPE.snakes


def test_every_ruleset_has_long_snakes_full_boards_and_first_turns() -> None:
    """In all rulesets but solo there are opponents, up to eight snakes."""
    for name in RULESETS:
        found = [position for position in POSITIONS if position.ruleset.name == name]
        lengths = {len(position.snakes[0].body) for position in found}
        assert {3, 17, 40, 90, 121} <= lengths
        assert any(parts(position) == position.width * position.height for position in found)
        assert max(len(position.snakes) for position in found) == (1 if name == "solo" else 8)
        assert any(position.turn == 0 for position in found)
