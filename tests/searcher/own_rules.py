"""Rules of `auto` other than the project's, with strategies of their own for duels, crowds and rulesets."""

from searcher.engine.position import Position, Ruleset, Snake
from searcher.strategies import Auto, Rule

OWN = Auto(
    (
        Rule("paranoid", "solo", snakes=(1, 1)),
        Rule("mcts", "length", snakes=(2, 2), rulesets=("constrictor", "wrapped_constrictor")),
        Rule("paranoid", "area", snakes=(2, 2), side=(12, 25)),
        Rule("paranoid", "length", snakes=(2, 2)),
        Rule("brs", "balanced", snakes=(3, 8)),
        Rule("paranoid", "balanced"),
    )
)


def position_with(
    snakes: int, ruleset: str = "standard", width: int = 11, height: int = 11, apart: int = 2
) -> Position:
    """Return a position with this many snakes, each curled up in a column of its own."""
    bodies = [((number, 3),) * 3 for number in range(0, apart * snakes, apart)]
    living = tuple(Snake(f"s{number}", 90, body) for number, body in enumerate(bodies))
    return Position(width, height, living, ((0, 0),), ruleset=Ruleset(ruleset))
