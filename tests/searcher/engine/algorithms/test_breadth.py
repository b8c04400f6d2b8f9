"""The compiled search `breadth` against its definition in plain Python, and the ends that it proves."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pytest
from hypothesis import example, given, settings

from searcher.engine.position import Direction, Position
from searcher.engine.result import Outcome, OutcomeKind, StopReason
from searcher.engine.rules.records import shapes_for
from searcher.engine.search.score import HEURISTIC_LIMIT, draw_at, heuristic, loss_at, win_at
from searcher.textbook.battlesnake import Battlesnake
from searcher.textbook.game import GameResult
from tests.searcher.engine.positions import board_of, random_position, randoms, recorded_positions, snake
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


@pytest.mark.parametrize("evaluator", EVALUATORS)
def test_recorded_positions(evaluator: str) -> None:
    """In positions of real games with any number of snakes every score is the definition's."""
    for position in recorded_positions(every=200):
        assert_agrees(position, 2 if len(position.snakes) <= 2 else 1, evaluator)


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


@settings(max_examples=40)
@given(randoms())
def test_wins_of_duels_are_found(random: Random) -> None:
    """In a duel the best move has a forced win exactly if the paranoid search finds one as early."""
    position = random_position(random, (2, 2), sizes=(3, 7), parts=(3, 12))
    # With root moves given, the search goes on where only one of them is left.
    one, other = (
        search(position, "area", kind=kind, depth=5, root_moves=tuple(Direction))
        for kind in ("breadth", "paranoid-full")
    )
    assert won_in(one.root_moves[0].outcome) == won_in(other.root_moves[0].outcome)


def won_in(outcome: Outcome | None) -> int | None:
    """Return the turns to a proven win; None if there is none."""
    return outcome.turns if outcome is not None and outcome.kind is OutcomeKind.WIN else None


FORCED_WIN = Position(
    5,
    7,
    (snake("a", "24 23 22 32 33 34"), snake("b", "05 15 25 26 36 35 45 46", 53)),
    ((0, 0), (4, 4), (2, 0)),
)
"""A duel in which the first snake follows the second one down the edge."""

SHUT_IN = snake("a", "20 21 31 41 51 50 60 61 62 52 42 32 22 12 11 01 02 03 13 23 33")
"""A snake shut in with two cells on its left and two on its right."""


OTHER = snake("b", "66 65 64")


def test_a_forced_win() -> None:
    """A forced win is found, and the principal variation leads to it."""
    result = search(FORCED_WIN, "balanced", kind="breadth")
    assert result.stop_reason is StopReason.DECIDED
    assert won_in(result.root_moves[0].outcome) == len(result.principal_variation) == result.depth > 1


def test_a_forced_loss() -> None:
    """A forced loss is found, and the principal variation lasts as long as the snake lives."""
    result = search(Position(7, 7, (SHUT_IN, OTHER)), "balanced", kind="breadth")
    assert result.stop_reason is StopReason.DECIDED
    assert [found.outcome for found in result.root_moves] == [Outcome(OutcomeKind.LOSS, 3)] * 2
    assert len(result.principal_variation) == 3


DUEL = Position(11, 11, (snake("a", "22 23 24"), snake("b", "88 87 86")), ((5, 5), (0, 9), (9, 0)))


def test_searches_repeat_exactly_with_any_number_of_threads() -> None:
    """Scores, principal variation and counts at a depth are the same each time."""
    for position in (DUEL, *recorded_positions(every=100)):
        first, *others = [
            search(position, "balanced", kind="breadth", depth=3, threads=threads) for threads in (1, 1, 2, 5)
        ]
        for other in others:
            assert (other.depth, other.nodes, other.evaluations) == (
                first.depth,
                first.nodes,
                first.evaluations,
            )
            assert other.root_moves == first.root_moves
            assert other.principal_variation == first.principal_variation


@settings(max_examples=30)
@given(randoms())
def test_every_shape_searches_the_same(random: Random) -> None:
    """The scores at a depth are the same in every shape that holds the position."""
    position = random_position(random, (2, 2), (3, 11), parts=(2, 12))
    shapes = shapes_for(position)
    one, other = (search(position, "area", kind="breadth", depth=3, shape=shape) for shape in shapes)
    assert one.root_moves == other.root_moves


def test_replies_are_not_multiplied() -> None:
    """A turn has as many replies as the opponent with most moves has moves, whatever the number of snakes."""
    crowd = Position(11, 11, tuple(snake(str(x), f"{x}5 {x}4 {x}3") for x in (0, 2, 4, 6, 8)))
    result = search(crowd, "length", kind="breadth", depth=1)
    assert result.nodes == 2 * 3


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
