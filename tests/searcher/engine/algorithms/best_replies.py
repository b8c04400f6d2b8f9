"""Best-reply searches in plain Python, without pruning: what the compiled ones are checked against."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from searcher.textbook.battlesnake.board import Board, Direction, Snake
from searcher.textbook.battlesnake.game import Battlesnake
from searcher.textbook.battlesnake.moves import candidate_moves
from searcher.textbook.battlesnake.rules import STAGES
from searcher.textbook.game import Player
from searcher.textbook.score import Score, leaf_score
from tests.searcher.engine.searches import PythonEvaluator

Replies = Callable[[Board, Player, Direction], Iterator[Board]]
"""The boards that a move of a player may lead to."""


def best_reply(game: Battlesnake, me: Player, depth: int, evaluate: PythonEvaluator) -> dict[Any, Score]:
    """BRS: each legal move with its score."""
    return _scores(game, me, game.turn + depth, evaluate, replies_among_still)


def best_reply_plus(game: Battlesnake, me: Player, depth: int, evaluate: PythonEvaluator) -> dict[Any, Score]:
    """BRS+: each legal move with its score."""
    return _scores(game, me, game.turn + depth, evaluate, replies_among_defaults)


def _scores(
    game: Battlesnake, me: Player, until: int, evaluate: PythonEvaluator, replies: Replies
) -> dict[Any, Score]:
    return {
        move: min(
            _score(type(game)(board), me, until, evaluate, replies) for board in replies(game.board, me, move)
        )
        for move in game.legal_moves(me)
    }


def _score(game: Battlesnake, me: Player, until: int, evaluate: PythonEvaluator, replies: Replies) -> Score:
    leaf = leaf_score(game, me, until, evaluate)
    return max(_scores(game, me, until, evaluate, replies).values()) if leaf is None else leaf


def replies_among_still(board: Board, me: Player, move: Direction) -> Iterator[Board]:
    """One of the others moves, the rest stand still; what stays is not worth moving onto."""
    others = [player for player in board.living if player != me]
    if not others:
        yield play_some(board, {me: move})
    for other in others:
        around = _put(board, _blocks(board, {me, other}))
        for answer in candidate_moves(around, other):
            yield play_some(board, {me: move, other: answer})


def replies_among_defaults(board: Board, me: Player, move: Direction) -> Iterator[Board]:
    """One of the others makes any move, the rest those by default."""
    defaults = {player: default_move(board, player) for player in board.living if player != me}
    yield play_some(board, {**defaults, me: move})
    for other in defaults:
        for answer in candidate_moves(board, other):
            yield play_some(board, {**defaults, me: move, other: answer})


def default_move(board: Board, player: Player) -> Direction:
    """The candidate move onto the cell with most free neighbours; of equals straight on, else the first."""
    held = {part for other in board.living for part in board.snakes[other].body[:-1]}
    body = board.snakes[player].body

    def rank(move: Direction) -> tuple[int, bool]:
        target = board.neighbour(body[0], move)
        around = [board.neighbour(target, direction) for direction in Direction]
        free = sum(board.holds(cell) and cell not in held for cell in around)
        straight = len(set(body)) > 1 and board.neighbour(body[1], move) == body[0]
        return free, straight

    return max(candidate_moves(board, player), key=rank)


def play_some(board: Board, moves: Mapping[Player, Direction]) -> Board:
    """One turn in which only the snakes of `moves` move; the other living ones stay as they are."""
    still = {player: board.snakes[player] for player in board.living if player not in moves}
    blocks, everybody = _blocks(board, set(moves)), {**dict.fromkeys(still, Direction.UP), **moves}
    for stage in STAGES:
        board = _put(stage(board, everybody), blocks)
    return replace(_put(board, still), turn=board.turn + 1)


def _blocks(board: Board, movers: set[Player]) -> dict[Player, Snake]:
    """Who doesn't move, with a body all of which is in the way: neither its first nor its last part is."""
    still = {player: board.snakes[player] for player in board.living if player not in movers}
    return {
        player: replace(snake, body=(snake.body[0], *snake.body, snake.body[-1]))
        for player, snake in still.items()
    }


def _put(board: Board, snakes: Mapping[Player, Snake]) -> Board:
    """The board with these snakes in their places."""
    return replace(
        board, snakes=tuple(snakes.get(player, snake) for player, snake in enumerate(board.snakes))
    )
