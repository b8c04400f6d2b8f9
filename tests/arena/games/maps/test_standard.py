"""Starts and food on the map "standard" follow the rules of the official engine."""

from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import boards
from arena.records import Cell
from searcher.engine.position import Position, Snake
from tests.arena.games.maps.map_rules import cells_of, neighbours, rules_of, square

SEEDS = st.integers(0, 2**32 - 1)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Boards of any size with snakes, connected or not, and food anywhere but on bodies."""
    width, height = draw(st.integers(1, 25)), draw(st.integers(1, 25))
    cells = draw(st.permutations(sorted(cells_of(width, height))))
    taken = draw(st.integers(1, min(60, len(cells))))
    cuts = draw(st.lists(st.integers(0, taken), max_size=8).map(lambda cuts: sorted({0, *cuts, taken})))
    *bodies, food = [cells[begin:end] for begin, end in pairwise(cuts)]
    snakes = tuple(Snake(str(index), 90, tuple(body)) for index, body in enumerate(bodies))
    return Position(width, height, snakes, tuple(food), turn=draw(st.integers(0, 1000)))


def open_cells(position: Position) -> set[Cell]:
    """The cells where food may appear according to the rules."""
    closed = set(position.food).union(*(snake.body for snake in position.snakes))
    heads = [snake.body[0] for snake in position.snakes]
    return cells_of(position.width, position.height) - closed.union(*map(neighbours, heads))


@pytest.mark.parametrize("ruleset", ["constrictor", "wrapped_constrictor"])
def test_constrictor_starts_without_food(ruleset: str) -> None:
    """Constrictor's rules remove all food before the first turn."""
    assert boards.set_up_board(square(11, ruleset=ruleset), 4, 1).food == ()


@given(position=positions(), minimum=st.integers(0, 10), chance=st.integers(0, 100), seed=SEEDS)
def test_food_appears_only_in_open_cells(position: Position, minimum: int, chance: int, seed: int) -> None:
    """Food appears on no food, no body and not next to a head; the missing food appears if there is room."""
    rules = rules_of(minimum_food=minimum, food_spawn_chance=chance)
    food = boards.update_board(rules, position, seed).food
    free, missing = open_cells(position), minimum - len(position.food)
    assert set(food) <= free
    assert len(set(food)) == len(food)
    if missing > 0:
        assert len(food) == min(missing, len(free))
    else:
        assert len(food) <= min(1, len(free))
    assert food == boards.update_board(rules, position, seed).food


@pytest.mark.parametrize(("chance", "share"), [(0, 0.0), (1, 0.0), (15, 0.14), (50, 0.49), (100, 0.99)])
def test_the_chance_of_food_is_that_of_the_official_engine(chance: int, share: float) -> None:
    """The chance is one per cent less than the setting, within four deviations of a binomial count."""
    turns = 5000
    rules = rules_of(minimum_food=0, food_spawn_chance=chance)
    position = Position(7, 7, (Snake("me", 90, ((3, 3),)),), ((0, 0),))
    count = sum(len(boards.update_board(rules, position, seed).food) for seed in range(turns))
    assert abs(count - turns * share) <= 4 * sqrt(turns * share * (1 - share))
