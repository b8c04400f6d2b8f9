"""Starts, food and hazards follow the official engine's rules, and repeat with their seed."""

from itertools import pairwise, product
from math import sqrt

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games import boards
from arena.records.model import Cell, Rules
from searcher.engine.position import Position, Snake
from tests.arena.setups import SMALL

SEEDS = st.integers(0, 2**32 - 1)


def on_board(width: int, height: int) -> set[Cell]:
    """All cells."""
    return set(product(range(width), range(height)))


def beside(cell: Cell) -> set[Cell]:
    """The four cells next to one."""
    x, y = cell
    return {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}


def rules_of(**fields: object) -> Rules:
    """The rules of short games, some of them changed."""
    return msgspec.structs.replace(SMALL, **fields)


def square(side: int, **fields: object) -> Rules:
    """Likewise, on a board with equal sides."""
    return rules_of(width=side, height=side, **fields)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Boards of any size with snakes and food anywhere; food avoids bodies, connected or not."""
    width, height = draw(st.integers(1, 25)), draw(st.integers(1, 25))
    cells = draw(st.permutations(sorted(on_board(width, height))))
    taken = draw(st.integers(1, min(60, len(cells))))
    cuts = draw(st.lists(st.integers(0, taken), max_size=8).map(lambda cuts: sorted({0, *cuts, taken})))
    *bodies, food = [cells[begin:end] for begin, end in pairwise(cuts)]
    snakes = tuple(Snake(str(index), 90, tuple(body)) for index, body in enumerate(bodies))
    return Position(width, height, snakes, tuple(food), turn=draw(st.integers(0, 1000)))


def open_cells(position: Position) -> set[Cell]:
    """Where food may appear, by the words of the rules."""
    closed = set(position.food).union(*(snake.body for snake in position.snakes))
    heads = [snake.body[0] for snake in position.snakes]
    return on_board(position.width, position.height) - closed.union(*map(beside, heads))


@given(side=st.integers(7, 25), snakes=st.integers(1, 8), seed=SEEDS)
def test_snakes_start_next_to_corners_or_middles_of_sides(side: int, snakes: int, seed: int) -> None:
    """Each on a cell of its own, one of the groups full before the other is begun."""
    start = boards.set_up_board(square(side), snakes, seed)
    heads = [body[0] for body in start.bodies]
    low, middle, high = 1, (side - 1) // 2, side - 2
    corners = set(product((low, high), (low, high)))
    sides = {(low, middle), (middle, low), (middle, high), (high, middle)}
    first, second = set(heads[:4]), set(heads[4:])
    assert len(set(heads)) == snakes
    assert (first <= corners and second <= sides) or (first <= sides and second <= corners)


@given(side=st.integers(7, 25), snakes=st.integers(1, 8), seed=SEEDS)
def test_everyone_starts_with_food_at_its_back(side: int, snakes: int, seed: int) -> None:
    """On a diagonal from each head, between it and the edge, no corner; and one in the centre."""
    start = boards.set_up_board(square(side), snakes, seed)
    centre = (side - 1) // 2
    *own, last = start.food
    assert last == (centre, centre)
    assert len(set(start.food)) == len(start.food)
    assert len(own) == (snakes if snakes <= 4 or side >= 11 else 0)
    for (x, y), [(head_x, head_y), *_] in zip(own, start.bodies, strict=False):
        assert abs(x - head_x) == abs(y - head_y) == 1
        assert {x, y} & {0, side - 1}
        assert not {x, y} <= {0, side - 1}


@given(width=st.integers(3, 25), height=st.integers(3, 25), snakes=st.integers(1, 4), seed=SEEDS)
def test_on_other_boards_all_start_anywhere(width: int, height: int, snakes: int, seed: int) -> None:
    """Heads are an even distance apart, none in the centre; as many food as fits, not beside a head."""
    rules = rules_of(width=width, height=height)
    start = boards.set_up_board(rules, snakes, seed)
    heads = {body[0] for body in start.bodies}
    assert len(heads) == snakes
    assert heads <= on_board(width, height)
    if width != height or width < 7:
        assert {(x + y) % 2 for x, y in heads} == {0}
        assert ((width - 1) // 2, (height - 1) // 2) not in heads
        free = on_board(width, height) - heads.union(*map(beside, heads))
        assert set(start.food) <= free
        assert len(set(start.food)) == len(start.food) == min(snakes, len(free))


@given(snakes=st.integers(1, 8), seed=SEEDS)
def test_what_every_start_is_like(snakes: int, seed: int) -> None:
    """Turn 0: three parts on one cell, full health, no hazards yet, under any map."""
    for name in ("standard", "royale", "empty"):
        start = boards.set_up_board(square(11, map=name), snakes, seed)
        assert [len(body) for body in start.bodies] == [3] * snakes
        assert all(len(set(body)) == 1 for body in start.bodies)
        assert (start.turn, start.health, start.hazards) == (0, (100,) * snakes, ())


@pytest.mark.parametrize(
    "rules",
    [square(11, map="empty"), square(11, ruleset="constrictor"), square(11, ruleset="wrapped_constrictor")],
)
def test_starts_without_food(rules: Rules) -> None:
    """The map empty has none, and constrictor's rules take it away before the first turn."""
    assert boards.set_up_board(rules, 4, 1).food == ()


@pytest.mark.parametrize(("side", "snakes", "room"), [(3, 5, 4), (7, 9, 8)])
def test_too_many_snakes_are_refused(side: int, snakes: int, room: int) -> None:
    """The error says how many there is room for."""
    with pytest.raises(ValueError, match=f"{side}x{side} board has room for {room} snakes, not for {snakes}"):
        boards.set_up_board(square(side), snakes, 1)


def test_starts_repeat_with_their_seed() -> None:
    """The same seed gives the same start; two hundred seeds give many."""
    starts = [boards.set_up_board(square(11), 4, seed) for seed in range(200)]
    assert starts == [boards.set_up_board(square(11), 4, seed) for seed in range(200)]
    assert len(set(starts)) > 150


@given(position=positions(), minimum=st.integers(0, 10), chance=st.integers(0, 100), seed=SEEDS)
def test_food_appears_only_in_open_cells(position: Position, minimum: int, chance: int, seed: int) -> None:
    """Never on food or bodies, never beside a head; as much as is missing where there is room."""
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
    assert boards.update_board(msgspec.structs.replace(rules, map="empty"), position, seed).food == ()


@pytest.mark.parametrize(("chance", "share"), [(0, 0.0), (1, 0.0), (15, 0.14), (50, 0.49), (100, 0.99)])
def test_food_is_as_likely_as_with_the_official_engine(chance: int, share: float) -> None:
    """One per cent less than the setting says, within four deviations of a binomial count."""
    turns = 5000
    rules = rules_of(minimum_food=0, food_spawn_chance=chance)
    position = Position(7, 7, (Snake("me", 90, ((3, 3),)),), ((0, 0),))
    count = sum(len(boards.update_board(rules, position, seed).food) for seed in range(turns))
    assert abs(count - turns * share) <= 4 * sqrt(turns * share * (1 - share))


def test_food_differs_from_turn_to_turn() -> None:
    """One seed is not one decision for the whole game."""
    rules = rules_of(minimum_food=0, food_spawn_chance=50)
    states = [Position(7, 7, (Snake("me", 90, ((3, 3),)),), (), turn=turn) for turn in range(200)]
    food = [boards.update_board(rules, board, 1).food for board in states]
    assert 60 < food.count(()) < 140
    assert len(set(food)) > 25


def hazards_after(rules: Rules, position: Position, seed: int) -> tuple[Cell, ...]:
    """All hazards after the map's update."""
    changed = boards.update_board(rules, position, seed).hazards
    return position.hazards if changed is None else changed


def closing(rules: Rules, seed: int, turns: int, hazards: tuple[Cell, ...] = ()) -> list[tuple[Cell, ...]]:
    """All hazards after each of so many turns."""
    states = [hazards]
    for turn in range(1, turns + 1):
        position = Position(rules.width, rules.height, (), (), states[-1], turn=turn)
        states.append(hazards_after(rules, position, seed))
    return states


def is_rectangle(cells: set[Cell]) -> bool:
    """Whether these are all cells between some columns and some rows; none is a rectangle, too."""
    columns, rows = ({cell[axis] for cell in cells} for axis in (0, 1))
    return cells == set(product(columns, rows)) and all(
        not side or max(side) - min(side) == len(side) - 1 for side in (columns, rows)
    )


@given(width=st.integers(1, 25), height=st.integers(1, 25), every=st.integers(1, 30), seed=SEEDS)
def test_royale_closes_in_by_one_side_at_a_time(width: int, height: int, every: int, seed: int) -> None:
    """What is free is a rectangle that loses one of its sides each so many turns, until nothing is left."""
    rules = rules_of(map="royale", width=width, height=height, shrink_every=every)
    free = [on_board(width, height) - set(hazards) for hazards in closing(rules, seed, 100)]
    for turn, (before, after) in enumerate(pairwise(free), 1):
        assert is_rectangle(after)
        closed = before - after
        assert after <= before
        assert bool(closed) == (turn % every == 0 and bool(before))
        assert not closed or 1 in {len({cell[axis] for cell in closed}) for axis in (0, 1)}


def test_hazards_are_never_stacked() -> None:
    """A cell is closed once."""
    *_, last = closing(square(11, map="royale", shrink_every=1), 3, 60)
    assert len(last) == len(set(last)) == 121


def test_royale_repeats_with_its_seed_and_comes_from_all_sides() -> None:
    """The same seed, the same sides; over many seeds each side is as likely as the others."""
    rules = square(11, map="royale", shrink_every=1)
    steps = [closing(rules, seed, 1)[1] for seed in range(400)]
    assert steps == [closing(rules, seed, 1)[1] for seed in range(400)]
    assert sorted(map(steps.count, set(steps)))[0] > 70
    assert len(set(steps)) == 4


def test_royale_goes_on_from_the_hazards_of_an_opening() -> None:
    """What was a hazard stays one, with its layers; what is left closes in further."""
    rules = square(7, map="royale", shrink_every=2)
    opening = ((0, 0), (0, 0), *((6, y) for y in range(7)))
    unchanged, after = closing(rules, 5, 2, opening)[1:]
    assert unchanged == opening
    assert after[: len(opening)] == opening
    assert len(after) > len(opening)


@pytest.mark.parametrize(
    ("ruleset", "name", "closes_in"),
    [
        ("standard", "royale", True),
        ("royale", "standard", True),
        ("royale", "empty", True),
        ("wrapped", "royale", True),
        ("standard", "standard", False),
        ("standard", "empty", False),
    ],
)
def test_either_royale_closes_in(ruleset: str, name: str, closes_in: bool) -> None:
    """The map, by any rules, and the rules, on any map; elsewhere hazards stay as they are."""
    rules = square(11, ruleset=ruleset, map=name, shrink_every=1)
    assert bool(closing(rules, 1, 3)[-1]) == closes_in
