"""A standing is the sum of its blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.matches.standing import Standing, points
from arena.records import Setup
from tests.arena.matches.made_games import LENGTH, MILLISECONDS, block_of, duel, game_of
from tests.arena.setups import setup_of

RESULTS = st.sampled_from((0.0, 0.5, 1.0))


@pytest.fixture
def pair() -> Setup:
    """Two entrants."""
    return setup_of("paranoid/area", "paranoid/length")


def test_an_empty_standing(pair: Setup) -> None:
    """Before the first block all sums are 0."""
    standing = Standing(pair)
    assert (standing.blocks, standing.games, standing.values, standing.share_thinking) == (0, 0, [], 0)


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
    assert standing.share_thinking == pytest.approx(MILLISECONDS * 35 / 100)


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
