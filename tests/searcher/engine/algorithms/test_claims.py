"""Claims of a reducing search in late duels, where bodies fill the board, against full searches."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from searcher.engine.position import Direction, Point, Position, Snake
from searcher.engine.result import Outcome, OutcomeKind, RootMove
from searcher.positions.move_body import position_in
from searcher.session import play_turn
from tests.searcher.engine.searches import search
from tests.searcher.requests import read_body
from tests.support.services import ROOT

FALSE_LOSS = ROOT / "tests" / "fixtures" / "false-loss.json"
"""Turn 338 of a game that was won, and lost by a false claim."""

SIZE = 11
PARTS = (15, 45)
TURNS = 6
"""The most turns that a duel is played on, by short searches."""

POSITIONS = 500
"""The number of positions in a run. All claims of 20,000 other positions held as well."""

ENOUGH = 400_000
"""Nodes after which a full search gives up."""


def test_the_tail_of_a_snake_that_must_die_is_free() -> None:
    """My head follows the tail of an opponent far away whose moves all kill it: left wins in 8 turns.

    If the opponent stood still instead, its tail would kill me.
    """
    position = position_in(read_body(FALSE_LOSS))
    result = search(position, "balanced", kind="paranoid", nodes=20_000)
    assert (result.move, result.root_moves[0].outcome) == (Direction.LEFT, Outcome(OutcomeKind.WIN, 8))


def test_no_claim_is_contradicted() -> None:
    """A full search of the same move finds each claimed win and loss, and no win in place of a claimed draw.

    Instead of a draw it may find a loss, in a reply that the reducing search has searched less deep, or
    nothing yet, where the only better moves lose later.
    """
    assert_claims_hold(1, POSITIONS)


def assert_claims_hold(seed: int, positions: int) -> None:
    """Assert that full searches confirm all claims in random duels, which are not few."""
    claims = 0
    for position, nodes in late_duels(Random(seed), positions):
        for move in search(position, "balanced", kind="paranoid", nodes=nodes).root_moves:
            if move.outcome is not None and (found := full(position, move)) is not None:
                claims += 1
                claimed, checked = move.outcome.kind, found.outcome and found.outcome.kind
                is_no_win = claimed is OutcomeKind.DRAW and checked is not OutcomeKind.WIN
                assert checked is claimed or is_no_win, (position, move, found)
    assert claims > positions / 5


def full(position: Position, move: RootMove) -> RootMove | None:
    """Return a full search's result for a claimed move, or None if it takes too long."""
    assert move.outcome is not None
    depth = max(move.outcome.turns, move.depth)
    result = search(
        position, "balanced", kind="paranoid-full", depth=depth, nodes=ENOUGH, root_moves=(move.move,)
    )
    [found] = result.root_moves
    return found if found.outcome is not None or result.depth == depth else None


def late_duels(random: Random, count: int) -> Iterator[tuple[Position, int]]:
    """Yield positions of duels with long bodies, and nodes for a search."""
    while count > 0:
        position = long_bodies(random)
        for _ in range(TURNS):
            yield position, random.choice((300, 2_000, 8_000))
            count -= 1
            moves = {
                snake.id: search(replace(position, you=you), "balanced", kind="paranoid", nodes=200).move
                for you, snake in enumerate(position.snakes)
            }
            position = play_turn(position, moves).position
            if len(position.snakes) < 2:
                break
            position = replace(position, you=random.randrange(2))


def long_bodies(random: Random) -> Position:
    """Return a duel between two snakes with long bodies."""
    free = {(x, y) for x in range(SIZE) for y in range(SIZE)}
    bodies: list[tuple[Point, ...]] = []
    while len(bodies) < 2:
        body = walk(random, free, random.randint(*PARTS))
        if len(body) >= PARTS[0]:
            bodies.append(body)
            free.difference_update(body)
        elif bodies:
            free.update(bodies.pop())
    snakes = [Snake(name, random.randint(20, 100), body) for name, body in zip("ab", bodies, strict=True)]
    food = random.sample(sorted(free), min(len(free), 3))
    return Position(SIZE, SIZE, tuple(snakes), tuple(food), you=random.randrange(2))


def walk(random: Random, free: set[Point], cells: int) -> tuple[Point, ...]:
    """Return a walk over free cells, mostly to the cell with the fewest exits, so that it gets long."""
    body = [random.choice(sorted(free))]
    while len(body) < cells:
        left = free.difference(body)
        steps = sorted(left.intersection(neighbours(body[-1])))
        if not steps:
            break
        exits = {step: len(left.intersection(neighbours(step))) for step in steps}
        narrow = [step for step in steps if exits[step] == min(exits.values())]
        body.append(random.choice(narrow if random.random() < 0.75 else steps))
    return tuple(body)


def neighbours(cell: Point) -> set[Point]:
    """Return the cells beside a cell, on or off the board."""
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
