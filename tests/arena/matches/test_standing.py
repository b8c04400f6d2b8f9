"""The standing of a match: sums over its blocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.matches.points import points
from arena.matches.schedule import seatings
from arena.matches.standing import Conduct, Standing
from arena.records import Block, Ending, Game, Setup
from tests.arena.matches.made_games import LENGTH, MILLISECONDS, block_of, duel, game_of, standing_of
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


@given(lives=st.lists(FEW_TURNS, min_size=16, max_size=16), opponents=st.integers(3, 6))
def test_points_by_opponent_make_up_the_points(lives: list[list[int | None]], opponents: int) -> None:
    """Where a block has different opponents, its points are the mean of the points against each."""
    setup = gauntlet(opponents, 4)
    for number in range(4):
        block = block_with(setup, number, *lives[4 * number : 4 * number + 4])
        standing = standing_of(setup, block)
        met = [against.by_block[0] for against in standing.against.values() if against.games]
        assert len(met) == 3
        assert abs(sum(met) / 3 - points(setup, block)[0]) < 1e-9


def test_blocks_that_do_not_count_are_left_out() -> None:
    """A void game voids its block for conduct, too."""
    setup = gauntlet(1, 2)
    void = game_of((0, 1), (None, 9), void="somebody never answered")
    standing = standing_of(setup, block_of(void, game_of((1, 0), (9, None))))
    assert (standing.conducts[0].games, standing.against[1].games) == (0, 0)
    assert (standing.against[1].points.value, standing.conducts[0].share_won.value) == (0.5, 0.5)


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
    assert [standing.results[name] for name in ("win", "draw", "loss")] == [
        flat.count(result) for result in (1.0, 0.5, 0.0)
    ]


def test_a_void_game_voids_its_block() -> None:
    """A block with a void game gives no points, but its decisions and faults count."""
    standing = Standing(setup_of("paranoid/area", "paranoid/length"))
    silent = game_of((0, 1), (None, 0), void="paranoid/length never answered", faults={(0, 1): "late"})
    standing.add(block_of(silent, game_of((1, 0), (9, None))))
    assert (standing.blocks, standing.games, standing.points) == (1, 0, [])
    assert standing.void == {"paranoid/length never answered": 1}
    assert standing.faults == {(1, "late"): 1}
    assert standing.decisions == {0: 2 * LENGTH, 1: 1 + LENGTH}


def test_decisions_and_their_time() -> None:
    """Dead snakes decide nothing; the share of time is that of all decisions in the block."""
    standing = Standing(setup_of("paranoid/area", "paranoid/length"))
    standing.add(block_of(game_of((0, 1), (None, 4)), game_of((1, 0), (None, 9))))
    decided = {0: LENGTH + LENGTH, 1: 5 + LENGTH}
    assert standing.decisions == decided
    assert standing.thinking == {index: MILLISECONDS * count for index, count in decided.items()}


def test_solo_has_no_single_games() -> None:
    """In solo only blocks are compared: there are points by block, and no wins and losses."""
    standing = Standing(setup_of("paranoid/area", "paranoid/length", snakes=1))
    standing.add(block_of(game_of((0,), (6,), "none left"), game_of((1,), (5,), "none left")))
    assert (standing.values, standing.games) == ([1], 2)
    assert not standing.results
