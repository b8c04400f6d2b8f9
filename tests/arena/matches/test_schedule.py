"""The seats of games, the company, and the number of blocks."""

from collections import Counter
from dataclasses import dataclass
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.matches.schedule import blocks_for, drawn_company, games_in_block, seatings
from arena.records import Setup
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
