"""Deepening of crowd search: when it trusts the opponents more, and what it counts as lost."""

import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from searcher.engine.algorithms.crowd import CROWD
from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits, OutcomeKind, Result, StopReason
from searcher.engine.root.deepening import CrowdDeepening
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import WEIGHTS_DTYPE
from searcher.engine.search.clock import Clock
from searcher.engine.search.table import Table
from searcher.engine.search.threads import Thread, ThreadSetup, new_thread
from searcher.interface import SearchAlgorithm
from searcher.positions.move_body import position_in, read_body
from searcher.strategies import SEARCHES, evaluators
from tests.searcher.engine.positions import board_of, snake, textbook_moves
from tests.searcher.engine.searches import search

UP, DOWN, LEFT, RIGHT = Direction

BODIES = Path(__file__).parents[3] / "fixtures" / "bodies"

SURROUNDED = Position(
    7,
    7,
    (
        snake("a", "25 24 23 13 14 15 15"),
        snake("b", "44 43 42 32"),
        snake("c", "62 52 51 51 51", health=17),
        snake("d", "21 11 10 00 00", health=20),
    ),
    ((5, 0), (0, 6), (0, 5)),
    you=1,
)
"""Three snakes that act as one can kill the one to move in four turns; none of them has a reason to."""

SHUT_IN = Position(
    9,
    7,
    (
        snake("a", "20 21 31 41 40 50 51 52 42 32 22 12 11 01 02 03 13 23 33 43 53"),
        snake("b", "86 85 84"),
        snake("c", "66 65 64"),
    ),
)
"""The snake to move is shut in by its own body, with two cells on its left and one on its right."""


class Run:
    """One crowd search and what it left in its threads."""

    def __init__(self, position: Position, threads: int = 1, **limits: Any) -> None:
        self.trusts: list[int] = []
        self.threads = _threads(position, threads, Limits(**limits))
        deepening = CrowdDeepening(position, self.threads, Limits(**limits), Clock(math.inf))
        self.result = deepening.run(lambda result: self.trusts.append(self.trust_of(0)))

    def trust_of(self, number: int) -> int:
        """Return the trust of a thread after the last depth."""
        return int(self.threads[number].state["own"]["trust"][0])


def _threads(position: Position, count: int, limits: Limits) -> list[Thread]:
    search(position, kind="crowd", depth=1)  # This compiles what is not compiled yet.
    length = evaluators()["length"]
    weights = np.zeros(1, dtype=WEIGHTS_DTYPE)
    weights["values"][0, : len(length.weights)] = [weight.default for weight in length.weights]
    setup = ThreadSetup(CROWD, length.evaluate, None, weights, reduces=True)
    packed, clock, table = pack(position), Clock(math.inf), Table(1 << 20)
    table.next_search()
    return [new_thread(position, packed, setup, limits, clock, table) for _ in range(count)]


def is_lost(result: Result) -> bool:
    """Return whether a result claims that every move loses."""
    outcomes = [found.outcome for found in result.root_moves]
    return all(outcome is not None and outcome.kind is OutcomeKind.LOSS for outcome in outcomes)


def test_trust_rises_only_when_all_moves_are_lost() -> None:
    """The first depth at which all moves would be lost is searched with more trust, none before it."""
    run = Run(SURROUNDED, depth=8)
    assert run.trusts == [0] * 7 + [1]
    assert not is_lost(run.result)


def test_a_lost_move_raises_no_trust() -> None:
    """As long as one move is not lost the others may be, and the opponents are not trusted."""
    cramped = (snake("a", "02 01 00 10 20", 50), snake("b", "05 06 16 26"), snake("c", "23 33 43 44 34"))
    run = Run(Position(5, 7, cramped, you=1), depth=6)
    assert run.trusts == [0] * 6
    lost = [found.outcome is not None for found in run.result.root_moves]
    assert lost == [False, True]


def test_in_a_duel_a_loss_is_believed() -> None:
    """One opponent needs no coalition: the loss is proven at once and ends the search."""
    duel = Position(9, 7, SHUT_IN.snakes[:2])
    run = Run(duel, depth=8, root_moves=(LEFT,))
    assert run.trusts == [0] * 3
    assert run.result.stop_reason is StopReason.DECIDED
    assert is_lost(run.result)


@pytest.mark.parametrize("depth", [4, 5, 6, 7, 8, 9, 10])
def test_a_coalition_is_no_proof(depth: int) -> None:
    """Where paranoid minimax gives up all moves, crowd search keeps them all, and may be deeper."""
    assert is_lost(search(SURROUNDED, kind="paranoid-full", depth=4))
    assert is_lost(search(SURROUNDED, kind="paranoid", depth=depth))
    assert all(found.outcome is None for found in search(SURROUNDED, kind="crowd", depth=depth).root_moves)


def test_a_recorded_coalition() -> None:
    """Paranoid minimax gives up a game of four that went on for many turns; crowd search doesn't."""
    position = position_in(read_body(BODIES / "four-hunted.json"))
    assert is_lost(search(position, "balanced", kind="paranoid", nodes=20_000))
    assert not is_lost(search(position, "balanced", kind="crowd", nodes=20_000))


def test_a_recorded_hunger() -> None:
    """A small hungry snake among three long ones is not lost yet, at any depth that the nodes reach."""
    position = position_in(read_body(BODIES / "four-hungry.json"))
    seen: list[Result] = []
    search(position, "balanced", kind="crowd", nodes=100_000, on_depth=seen.append)
    assert seen[-1].depth >= 7
    assert not any(is_lost(result) for result in seen)


@pytest.mark.parametrize("seed", range(4))
def test_a_certain_death_is_a_loss(seed: int) -> None:
    """A snake shut in by its body is lost whatever the opponents do, and survives as long as it can."""
    result = search(SHUT_IN, kind="crowd", depth=5, seed=seed)
    assert is_lost(result)
    assert result.move is LEFT
    outcome = result.root_moves[0].outcome
    assert outcome is not None
    assert outcome.turns == 3


def test_trust_is_bounded() -> None:
    """A certain death raises the trust to the depth and no further, and the limit of depth still holds."""
    run = Run(SHUT_IN, depth=6)
    assert run.trusts[-1] == max(run.trusts) == 6
    assert (run.result.depth, run.result.stop_reason) == (6, StopReason.DEPTH)


def test_limits_of_nodes_hold_while_a_depth_is_searched_again() -> None:
    """Wherever the limit falls the search counts exactly as many nodes, and answers with a legal move."""
    most = search(SHUT_IN, kind="crowd", depth=3).nodes
    for nodes in range(1, most):
        result = search(SHUT_IN, kind="crowd", nodes=nodes)
        assert (result.nodes, result.stop_reason) == (nodes, StopReason.NODES)
        assert result.move in textbook_moves(board_of(SHUT_IN), SHUT_IN.you)


def test_an_interrupted_renewal_forgets_the_coalition() -> None:
    """If the limit interrupts a renewed search, the loss that it doubts is not the answer."""
    sound, renewed = (search(SURROUNDED, kind="crowd", depth=depth).nodes for depth in (7, 8))
    for nodes in range(sound, renewed, (renewed - sound) // 40):
        assert not is_lost(search(SURROUNDED, kind="crowd", nodes=nodes))


@pytest.mark.parametrize("position", [SURROUNDED, SHUT_IN], ids=["surrounded", "shut in"])
def test_it_repeats_exactly(position: Position) -> None:
    """A repeated search with renewed depths counts the same nodes and has the same result."""
    first, second = (search(position, kind="crowd", depth=8, seed=5) for _ in range(2))
    assert (first.nodes, first.evaluations) == (second.nodes, second.evaluations)
    assert (first.root_moves, first.principal_variation) == (second.root_moves, second.principal_variation)


def test_helpers_never_trust() -> None:
    """Threads share a table, so only the leader raises its trust."""
    run = Run(SHUT_IN, threads=3, depth=6)
    assert [run.trust_of(number) for number in range(3)] == [6, 0, 0]


@pytest.mark.parametrize(("reached", "adopted"), [(5, True), (8, False)])
def test_a_helper_never_despairs_for_the_leader(
    monkeypatch: pytest.MonkeyPatch, reached: int, adopted: bool
) -> None:
    """The leader adopts a helper's deeper depth unless all moves are lost there to a coalition."""

    class Waiting(CrowdDeepening):
        def _search_depth(self, depth: int) -> StopReason | None:
            if not self.helpers:
                return super()._search_depth(depth) if depth <= reached else StopReason.DEPTH
            if depth <= 3:
                return super()._search_depth(depth)
            while self.helpers[0].completed[0] < reached:
                time.sleep(0.001)
            return StopReason.DEADLINE

    waiting = replace(SEARCHES["crowd"], name="waiting", deepening=Waiting)
    monkeypatch.setitem(cast(dict[str, SearchAlgorithm], SEARCHES), "waiting", waiting)
    result = search(SURROUNDED, kind="waiting", threads=2)
    assert (result.depth == reached) is adopted
    assert not is_lost(result)


def test_two_threads_keep_what_a_coalition_needs() -> None:
    """With a helper the answer is a legal move of a position that is not lost, too."""
    for _ in range(5):
        result = search(SURROUNDED, kind="crowd", depth=8, threads=2)
        assert not is_lost(result)
        assert result.move in textbook_moves(board_of(SURROUNDED), SURROUNDED.you)
