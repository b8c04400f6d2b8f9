"""The seats, the points and the standing of a match."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain
from math import isclose

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena.matches.standing import (
    Standing,
    blocks_for,
    drawn_company,
    game_points,
    games_in_block,
    points,
    points_against,
    seatings,
    shares_outlived,
)
from arena.records import Block, Setup
from tests.arena.matches.made_games import LENGTH, MILLISECONDS, block_of, duel, game_of
from tests.arena.setups import setup_of

AREA = "paranoid/area"


@dataclass(frozen=True)
class Table:
    """A setup with company, and a number of blocks."""

    setup: Setup
    blocks: int

    @property
    def members(self) -> range:
        """The members of the company."""
        return range(self.setup.contenders, len(self.setup.entrants))

    @property
    def free(self) -> int:
        """The seats that the contenders leave."""
        return self.setup.snakes - self.setup.contenders

    def drawn(self) -> list[list[int]]:
        """The company of each block."""
        return [drawn_company(self.setup, number) for number in range(self.blocks)]


def with_company(contenders: int, company: int, snakes: int, seed: int = 1) -> Setup:
    """A setup with some contenders and company."""
    return setup_of(*[AREA] * (contenders + company), company=company, snakes=snakes, seed=seed)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Gauntlets and matches with company, of 2 to 8 snakes."""
    contenders, company = draw(st.integers(1, 3)), draw(st.integers(1, 12))
    snakes = draw(st.integers(contenders + 1, 8))
    setup = with_company(contenders, company, snakes, draw(st.integers(0, 99)))
    return Table(setup, draw(st.integers(1, 40)))


@pytest.mark.parametrize(("entrants", "snakes"), [(2, 2), (2, 4), (3, 3), (4, 4), (2, 1), (8, 8)])
def test_every_entrant_has_every_seat_once(entrants: int, snakes: int) -> None:
    """Over a block without company, each entrant has each seat once."""
    games = seatings(setup_of(*[AREA] * entrants, snakes=snakes), 3)
    for seat in range(snakes):
        assert sorted(seats[seat] for seats in games) == list(range(entrants))


@given(table=tables())
def test_contenders_have_every_seat_once_among_company(table: Table) -> None:
    """Over a block with company, each contender has each seat once, and is once in every game."""
    for number in range(table.blocks):
        games = seatings(table.setup, number)
        assert len(games) == games_in_block(table.setup) == table.setup.snakes
        for contender in range(table.setup.contenders):
            assert [seats.count(contender) for seats in games] == [1] * len(games)
            assert sorted(seats.index(contender) for seats in games) == list(range(len(games)))


@given(table=tables())
def test_the_seats_left_are_those_of_the_company(table: Table) -> None:
    """Every game has the contenders and the company drawn for its block, and nobody else."""
    for number, drawn in enumerate(table.drawn()):
        expected = sorted([*range(table.setup.contenders), *drawn])
        assert all(sorted(seats) == expected for seats in seatings(table.setup, number))


@given(table=tables())
def test_a_block_repeats_nobody_without_need(table: Table) -> None:
    """A block has different members, as long as there are enough of them."""
    for drawn in table.drawn():
        assert len(set(drawn)) == min(table.free, len(table.members))


@given(table=tables())
def test_every_member_is_drawn_equally_often(table: Table) -> None:
    """After any number of blocks, two members differ by two draws at most; after whole rounds by none."""
    counts = Counter(chain.from_iterable(table.drawn()))
    often = [counts[member] for member in table.members]
    assert max(often) - min(often) <= 1
    whole = Table(table.setup, table.blocks * len(table.members))
    assert set(Counter(chain.from_iterable(whole.drawn())).values()) == {table.blocks * table.free}


@given(table=tables(), games=st.integers(1, 60))
def test_a_gauntlet_plays_the_games_against_each_opponent(table: Table, games: int) -> None:
    """Every opponent plays in equally many games, at least as many as asked for, and in no round too many."""
    gauntlet = with_company(1, len(table.members), table.setup.snakes, table.setup.seed)
    played = [
        set(seats) for number in range(blocks_for(gauntlet, games)) for seats in seatings(gauntlet, number)
    ]
    against = {sum(opponent in seats for seats in played) for opponent in range(1, len(gauntlet.entrants))}
    assert len(against) == 1 and min(against) >= games
    assert blocks_for(gauntlet, min(against)) == blocks_for(gauntlet, games)
    assert blocks_for(gauntlet, min(against) + 1) > blocks_for(gauntlet, games)


@pytest.mark.parametrize(
    ("opponents", "snakes", "games", "blocks"),
    [(8, 2, 2, 8), (8, 2, 3, 16), (3, 4, 200, 50), (8, 4, 12, 8), (1, 4, 8, 2), (2, 4, 8, 2)],
)
def test_the_blocks_of_a_gauntlet(opponents: int, snakes: int, games: int, blocks: int) -> None:
    """Duels are pairs against each opponent; games of four are rotations, of three opponents each."""
    assert blocks_for(with_company(1, opponents, snakes), games) == blocks


def test_company_comes_in_different_combinations() -> None:
    """Opponents meet in other combinations from round to round, in an order that the seed determines."""
    table, other = Table(with_company(1, 8, 4), 40), Table(with_company(1, 8, 4, seed=2), 40)
    assert len({frozenset(drawn) for drawn in table.drawn()}) > 20
    assert table.drawn() != other.drawn()
    assert table.drawn() == table.drawn()


def test_neighbours_change() -> None:
    """With a fixed company a contender does not sit in front of the same neighbour in every block."""
    setup = with_company(2, 2, 4)
    behind = {seats[(seats.index(0) + 1) % 4] for number in range(20) for seats in seatings(setup, number)}
    assert behind == {1, 2, 3}


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
def test_points_are_shares(case: Case) -> None:
    """Points are from 0 to 1, for each entrant."""
    shares = points(case.setup, case.block)
    assert len(shares) == len(case.setup.entrants)
    assert all(0 <= share <= 1 for share in shares)


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
