"""The scores of root moves: exact ones, and upper bounds with their marks."""

import math

import pytest

from searcher.engine.position import Position
from searcher.engine.result import Limits, OutcomeKind, Result, ScoreKind, Scores, StopReason
from searcher.engine.search.clock import Clock
from searcher.session import SearchSession
from searcher.strategies import strategy_of
from tests.searcher.engine.positions import recorded_positions, snake

DEPTH = 4

POSITIONS = [each for each in recorded_positions(every=7, large=False) if len(each.snakes) > 1][:12]

CORRIDOR = Position(5, 5, (snake("a", "00 10 20"), snake("b", "34 44 43")))
"""The first snake has one legal move."""


def searched(position: Position, limits: Limits, search: str = "paranoid-full") -> Result:
    """Return the result of a search."""
    return SearchSession().search(position, strategy_of(search, "area"), limits, Clock(math.inf))


def test_each_move_has_the_score_of_a_search_of_its_own() -> None:
    """A search for a move has an upper bound for some of these moves."""
    bounds = 0
    for position in POSITIONS:
        exact = searched(position, Limits(depth=DEPTH, scores=Scores.ALL))
        played = {each.move: each for each in searched(position, Limits(depth=DEPTH)).root_moves}
        assert not any(each.score_kind is ScoreKind.UPPER_BOUND for each in exact.root_moves)
        for each in exact.root_moves:
            alone = searched(position, Limits(depth=DEPTH, root_moves=(each.move,)))
            assert (each.score, each.outcome) == (alone.score, alone.root_moves[0].outcome)
            if each.move not in played or played[each.move].depth < DEPTH:
                continue
            if played[each.move].score_kind is ScoreKind.UPPER_BOUND:
                bounds += 1
                assert each.score <= played[each.move].score
            else:
                assert each.score == played[each.move].score
    assert bounds


@pytest.mark.parametrize("search", ["paranoid", "crowd", "brs", "maxn", "breadth", "mcts"])
def test_every_search_has_exact_scores(search: str) -> None:
    """The moves are sorted by them, the best move has its line, and a repeated search has the same scores."""
    for position in POSITIONS[:4]:
        first, second = (searched(position, Limits(nodes=3000, scores=Scores.ALL), search) for _ in range(2))
        assert first.root_moves == second.root_moves
        assert not any(each.score_kind is ScoreKind.UPPER_BOUND for each in first.root_moves)
        assert first.root_moves[0].move == first.move
        assert first.principal_variation[0][position.you] == first.move
        if search != "mcts":
            scores = [each.score for each in first.root_moves]
            assert scores == sorted(scores, reverse=True)
            depths = {each.depth for each in first.root_moves if each.outcome is None}
            assert len(depths) <= 1


def test_a_loss_is_exact() -> None:
    """No score is lower."""
    lost = Position(5, 5, (snake("a", "00 01 11 10 20 21 22"), snake("b", "44 43 42")))
    for limits in (Limits(depth=6), Limits(depth=6, scores=Scores.ALL)):
        for each in searched(lost, limits).root_moves:
            assert each.outcome is not None and each.outcome.kind is OutcomeKind.LOSS
            assert each.score_kind is not ScoreKind.UPPER_BOUND


def test_an_only_move_is_searched() -> None:
    """A move of a game needs no deeper search then."""
    played, exact = (
        searched(CORRIDOR, Limits(depth=DEPTH, scores=each)) for each in (Scores.BEST, Scores.ALL)
    )
    assert (played.depth, played.stop_reason) == (1, StopReason.ONLY_MOVE)
    assert (exact.depth, exact.stop_reason) == (DEPTH, StopReason.DEPTH)


def test_a_search_for_losses_proves_the_same_losses() -> None:
    """It has no scores of other moves, and needs fewer nodes."""
    nodes = [0, 0]
    kinds = set()
    for position in POSITIONS:
        exact, losses = (
            searched(position, Limits(depth=DEPTH, scores=each)) for each in (Scores.ALL, Scores.LOSSES)
        )
        nodes[0] += exact.nodes
        nodes[1] += losses.nodes
        lost = {
            each.move: each.outcome
            for each in exact.root_moves
            if each.outcome and each.outcome.kind is OutcomeKind.LOSS
        }
        for each in losses.root_moves:
            kinds.add(each.score_kind)
            assert (each.score_kind is ScoreKind.LOWER_BOUND) == (each.move not in lost)
            assert each.outcome is None or each.outcome.turns <= DEPTH
            assert (each.score_kind is ScoreKind.LOWER_BOUND) == (each.outcome is None)
    assert kinds == {ScoreKind.EXACT, ScoreKind.LOWER_BOUND}
    assert nodes[1] < nodes[0]
