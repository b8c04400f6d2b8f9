"""The figures of games beyond points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from arena.conduct import (
    LIVES_ON,
    Conduct,
    Figures,
    lengths_at_milestones,
    number_text,
)
from arena.matches.schedule import seatings
from arena.matches.standing import points
from arena.matches.workers import play_block
from arena.records import Block, Ending, Game, Move, Setup
from arena.statistics.terms import MISSING
from tests.arena.circling import circling
from tests.arena.matches.made_games import block_of, game_of
from tests.arena.report.random_games import DUEL
from tests.arena.setups import SMALL, setup_of

STEPS: dict[Move, tuple[int, int]] = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}


def test_a_meal_makes_a_snake_longer() -> None:
    """At turn 50 a snake is longer by its meals before that turn."""
    game = circling(60, {1: [20, 49, 50]}, start=0)
    assert dict(lengths_at_milestones(DUEL, game)) == {25: {0: 3, 1: 4}, 50: {0: 3, 1: 5}}


def test_turns_are_those_of_the_board() -> None:
    """A game that starts at turn 40 is at turn 50 after ten turns; turns before its start are unknown."""
    assert dict(lengths_at_milestones(DUEL, circling(15, {0: [3, 12]}, start=40))) == {50: {0: 4, 1: 3}}
    assert list(lengths_at_milestones(DUEL, circling(14, start=60))) == []


def test_the_last_board_counts() -> None:
    """A game of 50 turns has reached turn 50, a game of 49 has not."""
    assert list(dict(lengths_at_milestones(DUEL, circling(50)))) == [25, 50]
    assert list(dict(lengths_at_milestones(DUEL, circling(49)))) == [25]


def test_real_games() -> None:
    """In games of real snakes, lengths are those of snakes that grow by every meal; the dead have none."""
    rules = replace(SMALL, width=11, height=11)
    setup = setup_of("paranoid/length", "brs/length", snakes=4, rules=rules)
    games = [game for number in range(2) for game in play_block(setup, number).games]
    found = [(game, *pair) for game in games for pair in lengths_at_milestones(rules, game)]
    assert found
    for game, turn, lengths in found:
        alive = [snake for snake, death in enumerate(game.deaths) if death is None or death.turn >= turn]
        assert lengths == {snake: 3 + meals_of(game, snake, turn) for snake in alive}


def meals_of(game: Game, snake: int, turns: int) -> int:
    """How often a snake's head has reached food within some turns, as counted from the record alone."""
    food, heads = set(game.start.food), [body[0] for body in game.start.bodies]
    meals = 0
    for turn in game.turns[:turns]:
        for other, decision in enumerate(turn.decisions):
            if decision is not None:
                x, y = STEPS[decision.move]
                heads[other] = heads[other][0] + x, heads[other][1] + y
        eaten = {head for head, decision in zip(heads, turn.decisions, strict=True) if decision} & food
        meals += turn.decisions[snake] is not None and heads[snake] in eaten
        food = (food - eaten) | set(turn.food)
    return meals


TURNS = 40
LOSS, DRAW = -1.0, -0.999999

SCORES = st.dictionaries(
    st.tuples(st.integers(0, TURNS - 1), st.integers(0, 3)), st.sampled_from((LOSS, DRAW, 0.0, 1.0))
)
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
    assert (conduct.claims, conduct.false_claims) == (1, false)
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
    assert (conduct.claims, conduct.scored, conduct.despair, conduct.false_despair) == (0, 3, 0, 0)


def test_despair_is_a_share_of_all_moves() -> None:
    """One false claim in 40 moves is 2.5 %, next to the claims that were true."""
    game = game_of((1, 0), (5, 39), scores={(0, 1): LOSS, (30, 1): LOSS, (31, 1): LOSS}, length=TURNS)
    conduct = conduct_of(game)
    assert (conduct.despair, conduct.false_despair) == (3 / 40, 1 / 40)


def test_nothing_is_known_of_players_that_report_nothing() -> None:
    """Without scores there is no despair, without depths and nodes no median."""
    conduct = conduct_of(game_of((0, 1), (None, 9)))
    assert (conduct.despair, conduct.false_despair) == (None, None)
    assert (conduct.median_depth, conduct.median_nodes) == (None, None)


def test_deaths_are_counted_by_cause() -> None:
    """Deaths have the official names; a death of hunger is also counted as starved."""
    causes = ("out-of-health", "wall-collision", "head-collision", "out-of-health")
    conduct = conduct_of(
        game_of((0, 1, 2, 3), (8, 9, 9, None), causes=causes),
        game_of((1, 0, 2, 3), (8, 9, 9, None), causes=causes),
        game_of((1, 2, 3, 0), (8, 9, 9, None), causes=causes),
    )
    assert conduct.deaths == {"out-of-health": 1, "wall-collision": 1}
    assert (conduct.snakes, conduct.starved, conduct.games, conduct.last_alive) == (3, 1, 3, 1)


def test_the_last_one_alive_has_won() -> None:
    """A game is won by the only survivor; several survivors at the limit of turns have not won."""
    won = game_of((0, 1), (None, 9))
    drawn = game_of((0, 1), (9, 9), "none left")
    limit = game_of((0, 1), (None, None), "turn limit")
    conduct = Conduct()
    for games in ((won, won), (won, drawn), (limit, drawn)):
        conduct.add_block(0, games)
    assert conduct.won == [1, 0.5, 0]
    assert (conduct.last_alive, conduct.games, conduct.share_won.value) == (3, 6, 0.5)
    assert conduct.share_won.low < 0.5 < conduct.share_won.high


@given(lives=LIVES, scores=SCORES)
def test_false_claims_are_some_of_the_claims(
    lives: list[int | None], scores: dict[tuple[int, int], float]
) -> None:
    """Over any games, counts contain each other, and the entrants' moves are those of all snakes."""
    game = game_of((0, 1, 2, 1), lives, scores=scores, length=TURNS)
    conducts = [conduct_of(game, entrant=entrant) for entrant in range(3)]
    for conduct in conducts:
        assert 0 <= conduct.false_claims <= conduct.claims <= conduct.scored <= conduct.moves
        assert conduct.deaths.total() <= conduct.snakes
    decided = [decision for turn in game.turns for decision in turn.decisions if decision is not None]
    assert sum(conduct.moves for conduct in conducts) == len(decided)
    assert sum(conduct.claims for conduct in conducts) == sum(each.score == LOSS for each in decided)


@given(died=st.integers(LIVES_ON + 1, TURNS - 1))
def test_a_longer_life_refutes_more_claims(died: int) -> None:
    """Of claims in every turn, those are false after which more than 25 turns were left."""
    scores = {(turn, 0): LOSS for turn in range(TURNS)}
    conduct = conduct_of(game_of((0, 1), (died, None), scores=scores, length=TURNS))
    assert (conduct.claims, conduct.false_claims) == (died + 1, died - LIVES_ON)


def test_lengths_are_compared_where_both_live() -> None:
    """The longest other snake counts in games in which the entrant's snake was alive, and another one."""
    conduct, game = Conduct(), game_of((1, 0, 2), (None, None, 9))
    conduct.add_lengths(0, game, 50, {0: 9, 1: 5, 2: 7})
    conduct.add_lengths(0, game, 50, {0: 7, 1: 7, 2: 4})
    conduct.add_lengths(0, game, 50, {0: 30, 2: 30})
    conduct.add_lengths(0, game, 50, {1: 40})
    conduct.add_lengths(0, game, 100, {1: 12, 2: 10})
    lengths = conduct.lengths
    assert [each.means for each in lengths.values()] == [None, (6, 8), None, (12, 10)]
    assert [each.share_longest for each in lengths.values()] == [None, 0.5, None, 1]


def test_each_snake_of_an_entrant_has_a_longest_other() -> None:
    """Two snakes of an entrant are compared with the longest snake of the others, and not with each other."""
    conduct, game = Conduct(), game_of((0, 0, 1, 2), (None,) * 4)
    conduct.add_lengths(0, game, 25, {0: 9, 1: 5, 2: 6, 3: 4})
    assert (conduct.lengths[25].means, conduct.lengths[25].share_longest) == ((7, 6), 0.5)


def test_ties_are_a_share_of_the_moves_with_a_choice() -> None:
    """Moves of players that compare no moves count neither as ties nor as a choice."""
    conduct = Conduct()
    for tied in (True, False, None, True, True, None):
        conduct.add_block(0, [with_ties(tied)])
    assert (conduct.compared, conduct.tied, conduct.ties) == (4, 3, 0.75)
    assert Conduct().ties is None


def with_ties(tied: bool | None) -> Game:
    """A game of one turn, in which the first snake's search compared its moves with this result."""
    game = game_of((0, 1), (None, 0), length=1)
    own, other = game.turns[0].decisions
    assert own is not None
    return replace(game, turns=(replace(game.turns[0], decisions=(replace(own, tied=tied), other)),))


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
    assert sum(each.last_alive for each in figures.conducts) == 4


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
