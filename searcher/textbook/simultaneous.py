"""Simultaneous moves, searched as what they are: each turn is a matrix game.

Source: "Minimax in Battlesnake" (Corey Alexander) names the problem: snakes move at the same time. The
solution is von Neumann's, "Zur Theorie der Gesellschaftsspiele" (1928): choose at random, with the right
probabilities.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from searcher.textbook.game import GameT, Player
from searcher.textbook.matrix import Solution, solve_matrix
from searcher.textbook.score import Evaluator

DISCOUNT = 0.99
"""The factor by which a value shrinks with each turn: of two sure wins the earlier one is worth more."""


def simultaneous_value(game: GameT, me: Player, limit: int, evaluate: Evaluator[GameT]) -> float:
    """Return the expected value for `me`, from -1 to 1, when nobody knows what the opponents will play.

    Source: von Neumann. Adds to `sequential` that no choice is known before all are made, so `me` can expect
    at least as much as against opponents who know my move. All opponents act as one side against me.
    Probabilities don't mix with the ordered scores of `score`, so values are plain numbers, discounted by
    DISCOUNT a turn.
    """
    result = game.result(me)
    if result is not None:
        return float(result)
    if game.turn >= limit:
        return evaluate(game, me)
    return float(simultaneous_solution(game, me, limit, evaluate).value)


def simultaneous_solution(game: GameT, me: Player, limit: int, evaluate: Evaluator[GameT]) -> Solution:
    """Solve the matrix game of one turn: a row for each of my moves, a column for each joint reply.

    Source: von Neumann. Adds to `matrix` that each entry is itself the value of the next turn's matrix.
    """
    replies = list(joint_moves(game, [player for player in game.to_move if player != me]))
    payoffs = [
        [DISCOUNT * simultaneous_value(game.play(mine | reply), me, limit, evaluate) for reply in replies]
        for mine in joint_moves(game, [player for player in game.to_move if player == me])
    ]
    return solve_matrix(payoffs)


def joint_moves(game: GameT, players: list[Player]) -> Iterator[dict[Player, Any]]:
    """Yield every combination of one move for each of `players`; a single empty one if there are none."""
    for moves in product(*(game.legal_moves(player) for player in players)):
        yield dict(zip(players, moves, strict=True))


def simultaneous_strategy(
    game: GameT, me: Player, depth: int, evaluate: Evaluator[GameT]
) -> Mapping[Any, float]:
    """Return the probability of each legal move of `me`, `depth` turns (at least 1) deep."""
    probabilities = simultaneous_solution(game, me, game.turn + depth, evaluate).rows
    moves = game.legal_moves(me)
    return {move: float(probability) for move, probability in zip(moves, probabilities, strict=True)}
