"""The figures of a gauntlet and of a match are sums over the blocks that count."""

from hypothesis import given
from hypothesis import strategies as st

from arena.gauntlet import Figures
from arena.matches.standing import points, seatings
from arena.records import Block, Setup
from tests.arena.gauntlet.circling import circling
from tests.arena.matches.made_games import block_of, game_of
from tests.arena.report import random_games
from tests.arena.setups import setup_of

AREA = "paranoid/area"

LIVES = st.lists(st.none() | st.integers(0, 9), min_size=4, max_size=4)


def gauntlet(opponents: int, snakes: int) -> Setup:
    """A gauntlet."""
    return setup_of(*[AREA] * (1 + opponents), company=opponents, snakes=snakes)


def block_with(setup: Setup, number: int, *lives: list[int | None]) -> Block:
    """A block whose games have these deaths by snake."""
    games = zip(seatings(setup, number), lives, strict=True)
    return block_of(*(game_of(seats, died) for seats, died in games), number=number)


def test_points_are_counted_by_opponent() -> None:
    """Each opponent has its own points, of those games in which it played."""
    setup = setup_of(AREA, AREA, AREA, company=2, snakes=2)
    lost, won, drawn = (
        [block_of(game_of((0, other), died), game_of((other, 0), died[::-1])) for other in (1, 2)]
        for died in ((9, None), (None, 9), (9, 9))
    )
    figures = Figures.of(setup, [won[0], lost[1], drawn[0], lost[1]])
    assert [against.by_block for against in figures.against.values()] == [[1, 0.5], [0, 0]]
    assert [against.games for against in figures.against.values()] == [4, 4]
    assert [against.points.value for against in figures.against.values()] == [0.75, 0]
    assert figures.conducts[0].won == [1, 0, 0, 0]


@given(lives=st.lists(LIVES, min_size=16, max_size=16), opponents=st.integers(3, 6))
def test_points_by_opponent_make_up_the_points(lives: list[list[int | None]], opponents: int) -> None:
    """Where a block has different opponents, its points are the mean of the points against each."""
    setup = gauntlet(opponents, 4)
    for number in range(4):
        block = block_with(setup, number, *lives[4 * number : 4 * number + 4])
        figures = Figures.of(setup, [block])
        met = [against.by_block[0] for against in figures.against.values() if against.games]
        assert len(met) == 3
        assert abs(sum(met) / 3 - points(setup, block)[0]) < 1e-9


def test_every_entrant_of_a_match_has_its_conduct() -> None:
    """A match has the conduct of all entrants and of their company, but no results by opponent."""
    setup = setup_of(AREA, AREA, AREA, AREA, company=2, snakes=4)
    died = [None, 9, 8, 7]
    figures = Figures.of(setup, [block_with(setup, 0, died, died, died, died)])
    assert figures.against == {}
    assert [each.games for each in figures.conducts] == [4] * 4
    assert sum(each.last_alive for each in figures.conducts) == 4


def test_blocks_that_do_not_count_are_left_out() -> None:
    """A void game voids its block for conduct, too."""
    setup = gauntlet(1, 2)
    void = game_of((0, 1), (None, 9), void="somebody never answered")
    figures = Figures.of(setup, [block_of(void, game_of((1, 0), (9, None)))])
    assert (figures.conducts[0].games, figures.against[1].games) == (0, 0)
    assert (figures.against[1].points.value, figures.conducts[0].share_won.value) == (0.5, 0.5)


def test_lengths_are_those_of_the_games() -> None:
    """An entrant's lengths stand beside those of the others, wherever it sits."""
    setup = random_games.setup_of(random_games.DUEL, ("one", "two"), company=1)
    games = circling(60, {0: [10, 49]}), circling(60, {1: [30]}, seats=(1, 0))
    figures = Figures.of(setup, [block_of(*games)])
    assert [each.lengths[50].means for each in figures.conducts] == [(4.5, 3), (3, 4.5)]
    assert figures.conducts[0].lengths[100].means is None
