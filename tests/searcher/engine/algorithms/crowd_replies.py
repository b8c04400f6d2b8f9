"""Crowd search in plain Python without pruning, which the compiled one is checked against."""

from collections.abc import Iterable, Iterator
from typing import Any

from searcher.textbook.battlesnake import Battlesnake, Board, Direction, Point, candidate_moves, play_turn
from searcher.textbook.depth_limited import Score, leaf_score
from searcher.textbook.game import Player
from tests.searcher.engine.searches import PythonEvaluator

NEIGHBOUR_STEPS = 3
"""The largest distance at which an opponent that leaves its likely move costs no depth."""


def crowd_moves(
    game: Battlesnake, me: Player, depth: int, evaluate: PythonEvaluator, trust: int = 0
) -> dict[Any, Score]:
    """Return each legal move's score by crowd search with this trust in the opponents."""
    return _scores(game, me, game.turn + depth, evaluate, trust)


def _scores(
    game: Battlesnake, me: Player, until: int, evaluate: PythonEvaluator, trust: int
) -> dict[Any, Score]:
    return {
        move: min(
            _score(type(game)(board), me, last, evaluate, trust)
            for board, last in searched_replies(game.board, me, move, until, trust)
        )
        for move in game.legal_moves(me)
    }


def _score(game: Battlesnake, me: Player, until: int, evaluate: PythonEvaluator, trust: int) -> Score:
    leaf = leaf_score(game, me, until, evaluate)
    return max(_scores(game, me, until, evaluate, trust).values()) if leaf is None else leaf


def searched_replies(
    board: Board, me: Player, move: Direction, until: int, trust: int
) -> Iterable[tuple[Board, int]]:
    """Return the boards after my move and each reply, and the turn until which each one is searched.

    Two replies may lead to one position, because a snake dies of both. It is searched until the later turn,
    as the table provides, unless it is evaluated at once.
    """
    found: dict[Any, tuple[Board, int]] = {}
    for after, price in replies(board, me, move, trust):
        last = max(after.turn, until - price)
        position = after.food, tuple((snake.body, snake.health) for snake in after.snakes if snake.alive)
        key = position, last == after.turn
        found[key] = after, max(last, found.get(key, (after, last))[1])
    return found.values()


def replies(board: Board, me: Player, move: Direction, trust: int) -> Iterator[tuple[Board, int]]:
    """Yield the boards after my move and each reply, and the turns of depth that the reply costs."""
    likely = {player: likely_move(board, player) for player in board.living if player != me}
    yield play_turn(board, {**likely, me: move}), 0
    for other in likely:
        price = price_of(board, me, other, trust) if len(likely) > 1 else 0
        for reply in candidate_moves(board, other):
            if reply != likely[other]:
                yield play_turn(board, {**likely, me: move, other: reply}), price


def price_of(board: Board, me: Player, other: Player, trust: int) -> int:
    """Return the turns of depth that it costs if an opponent in a crowd leaves its likely move."""
    steps = steps_between(board, board.snakes[me].head, board.snakes[other].head)
    return trust + int(steps > NEIGHBOUR_STEPS)


POINTS = {"straight": 1, "exit": 2, "dead end": -8, "food": 3, "prey": 2, "danger": -8}
"""The points of the model of likely moves."""


def likely_move(board: Board, player: Player) -> Direction:
    """Return the candidate move with most points; of several the first by direction."""
    return max(candidate_moves(board, player), key=lambda move: points_of(board, player, move))


def points_of(board: Board, player: Player, move: Direction) -> int:
    """Return the points of a move by the model of likely moves."""
    features = features_of(board, player, move)
    return sum(POINTS[name] * count for name, count in features.items())


def features_of(board: Board, player: Player, move: Direction) -> dict[str, int]:
    """Return what the model of likely moves counts, by the names in POINTS."""
    me, target = board.snakes[player], board.neighbour(board.snakes[player].head, move)
    around = [board.neighbour(target, direction) for direction in Direction]
    held = {part for other in board.living for part in board.snakes[other].body[:-1]}
    exits = sum(board.holds(cell) and cell not in held for cell in around)
    met = [
        len(board.snakes[other].body) < len(me.body)
        for other in board.living
        if other != player and steps_between(board, target, board.snakes[other].head) == 1
    ]
    nearer = False
    if board.food:
        food = min(board.food, key=lambda cell: (steps_between(board, me.head, cell), cell[1], cell[0]))
        nearer = steps_between(board, target, food) < steps_between(board, me.head, food)
    return {
        "straight": int(len(set(me.body)) > 1 and board.neighbour(me.body[1], move) == me.head),
        "exit": exits,
        "dead end": int(exits == 0),
        "food": int(nearer),
        "prey": met.count(True),
        "danger": met.count(False),
    }


def steps_between(board: Board, here: Point, there: Point) -> int:
    """Return the steps between two cells of the board without snakes."""
    across, along = abs(here[0] - there[0]), abs(here[1] - there[1])
    if board.rules.wrapped:
        across, along = min(across, board.width - across), min(along, board.height - along)
    return across + along
