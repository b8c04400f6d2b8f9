"""Royale's closing hazards, by their expected damage in a search."""

from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searcher.engine.position import Direction, Point, Position, Ruleset
from searcher.engine.result import Outcome, OutcomeKind
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import HORIZON, cell_of
from searcher.engine.search.state import MAX_DEPTH
from tests.searcher.engine.positions import random_moves, random_position, randoms, snake
from tests.searcher.engine.searches import search
from tests.searcher.engine.turns import play

UP, DOWN, LEFT, RIGHT = Direction

SEQUENCES = 4
"""The most steps for which a test enumerates every sequence of sides."""


def average_layers(free: set[Point], steps: int) -> Counter[Point]:
    """Return the new hazard layers by cell after `steps` steps, averaged over all sequences of sides."""
    total: Counter[Point] = Counter()
    columns, rows = {x for x, _ in free}, {y for _, y in free}
    for sides in product(range(4), repeat=steps):
        left, right = min(columns) + sides.count(0), max(columns) - sides.count(1)
        bottom, top = min(rows) + sides.count(2), max(rows) - sides.count(3)
        total.update((x, y) for x, y in free if not (left <= x <= right and bottom <= y <= top))
    return Counter({cell: count / 4**steps for cell, count in total.items()})


def framed(random: Random, position: Position, layers: int = 1) -> tuple[Position, set[Point]]:
    """Return the position with hazards all around a rectangle, and the cells of the rectangle."""
    columns = sorted(random.choices(range(position.width), k=2))
    rows = sorted(random.choices(range(position.height), k=2))
    cells = set(product(range(position.width), range(position.height)))
    free = set(product(range(columns[0], columns[1] + 1), range(rows[0], rows[1] + 1)))
    return replace(position, hazards=tuple(sorted(cells - free)) * layers), free


def closing(position: Position, every: int) -> Position:
    """Return the position in a game whose hazards close in."""
    return replace(position, ruleset=replace(position.ruleset, shrink_every=every))


@settings(max_examples=60)
@given(randoms(), st.integers(1, 2))
def test_damage_is_the_average_over_all_sequences_of_sides(random: Random, layers: int) -> None:
    """The damage of an era in a cell is the rounded average, with existing layers, up to full health."""
    plain = random_position(random, snakes=(1, 2), sizes=(1, 6), parts=(1, 3))
    position, free = framed(random, plain, layers)
    packed, lying = pack(closing(position, 30)), Counter(position.hazards)
    for era in range(SEQUENCES + 1):
        coming = average_layers(free, era)
        row = packed.game[0]["damage"][min(era, packed.game[0]["era"].max())]
        for cell in product(range(position.width), range(position.height)):
            exact = position.ruleset.hazard_damage * (lying[cell] + coming[cell])
            assert row[cell_of(packed.shape, cell)] == round(min(max(exact, -100), 100))


@given(st.integers(0, 10_000), st.integers(1, 60))
def test_eras_begin_with_the_turns_of_the_rules(turn: int, every: int) -> None:
    """A move made on a turn meets the hazards of all steps up to that turn; the root's hazards are given."""
    position = Position(25, 25, (snake("a", "33"),), turn=turn, ruleset=Ruleset("royale", 14, every))
    eras = pack(position).game[0]["era"]
    steps = [
        sum(1 for later in range(turn + 1, turn + ahead + 1) if later % every == 0) for ahead in range(60)
    ]
    assert eras[:60].tolist() == [min(count, 49) for count in steps]
    assert MAX_DEPTH < len(eras) == HORIZON


@pytest.mark.parametrize("holes", [[(2, 2)], [(0, 0)], [(0, 0), (6, 6)], [(3, y) for y in range(5)], "all"])
def test_hazards_that_are_no_frame_stay(holes: Any) -> None:
    """Hazards of other maps, or on the whole board, do not close in."""
    cells = tuple(product(range(7), range(5)))
    hazards = cells if holes == "all" else tuple(holes)
    packed = pack(Position(7, 5, (snake("a", "33"),), hazards=hazards, ruleset=Ruleset("royale", 14, 1)))
    assert not packed.game[0]["changing"]
    assert not packed.game[0]["era"].any()


@settings(max_examples=80)
@given(randoms(), st.integers(1, 4))
def test_turns_ahead_do_the_damage_of_their_era(random: Random, every: int) -> None:
    """Moves with the era's damage, but without closing hazards, lead to the same health on each turn."""
    position, _ = framed(random, random_position(random, sizes=(3, 9), rulesets=("royale", "wrapped")))
    packed, plain = pack(closing(position, every)), pack(position)
    for turn in range(8):
        steps = (position.turn + turn) // every - position.turn // every
        plain.game["damage"][0, 0] = packed.game[0]["damage"][min(steps, packed.game[0]["era"].max())]
        moves = random_moves(random, position)
        packed, plain = play(packed, moves), play(plain, moves)
        assert packed.board["health"].tolist() == plain.board["health"].tolist()


@settings(max_examples=40)
@given(randoms())
def test_steps_after_the_search_change_nothing(random: Random) -> None:
    """A search that ends before the first step finds the same score as without closing hazards."""
    position = random_position(random, (2, 2), sizes=(3, 9), rulesets=("royale",), parts=(2, 9))
    position = replace(framed(random, position)[0], turn=5)
    coming, plain = search(closing(position, 9), depth=4), search(position, depth=4)
    assert (coming.score, coming.depth) == (plain.score, plain.depth)
    assert coming.root_moves[0].outcome == plain.root_moves[0].outcome


TUNNEL = Position(
    7,
    7,
    (snake("a", "02 01 00", health=20), snake("b", "46 36 26 16 15 14 13 13 13")),
    turn=1,
    ruleset=Ruleset("royale", 100),
)
"""Going up leads along the edge with no way off it; going right leads off the edge."""


@pytest.mark.parametrize("evaluator", ["length", "area"])
def test_it_leaves_the_edge_before_the_row_comes(evaluator: str) -> None:
    """A quarter of the damage on the edge exceeds the snake's health: two turns ahead it turns inward."""
    result = search(closing(TUNNEL, 2), evaluator, depth=4)
    outcomes = {root.move: root.outcome for root in result.root_moves}
    assert result.move is RIGHT
    assert outcomes[UP] == Outcome(OutcomeKind.LOSS, 2)
    assert outcomes[RIGHT] is None
