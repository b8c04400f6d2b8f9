"""Length and health against the longest and the healthiest of the others."""

from typing import Any

from searcher.toolkit import MAX_HEALTH, Weight, is_alive

DESCRIPTION = "My length and health against the others' best."

WEIGHTS = (
    Weight("length", 0.8, 0.0, 10.0, "of my length against the longest other's, as a share of both"),
    Weight("health", 0.2, 0.0, 10.0, "of my health less the best of the others', as a share of full health"),
)
LENGTH, HEALTH = range(len(WEIGHTS))


def evaluate(game: Any, board: Any, weights: Any, snake: int) -> float:
    """From -1 to 1, for a living snake."""
    longest, healthiest = 0, 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            longest = max(longest, board.length[other])
            healthiest = max(healthiest, board.health[other])
    length = (board.length[snake] - longest) / (board.length[snake] + longest)
    health = (board.health[snake] - healthiest) / MAX_HEALTH
    return weights.values[LENGTH] * length + weights.values[HEALTH] * health
