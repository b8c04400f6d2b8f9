"""The points of a block."""

from dataclasses import dataclass
from math import isclose

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.matches.points import points, shares_outlived
from arena.matches.schedule import seatings
from arena.records import Block, Setup
from tests.arena.matches.made_games import LENGTH, block_of, duel, game_of
from tests.arena.setups import setup_of

LIVES = st.none() | st.integers(0, LENGTH - 1)
"""A turn of death, or None."""


@dataclass(frozen=True)
class Case:
    """A setup, and a block of it."""

    setup: Setup
    block: Block


@st.composite
def blocks(draw: st.DrawFn) -> Case:
    """Blocks of 2 to 4 entrants and up to 8 snakes with any deaths."""
    entrants = draw(st.integers(2, 4))
    snakes = draw(st.integers(entrants, 8))
    setup = setup_of(*["paranoid/area"] * entrants, snakes=snakes)
    games = [
        game_of(seats, draw(st.lists(LIVES, min_size=snakes, max_size=snakes)))
        for seats in seatings(setup, 0)
    ]
    return Case(setup, block_of(*games))


@pytest.fixture
def pair() -> Setup:
    """Two entrants."""
    return setup_of("paranoid/area", "paranoid/length")


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ((1, 1), (1, 0)),
        ((1, 0.5), (0.75, 0.25)),
        ((1, 0), (0.5, 0.5)),
        ((0.5, 0.5), (0.5, 0.5)),
        ((0.5, 0), (0.25, 0.75)),
        ((0, 0), (0, 1)),
    ],
)
def test_a_duel(pair: Setup, games: tuple[float, float], expected: tuple[float, float]) -> None:
    """A win counts 1, a draw 1/2, averaged over the pair."""
    assert points(pair, duel(*games)) == expected
    assert [shares_outlived(game, (0, 1))[0] for game in duel(*games).games] == list(games)


def test_four_snakes_of_two_entrants() -> None:
    """Each snake is compared with those of the other entrant only."""
    setup = setup_of("paranoid/area", "paranoid/length", snakes=4)
    game = game_of((0, 1, 0, 1), (None, 5, 3, 3))
    assert points(setup, block_of(game)) == ((2 + 0.5) / 4, (1 + 0.5) / 4)


def test_four_entrants() -> None:
    """The survivor outlived all others, and the first to die outlived none; two in between died together."""
    setup = setup_of(*["paranoid/area"] * 4)
    game = game_of((2, 3, 0, 1), (None, 4, 4, 1))
    assert points(setup, block_of(game)) == (0.5, 0, 1, 0.5)


def test_company_gives_and_takes_no_points() -> None:
    """Two contenders are compared with each other, however their company fares."""
    setup = setup_of(*["paranoid/area"] * 4, company=2)
    outlived = game_of((2, 0, 3, 1), (None, 3, None, 2))
    together = game_of((0, 3, 1, 2), (5, None, 5, 1))
    assert shares_outlived(outlived, (0, 1)) == (1, 0)
    assert shares_outlived(together, (0, 1)) == (0.5, 0.5)
    assert points(setup, block_of(outlived, together)) == (0.75, 0.25)
    assert shares_outlived(outlived, range(4)) == (1 / 3, 0, 2.5 / 3, 2.5 / 3)


def test_a_gauntlet_is_run_against_the_company() -> None:
    """A single contender has the share of its opponents that it outlived, of all and of each."""
    setup = setup_of(*["paranoid/area"] * 6, company=5, snakes=4)
    game = game_of((2, 0, 5, 3), (7, 7, 9, 1))
    assert points(setup, block_of(game)) == ((0.5 + 0 + 1) / 3,)
    assert [shares_outlived(game, (0, opponent))[0] for opponent in (2, 5, 3)] == [0.5, 0, 1]
    twice = game_of((1, 0, 1, 1), (7, 5, 5, 1))
    assert shares_outlived(twice, (0, 1))[0] == (0 + 0.5 + 1) / 3


def test_solo_compares_the_games_of_a_block() -> None:
    """The snake that lived longer alone gets the point; a death in the last turn counts as a death."""
    setup = setup_of("paranoid/area", "paranoid/length", snakes=1)
    longer = block_of(game_of((0,), (6,)), game_of((1,), (5,)))
    equal = block_of(game_of((0,), (6,)), game_of((1,), (6,)))
    to_the_limit = block_of(game_of((0,), (LENGTH - 1,)), game_of((1,), (None,), "turn limit"))
    assert points(setup, longer) == (1, 0)
    assert points(setup, equal) == (0.5, 0.5)
    assert points(setup, to_the_limit) == (0, 1)


@given(case=blocks())
def test_points_sum_to_half_of_the_entrants(case: Case) -> None:
    """Points sum to half the number of entrants if all have equally many snakes."""
    assume(len(case.setup.entrants) == 2 or case.setup.snakes % len(case.setup.entrants) == 0)
    assert isclose(sum(points(case.setup, case.block)), len(case.setup.entrants) / 2)
