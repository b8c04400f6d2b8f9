"""Crowd search in plain Python without pruning, which the compiled one is checked against."""

from collections.abc import Iterable, Iterator
from typing import Any

from searcher.engine.search.score import HEURISTIC_LIMIT
from searcher.textbook.battlesnake import Battlesnake, Board, Direction, candidate_moves, play_turn
from searcher.textbook.depth_limited import leaf_score
from searcher.textbook.game import Player
from tests.searcher.engine.positions import steps_between
from tests.searcher.engine.searches import PythonEvaluator, number

NEIGHBOUR_STEPS = 3
"""The largest distance at which an opponent that leaves its likely move costs no depth."""


def crowd_moves(game: Battlesnake, me: Player, depth: int, evaluate: PythonEvaluator) -> dict[Any, int]:
    """Return each legal move's score by crowd search, as an integer of the engine."""
    return _scores(game, me, game.turn, game.turn + depth, evaluate)


def _scores(
    game: Battlesnake, me: Player, root: int, until: int, evaluate: PythonEvaluator
) -> dict[Any, int]:
    scores = {}
    for move in game.legal_moves(me):
        usual, *others = (
            _score(type(game)(board), me, root, last, evaluate)
            for board, last in searched_replies(game.board, me, move, until)
        )
        in_crowd = len(game.board.living) > 2
        scores[move] = blend(usual, min([usual, *others])) if in_crowd else min([usual, *others])
    return scores


def blend(usual: int, least: int) -> int:
    """Return the score of a move from the score after the likely reply and the least score of all replies."""
    if usual <= -HEURISTIC_LIMIT:
        return least
    return max(1 - HEURISTIC_LIMIT, (usual + least) // 2)


def _score(game: Battlesnake, me: Player, root: int, until: int, evaluate: PythonEvaluator) -> int:
    leaf = leaf_score(game, me, until, evaluate)
    return max(_scores(game, me, root, until, evaluate).values()) if leaf is None else number(leaf, root)


def searched_replies(board: Board, me: Player, move: Direction, until: int) -> Iterable[tuple[Board, int]]:
    """Return the boards after my move and each reply, and the turn until which each one is searched.

    The likely reply is first. Two replies may lead to one position, because a snake dies of both. It is
    searched until the later turn, as the table provides, unless it is evaluated at once.
    """
    found: dict[Any, tuple[Board, int]] = {}
    for after, price in replies(board, me, move):
        last = max(after.turn, until - price)
        position = after.food, tuple((snake.body, snake.health) for snake in after.snakes if snake.alive)
        key = position, last == after.turn
        found[key] = after, max(last, found.get(key, (after, last))[1])
    return found.values()


def replies(board: Board, me: Player, move: Direction) -> Iterator[tuple[Board, int]]:
    """Yield the boards after my move and each reply, and the turns of depth that the reply costs."""
    likely = {player: likely_move(board, player) for player in board.living if player != me}
    yield play_turn(board, {**likely, me: move}), 0
    for other in likely:
        price = price_of(board, me, other) if len(likely) > 1 else 0
        for reply in candidate_moves(board, other):
            if reply != likely[other]:
                yield play_turn(board, {**likely, me: move, other: reply}), price


def price_of(board: Board, me: Player, other: Player) -> int:
    """Return the turns of depth that it costs if an opponent in a crowd leaves its likely move."""
    return int(steps_between(board, board.snakes[me].head, board.snakes[other].head) > NEIGHBOUR_STEPS)


def likely_move(board: Board, player: Player) -> Direction:
    """Return the candidate move with most points; of several the first by direction."""
    return max(candidate_moves(board, player), key=lambda move: points_of(board, player, move))


def points_of(board: Board, player: Player, move: Direction) -> int:
    """Return the points of a move by the model of likely moves."""
    me, target = board.snakes[player], board.neighbour(board.snakes[player].head, move)
    around = [board.neighbour(target, direction) for direction in Direction]
    held = {part for other in board.living for part in board.snakes[other].body[:-1]}
    exits = sum(board.holds(cell) and cell not in held for cell in around)
    points = 2 * exits or -8
    points += len(set(me.body)) > 1 and board.neighbour(me.body[1], move) == me.head
    if board.food:
        food = min(board.food, key=lambda cell: (steps_between(board, me.head, cell), cell[1], cell[0]))
        points += 3 * (steps_between(board, target, food) < steps_between(board, me.head, food))
    for other in set(board.living) - {player}:
        if steps_between(board, target, board.snakes[other].head) == 1:
            points += 2 if len(board.snakes[other].body) < len(me.body) else -8
    return points
