"""The conduct of snakes, in games made for it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.gauntlet import LIVES_ON, Conduct
from arena.records import Ending, Game
from tests.arena.matches.made_games import game_of

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
    """The others' lengths count in games in which the entrant's snake was alive, and another one, too."""
    conduct, game = Conduct(), game_of((1, 0, 2), (None, None, 9))
    conduct.add_lengths(0, game, 50, {0: 9, 1: 5, 2: 7})
    conduct.add_lengths(0, game, 50, {0: 30, 2: 30})
    conduct.add_lengths(0, game, 50, {1: 40})
    conduct.add_lengths(0, game, 100, {1: 12, 2: 10})
    assert [lengths.means for lengths in conduct.lengths.values()] == [(5, 8), (12, 10), None]
