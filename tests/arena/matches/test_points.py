"""The points and the standing of a match."""

from dataclasses import dataclass
from math import isclose

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.matches.points import Standing, game_points, points, points_against, shares_outlived
from arena.matches.schedule import seatings
from arena.records import Block, Setup
from tests.arena.matches.made_games import LENGTH, MILLISECONDS, block_of, duel, game_of
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
    assert [game_points(pair, game)[0] for game in duel(*games).games] == list(games)


def test_the_limit_of_turns_draws(pair: Setup) -> None:
    """Two survivors at the limit of turns are even."""
    block = block_of(*(game_of(seats, (None, None), "turn limit") for seats in ((0, 1), (1, 0))))
    assert points(pair, block) == (0.5, 0.5)


def test_four_snakes_of_two_entrants() -> None:
    """Each snake is compared with those of the other entrant only."""
    setup = setup_of("paranoid/area", "paranoid/length", snakes=4)
    game = game_of((0, 1, 0, 1), (None, 5, 3, 3))
    assert game_points(setup, game) == ((2 + 0.5) / 4, (1 + 0.5) / 4)


def test_four_entrants() -> None:
    """The survivor outlived all others, and the first to die outlived none; two in between died together."""
    setup = setup_of(*["paranoid/area"] * 4)
    game = game_of((2, 3, 0, 1), (None, 4, 4, 1))
    assert game_points(setup, game) == (0.5, 0, 1, 0.5)


def test_company_gives_and_takes_no_points() -> None:
    """Two contenders are compared with each other, however their company fares."""
    setup = setup_of(*["paranoid/area"] * 4, company=2)
    outlived = game_of((2, 0, 3, 1), (None, 3, None, 2))
    together = game_of((0, 3, 1, 2), (5, None, 5, 1))
    assert game_points(setup, outlived) == (1, 0)
    assert game_points(setup, together) == (0.5, 0.5)
    assert points(setup, block_of(outlived, together)) == (0.75, 0.25)
    assert shares_outlived(setup, outlived) == (1 / 3, 0, 2.5 / 3, 2.5 / 3)


def test_a_gauntlet_is_run_against_the_company() -> None:
    """A single contender has the share of its opponents that it outlived, of all and of each."""
    setup = setup_of(*["paranoid/area"] * 6, company=5, snakes=4)
    game = game_of((2, 0, 5, 3), (7, 7, 9, 1))
    assert game_points(setup, game) == ((0.5 + 0 + 1) / 3,)
    assert [points_against(opponent, game) for opponent in (2, 5, 3)] == [0.5, 0, 1]
    twice = game_of((1, 0, 1, 1), (7, 5, 5, 1))
    assert points_against(1, twice) == (0 + 0.5 + 1) / 3


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
    for game in case.block.games:
        assert isclose(sum(game_points(case.setup, game)), len(case.setup.entrants) / 2)
    assert isclose(sum(points(case.setup, case.block)), len(case.setup.entrants) / 2)


@given(case=blocks())
def test_a_longer_life_never_costs_points(case: Case) -> None:
    """If the first entrant's snakes survive, its points don't decrease."""
    before = points(case.setup, case.block)[0]
    saved = block_of(
        *(
            game_of(
                game.seats,
                [
                    None if seat == 0 or death is None else death.turn
                    for seat, death in zip(game.seats, game.deaths, strict=True)
                ],
            )
            for game in case.block.games
        )
    )
    assert points(case.setup, saved)[0] >= before


@given(lives=st.lists(LIVES, min_size=2, max_size=8), entrants=st.integers(2, 4))
def test_the_order_of_seats_does_not_matter(lives: list[int | None], entrants: int) -> None:
    """Snakes in another order give the same points."""
    assume(len(lives) >= entrants)
    setup = setup_of(*["paranoid/area"] * entrants, snakes=len(lives))
    [seats, *_] = seatings(setup, 0)
    there = game_points(setup, game_of(seats, lives))
    back = game_points(setup, game_of(seats[::-1], lives[::-1]))
    assert all(isclose(one, other) for one, other in zip(there, back, strict=True))


RESULTS = st.sampled_from((0.0, 0.5, 1.0))


@given(results=st.lists(st.tuples(RESULTS, RESULTS), max_size=8))
def test_results_are_those_of_the_first_entrant(results: list[tuple[float, float]]) -> None:
    """Wins, draws and losses count games, points count blocks, both of the first entrant."""
    setup = setup_of("paranoid/area", "paranoid/length")
    standing = Standing(setup)
    blocks = [duel(*pair) for pair in results]
    for block in blocks:
        standing.add(block)
    flat = [result for pair in results for result in pair]
    assert (standing.blocks, standing.games) == (len(results), len(flat))
    assert standing.values == [sum(pair) / 2 for pair in results]
    assert standing.points == [points(setup, block) for block in blocks]
    assert [shares[0] for shares in standing.games_points] == flat
    assert [standing.results[name] for name in ("win", "draw", "loss")] == [
        flat.count(result) for result in (1.0, 0.5, 0.0)
    ]


def test_a_void_game_voids_its_block(pair: Setup) -> None:
    """A block with a void game gives no points, but its decisions and faults count."""
    standing = Standing(pair)
    silent = game_of((0, 1), (None, 0), void="paranoid/length never answered", faults={(0, 1): "late"})
    standing.add(block_of(silent, game_of((1, 0), (9, None))))
    assert (standing.blocks, standing.games, standing.points, standing.games_points) == (1, 0, [], [])
    assert standing.void == {"paranoid/length never answered": 1}
    assert standing.faults == {(1, "late"): 1}
    assert standing.decisions == {0: 2 * LENGTH, 1: 1 + LENGTH}


def test_an_interrupted_game_gives_no_points(pair: Setup) -> None:
    """The last game of a strict match has no result; its fault counts."""
    standing = Standing(pair)
    standing.add(duel(1, 1))
    standing.add(block_of(game_of((0, 1), (None, None), "strict", faults={(9, 0): "crashed"})))
    assert (standing.blocks, standing.games, standing.values) == (2, 2, [1])
    assert standing.faults == {(0, "crashed"): 1}


def test_faults_follow_the_entrant_not_the_seat(pair: Setup) -> None:
    """A fault of the second snake counts for the first entrant where it has that seat."""
    standing = Standing(pair)
    first = game_of((0, 1), (None, 9), faults={(1, 0): "late", (2, 0): "late", (2, 1): "refused"})
    second = game_of((1, 0), (None, 9), faults={(3, 1): "invalid"})
    standing.add(block_of(first, second))
    assert standing.faults == {(0, "late"): 2, (1, "refused"): 1, (0, "invalid"): 1}


def test_decisions_and_their_time(pair: Setup) -> None:
    """Dead snakes decide nothing; the share of time is that of all decisions in the block."""
    standing = Standing(pair)
    standing.add(block_of(game_of((0, 1), (None, 4)), game_of((1, 0), (None, 9))))
    decided = {0: LENGTH + LENGTH, 1: 5 + LENGTH}
    assert standing.decisions == decided
    assert standing.thinking == {index: MILLISECONDS * count for index, count in decided.items()}


def test_solo_has_no_single_games() -> None:
    """In solo only blocks are compared: there are points by block, and no wins and losses."""
    standing = Standing(setup_of("paranoid/area", "paranoid/length", snakes=1))
    standing.add(block_of(game_of((0,), (6,), "none left"), game_of((1,), (5,), "none left")))
    assert (standing.values, standing.games) == ([1], 2)
    assert (standing.games_points, dict(standing.results)) == ([], {})


def test_three_entrants_have_no_wins_and_losses() -> None:
    """Three entrants have points only."""
    standing = Standing(setup_of(*["paranoid/area"] * 3))
    seatings = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    standing.add(block_of(*(game_of(seats, (None, 5, 3)) for seats in seatings)))
    assert standing.points == [(0.5, 0.5, 0.5)]
    assert standing.games_points == [(1, 0.5, 0), (0, 1, 0.5), (0.5, 0, 1)]
    assert (standing.games, dict(standing.results)) == (3, {})
