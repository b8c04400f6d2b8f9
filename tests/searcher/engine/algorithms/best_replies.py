"""Best-reply search in plain Python without pruning, which the compiled one is checked against."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from searcher.textbook.battlesnake import (
    MAX_HEALTH,
    STAGES,
    Battlesnake,
    Board,
    Direction,
    Snake,
    candidate_moves,
)
from searcher.textbook.depth_limited import Score, leaf_score
from searcher.textbook.game import Player
from tests.searcher.engine.searches import PythonEvaluator


def best_reply(game: Battlesnake, me: Player, depth: int, evaluate: PythonEvaluator) -> dict[Any, Score]:
    """Return each legal move's score by BRS."""
    return _scores(game, me, game.turn + depth, evaluate)


def _scores(game: Battlesnake, me: Player, until: int, evaluate: PythonEvaluator) -> dict[Any, Score]:
    return {
        move: min(
            _score(type(game)(board), me, until, evaluate) for board in still_replies(game.board, me, move)
        )
        for move in game.legal_moves(me)
    }


def _score(game: Battlesnake, me: Player, until: int, evaluate: PythonEvaluator) -> Score:
    leaf = leaf_score(game, me, until, evaluate)
    return max(_scores(game, me, until, evaluate).values()) if leaf is None else leaf


def still_replies(board: Board, me: Player, move: Direction) -> Iterator[Board]:
    """Yield the boards after one opponent's reply, while the rest stand still and block their cells."""
    others = [player for player in board.living if player != me]
    if not others:
        yield play_some(board, {me: move})
    for other in others:
        # A snake that stands still does not starve.
        still = _doubled(board, {me, other}).items()
        around = _with_snakes(board, {player: replace(snake, health=MAX_HEALTH) for player, snake in still})
        for reply in candidate_moves(around, other):
            yield play_some(board, {me: move, other: reply})


def play_some(board: Board, moves: Mapping[Player, Direction]) -> Board:
    """Return the board after a turn in which only the snakes of `moves` move; the others are unchanged."""
    still = {player: board.snakes[player] for player in board.living if player not in moves}
    doubled, everybody = _doubled(board, set(moves)), {**dict.fromkeys(still, Direction.UP), **moves}
    for stage in STAGES:
        board = _with_snakes(stage(board, everybody), doubled)
    return replace(_with_snakes(board, still), turn=board.turn + 1)


def _doubled(board: Board, movers: set[Player]) -> dict[Player, Snake]:
    """Return the living snakes that don't move, each with its first and last part doubled.

    The rules let a first part collide as a head and a last part move on. The doubled parts stay as a body.
    """
    still = {player: board.snakes[player] for player in board.living if player not in movers}
    return {
        player: replace(snake, body=(snake.body[0], *snake.body, snake.body[-1]))
        for player, snake in still.items()
    }


def _with_snakes(board: Board, snakes: Mapping[Player, Snake]) -> Board:
    """Return the board with these snakes in place of the players' own."""
    return replace(
        board, snakes=tuple(snakes.get(player, snake) for player, snake in enumerate(board.snakes))
    )
