"""The findings of a match, as the page shows them."""

import pytest
from msgspec.structs import replace

from arena.records import Block, Decision, Fault, Game, Match, RecordedDeath, Setup, Start, Turn
from arena.report import findings
from arena.report.wording import MINUS
from arena.statistics.sprt import Sprt
from arena.statistics.terms import MISSING
from tests.arena.matches.made_games import block_of, game_of, standing_of
from tests.arena.report.random_games import DUEL, setup_of

START = Start(0, (((1, 1),) * 3, ((9, 9),) * 3), (100, 100), ())
DUELISTS = setup_of(DUEL)
THREE = setup_of(DUEL, ("one", "two", "three"), 3)


def game(seats: tuple[int, ...], lives: tuple[int | None, ...], fault: Fault | None = None) -> Game:
    """A game of five turns with these deaths by snake, and perhaps a fault of the first entrant."""
    turns = [
        Turn(
            tuple(Decision("up", 10.0, fault if turn == snake == 0 else None) for snake in range(len(seats)))
        )
        for turn in range(5)
    ]
    deaths = tuple(None if life is None else RecordedDeath(life, "wall-collision") for life in lives)
    return Game(seats, START, tuple(turns), deaths, "one left")


def match_of(setup: Setup, *blocks: tuple[Game, ...]) -> Match:
    """A match of these blocks."""
    return Match(setup, tuple(Block(number, games, 1.0) for number, games in enumerate(blocks)))


def pair(first: str, second: str) -> tuple[Game, ...]:
    """A pair of games with these results ("w", "d", "l") for the first entrant."""
    lives: dict[str, tuple[int | None, int | None]] = {"w": (None, 4), "d": (4, 4), "l": (4, None)}
    return game((0, 1), lives[first]), game((1, 0), lives[second][::-1])


def rows(table: findings.Table | None) -> dict[str, tuple[str, ...]]:
    """A table's rows by their first cell."""
    assert table is not None
    return {row[0]: row[1:] for row in table.rows}


def test_a_duel_is_summarized() -> None:
    """The summary has games, results, pentanomial counts, Elo with its interval and LOS."""
    match = match_of(DUELISTS, pair("w", "w"), pair("w", "l"), pair("d", "l"), pair("w", "d"), pair("l", "l"))
    found = rows(findings.summary(findings.standing_of(match)))
    assert found["Games that count"] == ("10 in 5 blocks",)
    assert found["Won / drawn / lost"] == ("4 / 2 / 4",)
    assert found["Pairs (pentanomial)"] == ("LL 1, LD 1, WL/DD 1, WD 1, WW 1",)
    assert found["Elo"][0].startswith("+0.0 ±")
    assert found["Likelihood of superiority (LOS)"] == ("50.0 %",)
    assert "LLR" not in found


def test_a_test_is_summarized() -> None:
    """With a test the table has the LLR. The conclusion names the rejected difference and a next step."""
    setup = replace(DUELISTS, test=Sprt(0, 20))
    standing = findings.standing_of(match_of(setup, *[pair("w", "w"), pair("w", "l")] * 40))
    assert "(bounds \N{MINUS SIGN}2.94 to +2.94)" in rows(findings.summary(standing))["LLR"][0]
    won = findings.conclusion(standing)
    assert won.startswith(
        "The test rejects a difference of 0 Elo from one to two, because 20 Elo is likelier"
    )
    assert won.endswith(". one has passed the test, and can replace two.")
    lost = match_of(setup, *[pair("l", "l"), pair("w", "l")] * 40)
    failed = findings.conclusion(findings.standing_of(lost))
    assert failed.startswith(
        "The test rejects a difference of 20 Elo from one to two, because 0 Elo is likel"
    )
    assert failed.endswith(". one has failed the test: keep two, or change one and test it again.")
    even = match_of(setup, pair("w", "l"), pair("w", "w"), pair("l", "l"))
    assert findings.conclusion(findings.standing_of(even)) == (
        "one won 3 of 6 games against two: not yet decided, "
        f"since 3 blocks can't tell 20 Elo from 0 (an LLR of {MINUS}0.01, between {MINUS}2.94 and +2.94)."
    )


@pytest.mark.parametrize(
    ("pairs", "words"),
    [
        ([("w", "w"), ("w", "l")] * 20, "one is stronger than two, with 95 % confidence."),
        ([("l", "l"), ("w", "l")] * 20, "two is stronger than one, with 95 % confidence."),
        ([("w", "w"), ("l", "l")] * 20, "one won 40 of 80 games against two: not yet decided, since"),
        ([("w", "w")] * 2, "one won 4 of 4 games against two: not yet decided, since the 95 % interval"),
        # The interval is the one of the tables, by Student's t.
        ([("w", "w"), ("w", "l"), ("w", "w")], "one won 5 of 6 games against two: not yet decided, since"),
    ],
)
def test_the_conclusion_without_a_test_comes_from_the_interval(
    pairs: list[tuple[str, str]], words: str
) -> None:
    """An entrant is stronger if its interval does not contain zero."""
    match = match_of(DUELISTS, *(pair(*results) for results in pairs))
    assert findings.conclusion(findings.standing_of(match)).startswith(words)


def rotation(order: tuple[int, int, int]) -> tuple[Game, ...]:
    """A block of three games in which entrants survive in this order, the best first."""
    lives: dict[int, int | None] = {order[0]: None, order[1]: 4, order[2]: 2}
    seatings = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    return tuple(game(seats, tuple(lives[seat] for seat in seats)) for seats in seatings)


def test_three_are_ranked() -> None:
    """The best is first, and the conclusion names it once it is certain."""
    match = match_of(THREE, *[rotation((2, 0, 1)), rotation((2, 1, 0)), rotation((0, 2, 1))] * 8)
    standing = findings.standing_of(match)
    table = findings.ranking(standing)
    assert table is not None
    assert [row[0] for row in table.rows] == ["three", "one", "two"]
    assert findings.conclusion(standing) == (
        "three is the strongest, ahead of every other with 95 % confidence."
    )


GAUNTLET = setup_of(DUEL, ("one", "two", "three"), company=2)


def pair_against(opponent: int, died: tuple[int | None, int | None]) -> Block:
    """A pair of games against an opponent, with the turns of death, of the first entrant first."""
    scores = {(turn, 0): -1.0 for turn in range(4)}
    return block_of(
        game_of((0, opponent), died, scores=scores, length=40),
        game_of((opponent, 0), died[::-1], causes=("wall-collision", "out-of-health")),
    )


BLOCKS = (pair_against(1, (None, 9)), pair_against(2, (9, None)))


def test_the_summary_of_a_gauntlet() -> None:
    """The first entrant's points are those against all opponents, without Elo."""
    table = findings.summary(standing_of(GAUNTLET, *BLOCKS))
    assert table.heading == "one against 2 opponents"
    found = rows(table)
    assert found["Games that count"] == ("4 in 2 blocks",)
    assert found["Points"][0].startswith("50.0 % (")
    assert "Elo" not in found


def test_results_by_opponent() -> None:
    """Each opponent has its games and points; a match has no such table."""
    found = rows(findings.opponents(standing_of(GAUNTLET, *BLOCKS)))
    assert {name: cells[0] for name, cells in found.items()} == {"two": "2", "three": "2"}
    assert found["two"][1] == "100.0 % (5.0 % to 100.0 %)"
    assert found["three"][1] == "0.0 % (0.0 % to 95.0 %)"
    assert findings.opponents(standing_of(DUELISTS)) is None


def test_conduct_of_every_entrant() -> None:
    """Every entrant has a row; who reports no scores has no despair."""
    table = findings.conduct(standing_of(GAUNTLET, *BLOCKS))
    found = rows(table)
    assert (found["one"][0], found["one"][2], found["one"][5]) == ("4", "5.7 %", "2.0 ms")
    assert found["two"][2:5] == (MISSING,) * 3
    assert table.note == "Even is 50.0 % of the games."
    assert list(table.terms) == ["Won", "False despair"]


def test_causes_of_death_have_official_names() -> None:
    """Each cause that occurred has a column, with counts and shares of an entrant's snakes."""
    table = findings.deaths(standing_of(GAUNTLET, *BLOCKS))
    assert table.columns == ("Entrant", "Snakes", "Survived", "out-of-health", "wall-collision")
    assert rows(table)["one"] == ("4", "2 (50.0 %)", "1 (25.0 %)", "1 (25.0 %)")
    assert rows(table)["two"] == ("2", "0 (0.0 %)", "0 (0.0 %)", "2 (100.0 %)")


def test_results_leave_out_what_says_nothing() -> None:
    """Tables of faults and void games appear if there are any, and conduct once a game counts."""
    void = game_of((0, 1), (None, 0), void="two never answered", faults={(0, 1): "refused"})
    tables = findings.results(standing_of(DUELISTS, block_of(void, game_of((1, 0), (9, None)))))
    assert [table.heading for table in tables] == ["one against two", "Faults", "Void games"]
    assert rows(tables[-1]) == {"two never answered": ("1",)}
    tables = findings.results(standing_of(DUELISTS, block_of(*pair("w", "l"))))
    assert [table.heading for table in tables] == ["one against two", "Conduct", "Causes of death"]
