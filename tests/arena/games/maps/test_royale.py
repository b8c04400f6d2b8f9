"""Hazards close in from the sides on the map "royale", and under royale's rules on any map."""

from itertools import pairwise, product

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from arena.records import Cell, Rules
from searcher.engine.position import Position
from tests.arena.games.maps.map_rules import cells_of, hazards_after, rules_of, square

SEEDS = st.integers(0, 2**32 - 1)


def closing(rules: Rules, seed: int, turns: int, hazards: tuple[Cell, ...] = ()) -> list[tuple[Cell, ...]]:
    """All hazards at the start and after each turn of a game without food."""
    rules = msgspec.structs.replace(rules, minimum_food=0, food_spawn_chance=0)
    states = [hazards]
    for turn in range(1, turns + 1):
        position = Position(rules.width, rules.height, (), (), states[-1], turn=turn)
        states.append(hazards_after(rules, position, seed))
    return states


def is_rectangle(cells: set[Cell]) -> bool:
    """Whether these are all cells between some columns and some rows, or none."""
    columns, rows = ({cell[axis] for cell in cells} for axis in (0, 1))
    return cells == set(product(columns, rows)) and all(
        not side or max(side) - min(side) == len(side) - 1 for side in (columns, rows)
    )


@given(width=st.integers(1, 25), height=st.integers(1, 25), every=st.integers(1, 30), seed=SEEDS)
def test_royale_closes_in_by_one_side_at_a_time(width: int, height: int, every: int, seed: int) -> None:
    """The rectangle of free cells loses one of its sides every `shrink_every` turns until nothing is left."""
    rules = rules_of(map="royale", width=width, height=height, shrink_every=every)
    free = [cells_of(width, height) - set(hazards) for hazards in closing(rules, seed, 100)]
    for turn, (before, after) in enumerate(pairwise(free), 1):
        assert is_rectangle(after)
        closed = before - after
        assert after <= before
        assert bool(closed) == (turn % every == 0 and bool(before))
        assert not closed or 1 in {len({cell[axis] for cell in closed}) for axis in (0, 1)}


def test_royale_repeats_with_its_seed_and_comes_from_all_sides() -> None:
    """The same seed gives the same sides; over many seeds each side is equally likely."""
    rules = square(11, map="royale", shrink_every=1)
    steps = [closing(rules, seed, 1)[1] for seed in range(400)]
    assert steps == [closing(rules, seed, 1)[1] for seed in range(400)]
    assert sorted(map(steps.count, set(steps)))[0] > 70
    assert len(set(steps)) == 4
