"""The score that `simultaneous` promises, by searching every joint move of every position."""

from collections.abc import Sequence
from fractions import Fraction

from searcher.engine.position import Direction, Position
from searcher.engine.search.score import DRAW, HEURISTIC_LIMIT, LOSS, heuristic, loss_at, win_at
from searcher.textbook.battlesnake import Battlesnake
from searcher.textbook.game import GameResult
from searcher.textbook.simultaneous import Solution, joint_moves, solve_matrix
from tests.searcher.engine.positions import board_of, textbook_moves
from tests.searcher.engine.searches import PythonEvaluator

MOST_COLUMNS = 64
"""With more joint moves the opponents know mine."""

Payoffs = list[list[Fraction]]


def root_payoffs(
    position: Position, depth: int, evaluate: PythonEvaluator
) -> dict[Direction, list[Fraction]]:
    """Return for each legal move the score after each joint move of the opponents."""
    game = Battlesnake(board_of(position))
    payoffs = _payoffs(game, position.you, depth, position.turn, evaluate)
    return dict(zip(textbook_moves(game.board, position.you), payoffs, strict=True))


def matrix_value(payoffs: Sequence[Sequence[Fraction]]) -> Fraction:
    """Return the value of a matrix of scores, not rounded."""
    lower = max(min(row) for row in payoffs)
    upper = min(max(column) for column in zip(*payoffs, strict=True))
    if lower == upper or lower >= HEURISTIC_LIMIT:
        return lower
    if upper < DRAW:
        return upper
    limit = HEURISTIC_LIMIT - 1
    return min(max(solution(payoffs).value, Fraction(-limit)), Fraction(limit))


def solution(payoffs: Sequence[Sequence[Fraction]]) -> Solution:
    """Return the textbook's solution of a matrix of scores."""
    return solve_matrix([[as_payoff(score) for score in row] for row in payoffs])


def as_payoff(score: Fraction) -> Fraction:
    """Return a score's payoff in mixed strategies: a loss is the negative of a win on the same turn."""
    return -(win_at(0) - (score - LOSS)) if score < DRAW else score


def _payoffs(game: Battlesnake, me: int, depth: int, start: int, evaluate: PythonEvaluator) -> Payoffs:
    replies = list(joint_moves(game, [player for player in game.to_move if player != me]))
    payoffs = [
        [_score(game.play({me: move} | reply), me, depth - 1, start, evaluate) for reply in replies]
        for move in game.legal_moves(me)
    ]
    return payoffs if len(replies) <= MOST_COLUMNS else [[min(row)] for row in payoffs]


def _score(game: Battlesnake, me: int, depth: int, start: int, evaluate: PythonEvaluator) -> Fraction:
    turns = game.turn - start
    match game.result(me):
        case GameResult.WIN:
            return Fraction(win_at(turns))
        case GameResult.LOSS:
            return Fraction(loss_at(turns))
        case GameResult.DRAW:
            return Fraction(0)
    if depth == 0:
        return Fraction(heuristic(evaluate(game, me)))
    return matrix_value(_payoffs(game, me, depth, start, evaluate))
