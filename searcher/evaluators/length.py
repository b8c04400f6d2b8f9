"""Length and health compared with the longest and the healthiest opponent."""

from searcher.toolkit import MAX_HEALTH, Board, Game, Weight, Weights, is_alive

DESCRIPTION = "My length and health compared with the opponents' best."

WEIGHTS = (
    Weight("length", 0.8, 0.0, 10.0, "of my length less the longest opponent's, as a share of both"),
    Weight(
        "health", 0.2, 0.0, 10.0, "of my health less the healthiest opponent's, as a share of full health"
    ),
)
LENGTH, HEALTH = range(len(WEIGHTS))


def evaluate(game: Game, board: Board, weights: Weights, snake: int) -> float:
    """Return the value of the board for a living snake, from -1 to 1."""
    longest, healthiest = 0, 0
    for other in range(len(board.head)):
        if other != snake and is_alive(board, other):
            longest = max(longest, board.length[other])
            healthiest = max(healthiest, board.health[other])
    length = (board.length[snake] - longest) / (board.length[snake] + longest)
    health = (board.health[snake] - healthiest) / MAX_HEALTH
    return weights.values[LENGTH] * length + weights.values[HEALTH] * health
