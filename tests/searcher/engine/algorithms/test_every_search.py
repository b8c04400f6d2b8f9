"""The promises of every search algorithm: legal moves, in time, repeatable, and right about forced ends."""

import math
import threading

import pytest

from searcher.engine.position import Direction, Position, Ruleset
from searcher.engine.result import OutcomeKind, Result, StopReason
from searcher.engine.search.clock import Clock
from searcher.strategies import SEARCHES
from tests.searcher.engine.positions import board_of, each_size, recorded_positions, snake, textbook_moves
from tests.searcher.engine.searches import search

UP, DOWN, LEFT, RIGHT = Direction

GENEROUS = 5.0
"""Seconds within which a search stops at its limit, on any machine."""

DUEL = Position(11, 11, (snake("a", "33 32 31 30"), snake("b", "77 78 79 69")), ((5, 5), (0, 9)))
CROWD = Position(
    11,
    11,
    (snake("a", "33 32 31 30"), snake("b", "77 78 79 69"), snake("c", "37 38 39"), snake("d", "73 72 71")),
    ((5, 5), (0, 9)),
    you=2,
)
ALONE = Position(7, 7, (snake("a", "33 32 31"),), ((0, 0),), ruleset=Ruleset("solo"))

WON = Position(7, 7, (snake("a", "44 45 46"), snake("boxed", "00 01 11 10 20")))
"""The opponent is shut in and dies on the next turn, whatever I play."""

LOST = Position(
    7,
    7,
    (
        snake("a", "20 21 31 41 40 50 51 52 42 32 22 12 11 01 02 03 13 23 33 43 53"),
        snake("b", "66 65 64"),
    ),
)
"""The snake to move is shut in with two cells on its left and one on its right."""

THREADS = pytest.mark.parametrize("threads", [1, 2])
every_search = pytest.mark.parametrize("kind", SEARCHES)


def facts(result: Result) -> tuple[object, ...]:
    """Return all of a result that doesn't depend on time."""
    return (
        result.move,
        result.score,
        result.depth,
        result.nodes,
        result.evaluations,
        result.root_moves,
        result.principal_variation,
    )


@every_search
@pytest.mark.parametrize("position", [DUEL, CROWD, ALONE], ids=["duel", "crowd", "alone"])
def test_repeats_exactly(kind: str, position: Position) -> None:
    """One thread with the same seed and limit of nodes repeats the answer and the counts."""
    first, second = (search(position, kind=kind, nodes=3_000, seed=7) for _ in range(2))
    assert first.depth >= 1
    assert facts(first) == facts(second)


@every_search
@each_size
def test_legal_moves_at_any_limit(kind: str, large: bool) -> None:
    """In positions of real games the answer is a legal move at any limit of nodes, and the limit holds."""
    positions = recorded_positions(every=140, large=large)
    assert positions
    for position in positions:
        for nodes in (1, 300):
            result = search(position, kind=kind, nodes=nodes)
            assert result.move in textbook_moves(board_of(position), position.you)
            assert result.nodes <= nodes


@every_search
def test_exactly_as_many_nodes(kind: str) -> None:
    """A search of one thread that is not decided counts exactly as many nodes as its limit allows."""
    for nodes in (1, 2, 5, 63, 64, 65, 511, 512, 513, 5_000):
        for position in (DUEL, CROWD):
            result = search(position, kind=kind, nodes=nodes)
            assert (result.nodes, result.stop_reason) == (nodes, StopReason.NODES)


@every_search
@THREADS
def test_in_time(kind: str, threads: int) -> None:
    """The search ends soon after its deadline, with completed depths."""
    for position in (DUEL, CROWD):
        result = search(position, kind=kind, seconds=0.1, threads=threads)
        assert result.stop_reason is StopReason.DEADLINE
        assert result.depth >= 1
        assert result.elapsed < 0.1 + GENEROUS


@every_search
@THREADS
def test_no_time_at_all(kind: str, threads: int) -> None:
    """With the deadline in the past nothing is searched, and the answer is still a legal move."""
    for position in (DUEL, CROWD, ALONE, *recorded_positions(every=200, large=False)):
        result = search(position, kind=kind, seconds=-1.0, threads=threads)
        assert (result.stop_reason, result.depth, result.nodes) == (StopReason.DEADLINE, 0, 0)
        assert (result.score, result.root_moves, result.principal_variation) == (0.0, (), ())
        assert result.move in textbook_moves(board_of(position), position.you)


@every_search
@THREADS
def test_stopped_from_another_thread(kind: str, threads: int) -> None:
    """A search without any limit ends soon after its clock is stopped."""
    clock = Clock(math.inf)
    timer = threading.Timer(0.05, clock.stop)
    timer.start()
    result = search(DUEL, kind=kind, clock=clock, threads=threads)
    timer.join()
    assert result.stop_reason is StopReason.CANCELLED
    assert result.elapsed < 0.05 + GENEROUS


@every_search
@pytest.mark.parametrize("given_moves", [(UP,), (LEFT, DOWN), (RIGHT, LEFT, DOWN)])
def test_only_the_given_root_moves(kind: str, given_moves: tuple[Direction, ...]) -> None:
    """Only the given root moves are scored and played, an illegal one only if no other is given."""
    position = Position(11, 11, (snake("a", "55"), snake("b", "88 87 86")))
    for seed in (0, 3):
        result = search(position, kind=kind, nodes=500, seed=seed, root_moves=given_moves)
        assert result.move in given_moves
        assert {found.move for found in result.root_moves} <= set(given_moves)
    assert search(DUEL, kind=kind, nodes=100, root_moves=(DOWN, LEFT)).move is LEFT
    assert search(DUEL, kind=kind, nodes=100, root_moves=(DOWN,)).move is DOWN


@every_search
def test_a_forced_win_is_found(kind: str) -> None:
    """If the opponent must die on the next turn, the result is a win in one."""
    result = search(WON, kind=kind, depth=3)
    best = result.root_moves[0]
    assert best.outcome is not None
    assert (best.outcome.kind, best.outcome.turns, result.score) == (OutcomeKind.WIN, 1, 1.0)


@every_search
def test_the_longest_loss_is_played(kind: str) -> None:
    """If every move loses, the answer is the move that survives longer."""
    for seed in range(4):
        result = search(LOST, kind=kind, depth=5, seed=seed)
        assert result.move is LEFT
        kinds = {found.outcome.kind for found in result.root_moves if found.outcome is not None}
        assert kinds == {OutcomeKind.LOSS}


@every_search
def test_the_result_is_complete(kind: str) -> None:
    """Each search reports counts, the scores of the root moves and a line that begins with its move."""
    result = search(DUEL, kind=kind, nodes=5_000)
    assert result.evaluations > 0
    assert 0 <= result.table_fill <= 1
    assert {found.move for found in result.root_moves} == set(textbook_moves(board_of(DUEL), 0))
    assert all(-1 < found.score < 1 for found in result.root_moves)
    assert result.principal_variation[0][0] is result.move
