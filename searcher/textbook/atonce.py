"""Moves made at once, searched as what they are: each turn is a matrix game.

Source: "Minimax in Battlesnake" (Corey Alexander) names the trouble, that snakes move all at once; the way
out is von Neumann's, "Zur Theorie der Gesellschaftsspiele" (1928): choose by chance, with the right odds.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from searcher.textbook.game import GameT, Player
from searcher.textbook.matrix import Solution, solve_matrix
from searcher.textbook.scores import Evaluator

DISCOUNT = 0.99
"""What is left of a score one turn later: of two sure wins the sooner one is worth more."""


def at_once_value(game: GameT, me: Player, until: int, evaluate: Evaluator[GameT]) -> float:
    """What `me` can expect, from -1 to 1, when nobody knows what the others are about to do.

    Source: von Neumann. Adds to `inturn` that no choice is known before all are made, so `me` may hope for
    more than if the others knew. All others act as one side against me. Chances don't mix with the ordered
    scores of `scores`, so these are plain numbers that decay by DISCOUNT a turn.
    """
    result = game.result(me)
    if result is not None:
        return float(result)
    if game.turn >= until:
        return evaluate(game, me)
    return float(at_once_solution(game, me, until, evaluate).value)


def at_once_solution(game: GameT, me: Player, until: int, evaluate: Evaluator[GameT]) -> Solution:
    """The matrix game of one turn: a row for each of my moves, a column for each joint move of the others.

    Source: von Neumann. Adds to `matrix` that an entry is itself the value of the matrix of the turn after.
    """
    replies = list(joint_moves(game, [player for player in game.to_move if player != me]))
    payoffs = [
        [DISCOUNT * at_once_value(game.play(mine | reply), me, until, evaluate) for reply in replies]
        for mine in joint_moves(game, [player for player in game.to_move if player == me])
    ]
    return solve_matrix(payoffs)


def joint_moves(game: GameT, players: list[Player]) -> Iterator[dict[Player, Any]]:
    """Every combination of a move for each of `players`; one empty combination if there are none."""
    for moves in product(*(game.legal_moves(player) for player in players)):
        yield dict(zip(players, moves, strict=True))


def at_once_strategy(game: GameT, me: Player, depth: int, evaluate: Evaluator[GameT]) -> Mapping[Any, float]:
    """How often to play each legal move of `me`, `depth` turns (at least 1) looked ahead."""
    chances = at_once_solution(game, me, game.turn + depth, evaluate).rows
    return {move: float(chance) for move, chance in zip(game.legal_moves(me), chances, strict=True)}
