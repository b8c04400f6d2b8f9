"""Searches with the real engine, and the textbook's oracle for the same position."""

import time
from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits, OutcomeKind, Result, RootMove, StopReason
from searcher.engine.rules.records import Shape, shapes_for
from searcher.engine.search.clock import Clock
from searcher.engine.search.score import HEURISTIC_LIMIT, draw_at, heuristic, loss_at, win_at
from searcher.precompile.code_units import StrategyCode
from searcher.session import SearchSession
from searcher.strategies import SEARCHES, strategy_of
from searcher.textbook.battlesnake import Battlesnake, Board, play_turn
from searcher.textbook.depth_limited import Score
from searcher.textbook.game import GameResult
from searcher.textbook.multiplayer import (
    SequentialGame,
    maxn_moves,
    sequential_evaluator,
    sequential_paranoid_moves,
)
from tests.searcher.engine.positions import board_of, reached_first

PATIENCE = 60.0
"""Seconds after which a test gives up a search that should have ended by itself."""

LEAVES = 1_500
"""The most leaves that an oracle has to search."""

PythonEvaluator = Callable[[Battlesnake, int], float]


@cache
def session() -> SearchSession:
    """Return one session for all tests, so that searches follow one another in one table."""
    return SearchSession()


def search(
    position: Position,
    evaluator: str = "length",
    *,
    kind: str = "paranoid-full",
    seconds: float = PATIENCE,
    clock: Clock | None = None,
    on_depth: Callable[[Result], None] | None = None,
    shape: Shape | None = None,
    weights: Mapping[str, float] | None = None,
    **limits: Any,
) -> Result:
    """Search a position, after compiling the search algorithm `kind`; `limits` are those of Limits."""
    strategy = strategy_of(kind, evaluator, weights)
    StrategyCode(kind, evaluator, shape or shapes_for(position)[0]).load()
    clock = clock or Clock(time.monotonic() + seconds)
    return session().search(position, strategy, Limits(**limits), clock, on_depth, shape)


def number_of(root_move: RootMove) -> int:
    """Return the engine's own integer for the score of a root move."""
    if root_move.outcome is None:
        return round(root_move.score * 1_000_000)
    end = {OutcomeKind.WIN: win_at, OutcomeKind.LOSS: loss_at, OutcomeKind.DRAW: draw_at}
    return int(end[root_move.outcome.kind](root_move.outcome.turns))


_LATE = 10_000
"""The turns by which a draw counts as later than a loss on the same turn."""


class DrawsAsLateLosses(Battlesnake):
    """Battlesnake in which a draw is a loss later than every real one, as the engine ranks it."""

    @property
    def turn(self) -> int:
        """The turn; a late one if the game is drawn."""
        drawn = not self.board.living and not self.board.solo
        return self.board.turn + _LATE * drawn

    def play(self, moves: Mapping[int, str]) -> "DrawsAsLateLosses":
        """Return the game one turn later."""
        return DrawsAsLateLosses(play_turn(self.board, moves))

    def result(self, player: int) -> GameResult | None:
        """Return the result as in the game itself, but a loss in place of a draw."""
        result = Battlesnake.result(self, player)
        return GameResult.LOSS if result is GameResult.DRAW else result


PythonSearch = Callable[[Battlesnake, int, int, PythonEvaluator], Mapping[Any, Score]]
"""A search in plain Python without pruning: (game, player, depth, evaluate) -> each legal move's score."""


def maxn_turn_moves(
    game: Battlesnake, player: int, depth: int, evaluate: PythonEvaluator
) -> Mapping[Any, Score]:
    """Return the scores of the textbook's MaxN, which breaks ties against the root player."""
    return maxn_moves(SequentialGame(game, player), depth, sequential_evaluator(evaluate), against=player)


PYTHON_SEARCHES: Mapping[str, PythonSearch] = {
    "paranoid-full": sequential_paranoid_moves,
    "maxn": maxn_turn_moves,
}
"""The searches in plain Python, by the name of the search algorithm."""


def oracle(
    position: Position,
    depth: int,
    evaluate: PythonEvaluator,
    python_search: PythonSearch = sequential_paranoid_moves,
) -> dict[Direction, int]:
    """Return each legal move's score by a search in plain Python, by default the textbook's paranoid one."""
    game = DrawsAsLateLosses(board_of(position))
    scores = python_search(game, position.you, depth, rounded(evaluate))
    return {Direction[move.name]: number(score, position.turn) for move, score in scores.items()}


def rounded(evaluate: PythonEvaluator) -> PythonEvaluator:
    """Return an evaluator whose values tie where the engine's integers do."""
    return lambda game, player: heuristic(evaluate(game, player)) / HEURISTIC_LIMIT


def number(score: Score, turn: int) -> int:
    """Return the engine's own integer for a score of the textbook, seen from a turn."""
    if score.turn is None:
        return round(score.value * HEURISTIC_LIMIT)
    if score.result is GameResult.WIN:
        return int(win_at(score.turn - turn))
    late = score.turn >= _LATE
    return int(draw_at(score.turn - _LATE - turn) if late else loss_at(score.turn - turn))


def _clamped(value: float) -> float:
    return min(max(value, -1.0), 1.0)


def length(game: Battlesnake, player: int) -> float:
    """Return the value of the evaluator `length` with its default weights."""
    me, others = _me_and_others(game.board, player)
    longest = max((len(other.body) for other in others), default=0)
    healthiest = max((other.health for other in others), default=0)
    share = (len(me.body) - longest) / (len(me.body) + longest)
    return _clamped(0.8 * share + 0.2 * ((me.health - healthiest) / 100))


def area(game: Battlesnake, player: int) -> float:
    """Return the value of the evaluator `area` with its default weights."""
    mine, theirs, _ = reached_first(game.board, player)
    missing = 1.0 - game.board.snakes[player].health / 100
    cells = game.board.width * game.board.height
    return _clamped(1.0 * (mine - theirs) / cells - 0.5 * missing * missing)


def _me_and_others(board: Board, player: int) -> Any:
    return board.snakes[player], [board.snakes[other] for other in board.living if other != player]


EVALUATORS: Mapping[str, PythonEvaluator] = {"length": length, "area": area}
"""The evaluators in plain Python, by name."""


def depth_for(position: Position, random: Random, leaves: int = LEAVES) -> int:
    """Return a random depth at which the oracle has few enough leaves: at most three turns, or five.

    A snake alone is searched up to five turns deep if nothing restores its health. Where something does, ways
    of different length may lead to one position, and the table offers it the score of a deeper search, which
    the oracle does not have.
    """
    board = board_of(position)
    heals = bool(position.food) or position.ruleset.hazard_damage < 0
    replies, deepest = 2.0 ** len(board.living), 3 if len(board.living) > 1 or heals else 5
    most = 1
    while most < deepest and replies ** (most + 1) < leaves / 4:
        most += 1
    return random.randint(1, most)


def assert_agrees(position: Position, depth: int, evaluator: str, kind: str = "paranoid-full") -> None:
    """Assert that the score at the depth reached is the oracle's, the move a best one, and bounds hold."""
    result = search(position, evaluator, kind=kind, depth=depth)
    expected = oracle(position, result.depth, EVALUATORS[evaluator], PYTHON_SEARCHES[kind])
    assert_scores(result, depth, expected, bounded=SEARCHES[kind].uses_window)


def assert_scores(
    result: Result, depth: int, expected: Mapping[Direction, int], *, bounded: bool = True
) -> None:
    """Assert that a search to a depth found these scores; `bounded`: all but the best may be upper bounds."""
    best = max(expected.values())
    assert result.depth == depth or result.stop_reason in (StopReason.DECIDED, StopReason.ONLY_MOVE)
    assert number_of(result.root_moves[0]) == best
    assert result.root_moves[0].move == result.move
    assert expected[result.move] == best
    assert {found.move for found in result.root_moves} == set(expected)
    for found in result.root_moves:
        most = best if bounded else expected[found.move]
        if bounded and found.outcome is None and abs(found.score) > _UNPROVEN:
            # The upper bound is a win or a draw. It has no turns, because it proves nothing.
            assert expected[found.move] <= (most if found.score > 0 else number_of(found))
            continue
        assert expected[found.move] <= number_of(found) <= most


_UNPROVEN = 0.9999985
"""The absolute value of a score that is above it is an end of the game."""
