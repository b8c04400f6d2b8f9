"""The figures of games beyond points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.conduct import (
    Conduct,
    Figures,
    number_text,
)
from arena.matches.points import points
from arena.matches.schedule import seatings
from arena.records import Block, Ending, Game, Setup
from arena.statistics.terms import MISSING
from tests.arena.matches.made_games import block_of, game_of
from tests.arena.setups import setup_of

TURNS = 40
LOSS, DRAW = -1.0, -0.999999

LIVES = st.lists(st.none() | st.integers(0, TURNS - 1), min_size=4, max_size=4)


def conduct_of(*games: Game, entrant: int = 0) -> Conduct:
    """The conduct of an entrant in one block of games."""
    conduct = Conduct()
    conduct.add_block(entrant, games)
    return conduct


@pytest.mark.parametrize(
    ("claimed", "died", "false"),
    [(0, 26, 1), (0, 25, 0), (10, 35, 0), (10, 36, 1), (39, 39, 0), (39, None, 1)],
)
def test_a_claim_is_false_after_25_turns(claimed: int, died: int | None, false: int) -> None:
    """A claimed loss is false if the snake lives on for more than 25 turns, or is the last one alive."""
    other = None if died is not None else TURNS - 1
    conduct = conduct_of(game_of((0, 1), (died, other), scores={(claimed, 0): LOSS}, length=TURNS))
    assert conduct.false_claims == false
    assert conduct.moves == (TURNS if died is None else died + 1)


@pytest.mark.parametrize(("ending", "false"), [("one left", 1), ("turn limit", 0)])
def test_the_limit_of_turns_refutes_no_claim(ending: Ending, false: int) -> None:
    """A snake that lives when the turns run out may still have been lost; the last one alive was not."""
    game = game_of((0, 1), (None, 39), ending, scores={(20, 0): LOSS}, length=TURNS)
    assert conduct_of(game).false_claims == false


def test_only_a_proven_loss_is_a_claim() -> None:
    """Proven draws and the worst heuristics are no claims, and claims of others don't count."""
    scores = {(0, 0): DRAW, (1, 0): -0.999998, (2, 0): 1.0, (3, 1): LOSS}
    conduct = conduct_of(game_of((0, 1), (None, 39), scores=scores, length=TURNS))
    assert (conduct.false_claims, conduct.scored, conduct.false_despair) == (0, 3, 0)


def test_nothing_is_known_of_players_that_report_nothing() -> None:
    """Without scores there is no despair, without depths and nodes no median."""
    conduct = conduct_of(game_of((0, 1), (None, 9)))
    assert conduct.false_despair is None
    assert (conduct.median_depth, conduct.median_nodes) == (None, None)


def test_deaths_are_counted_by_cause() -> None:
    """Deaths have the official names."""
    causes = ("out-of-health", "wall-collision", "head-collision", "out-of-health")
    conduct = conduct_of(
        game_of((0, 1, 2, 3), (8, 9, 9, None), causes=causes),
        game_of((1, 0, 2, 3), (8, 9, 9, None), causes=causes),
        game_of((1, 2, 3, 0), (8, 9, 9, None), causes=causes),
    )
    assert conduct.deaths == {"out-of-health": 1, "wall-collision": 1}
    assert (conduct.snakes, conduct.games) == (3, 3)


def test_the_last_one_alive_has_won() -> None:
    """A game is won by the only survivor; several survivors at the limit of turns have not won."""
    won = game_of((0, 1), (None, 9))
    drawn = game_of((0, 1), (9, 9), "none left")
    limit = game_of((0, 1), (None, None), "turn limit")
    conduct = Conduct()
    for games in ((won, won), (won, drawn), (limit, drawn)):
        conduct.add_block(0, games)
    assert conduct.won == [1, 0.5, 0]
    assert (conduct.games, conduct.share_won.value) == (6, 0.5)
    assert conduct.share_won.low < 0.5 < conduct.share_won.high


AREA = "paranoid/area"

FEW_TURNS = st.lists(st.none() | st.integers(0, 9), min_size=4, max_size=4)


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


@given(lives=st.lists(FEW_TURNS, min_size=16, max_size=16), opponents=st.integers(3, 6))
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
    assert sum(each.won[0] for each in figures.conducts) == 1


def test_blocks_that_do_not_count_are_left_out() -> None:
    """A void game voids its block for conduct, too."""
    setup = gauntlet(1, 2)
    void = game_of((0, 1), (None, 9), void="somebody never answered")
    figures = Figures.of(setup, [block_of(void, game_of((1, 0), (9, None)))])
    assert (figures.conducts[0].games, figures.against[1].games) == (0, 0)
    assert (figures.against[1].points.value, figures.conducts[0].share_won.value) == (0.5, 0.5)


@pytest.mark.parametrize(
    ("value", "text"), [(None, MISSING), (3, "3"), (3.5, "3.5"), (999.5, "999.5"), (400_000.5, "400,000")]
)
def test_medians_are_short(value: float | None, text: str) -> None:
    """A median is a whole number or a half, and large ones have no halves."""
    assert number_text(value) == text
