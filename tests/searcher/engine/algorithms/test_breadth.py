"""The compiled search `breadth` against its definition in plain Python, and the ends that it proves."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import example, given, settings

from searcher.engine.position import Direction, Position
from searcher.engine.result import OutcomeKind, StopReason
from searcher.engine.search.score import HEURISTIC_LIMIT, draw_at, heuristic, loss_at, win_at
from searcher.textbook.battlesnake import Battlesnake
from searcher.textbook.game import GameResult
from tests.searcher.engine.algorithms.test_every_search import DUEL, facts
from tests.searcher.engine.positions import board_of, random_position, randoms, recorded_positions
from tests.searcher.engine.searches import EVALUATORS, PythonEvaluator, number_of, oracle, search

WORST, BEST = 1 - HEURISTIC_LIMIT, HEURISTIC_LIMIT - 1


@dataclass(frozen=True)
class Definition:
    """The scores by the definition in `breadth`, for one snake of a position."""

    root: Battlesnake
    you: int
    evaluate: PythonEvaluator

    def moves(self, game: Battlesnake, depth: int) -> dict[Direction, int]:
        """Return the score of each of my legal moves."""
        legal = game.legal_moves(self.you)
        return {Direction[move.name]: self.of_move(game, move, depth) for move in legal}

    def of_move(self, game: Battlesnake, move: str, depth: int) -> int:
        """Return the score of one of my moves."""
        legal = {other: game.legal_moves(other) for other in self.opponents(game)}
        replies = max((len(moves) for moves in legal.values()), default=1)
        scores = []
        for number in range(replies):
            joint = {other: moves[number % len(moves)] for other, moves in legal.items()}
            scores.append(self.of_position(game.play({**joint, self.you: move}), depth - 1))
        complete = sum(len(moves) > 1 for moves in legal.values()) <= 1
        if max(scores) < WORST or (min(scores) > BEST and complete):
            return min(scores)
        cut = [min(max(score, WORST), BEST) for score in scores]
        return (sum(cut) + 3 * replies * min(cut)) // (4 * replies)

    def of_position(self, game: Battlesnake, depth: int) -> int:
        """Return the score of a position."""
        result = game.result(self.you)
        if result is not None:
            end = {GameResult.WIN: win_at, GameResult.DRAW: draw_at, GameResult.LOSS: loss_at}[result]
            return int(end(game.turn - self.root.turn))
        static = int(heuristic(self.evaluate(game, self.you)))
        before = len(self.opponents(self.root))
        died = before - len(self.opponents(game))
        if died:
            static += (HEURISTIC_LIMIT - static) * died // (2 * before)
        if depth == 0:
            return static
        best = max(self.moves(game, depth).values())
        return best if abs(best) > BEST else (static + depth * best) // (depth + 1)

    def opponents(self, game: Battlesnake) -> list[int]:
        """Return the living opponents."""
        return [player for player in game.board.living if player != self.you]


def assert_agrees(position: Position, depth: int, evaluator: str) -> None:
    """Assert that every move has the definition's score at the depth reached, and the best is played."""
    result = search(position, evaluator, kind="breadth", depth=depth)
    definition = Definition(Battlesnake(board_of(position)), position.you, EVALUATORS[evaluator])
    expected = definition.moves(definition.root, result.depth)
    assert result.depth == depth or result.stop_reason in (StopReason.DECIDED, StopReason.ONLY_MOVE)
    assert {found.move: number_of(found) for found in result.root_moves} == expected
    assert expected[result.move] == max(expected.values())


@pytest.mark.parametrize("evaluator", EVALUATORS)
@settings(max_examples=120)
@given(random=randoms())
# All replies that are searched are won, but there are others.
@example(random=Random(72595252))
def test_random_positions(evaluator: str, random: Random) -> None:
    """On crowded boards of 1 to 4 snakes, whatever the rules, every score is the definition's."""
    snakes = random.choice([(1, 1), (2, 2), (2, 2), (3, 4)])
    position = random_position(random, snakes, sizes=(3, 6), parts=(2, 9))
    assert_agrees(position, random.randint(1, 3), evaluator)


@settings(max_examples=80)
@given(randoms())
def test_proven_ends_are_true(random: Random) -> None:
    """A proven win holds against all replies, even those not searched; a loss can be forced as early."""
    position = random_position(random, (2, 4), sizes=(3, 5), parts=(3, 9))
    result = search(position, "length", kind="breadth", depth=2)
    paranoid = oracle(position, result.depth, EVALUATORS["length"])
    for found in result.root_moves:
        if found.outcome is not None and found.outcome.kind is OutcomeKind.WIN:
            assert paranoid[found.move] >= number_of(found)
        elif found.outcome is not None:
            assert paranoid[found.move] <= number_of(found)


def test_searches_repeat_exactly_with_any_number_of_threads() -> None:
    """Scores, principal variation and counts at a depth are the same each time."""
    for position in (DUEL, *recorded_positions(every=100)):
        first, *others = [
            search(position, "balanced", kind="breadth", depth=3, threads=threads) for threads in (1, 1, 2, 5)
        ]
        for other in others:
            assert facts(other) == facts(first)


def cut_short(position: Position) -> Iterator[tuple[int, int]]:
    """Yield limits of nodes within four turns, and the depth that is complete at each."""
    complete: list[int] = []
    search(position, "area", kind="breadth", depth=4, on_depth=lambda state: complete.append(state.nodes))
    for nodes in (*range(1, min(complete[-1], 20)), *range(20, complete[-1], complete[-1] // 20 + 1)):
        yield nodes, sum(each <= nodes for each in complete)


def test_all_directions_are_searched_to_the_same_depth() -> None:
    """At any limit the scores are those of the last complete depth, except for proven ends."""
    source = Random(3)
    for position in [random_position(source, (2, 3), (5, 7), parts=(3, 12)) for _ in range(30)]:
        for nodes, depth in cut_short(position):
            result = search(position, "area", kind="breadth", nodes=nodes)
            assert result.depth == depth
            assert all(found.depth == depth for found in result.root_moves if found.outcome is None)
            scores = [number_of(found) for found in result.root_moves]
            assert scores == sorted(scores, reverse=True)
