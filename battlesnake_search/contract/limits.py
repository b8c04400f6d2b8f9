"""The bounds of a position, and the evaluator of a strategy that names none."""

MAX_SIDE = 25
"""The longest side of a board, in cells."""

MAX_SNAKES = 8
"""The largest number of snakes in a position."""

FALLBACK_EVALUATOR = "balanced"
"""The evaluator of a strategy that names none."""
