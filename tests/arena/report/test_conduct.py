"""The page's tables of figures beyond points."""

from arena.gauntlet import Figures
from arena.records import Block, Setup
from arena.report import findings
from arena.statistics.terms import MISSING
from tests.arena.circling import circling
from tests.arena.matches.made_games import block_of, game_of
from tests.arena.matches.test_summary import standing_of
from tests.arena.report.random_games import DUEL, setup_of

GAUNTLET = setup_of(DUEL, ("one", "two", "three"), company=2)


def rows(table: findings.Table | None) -> dict[str, tuple[str, ...]]:
    """A table's rows by their first cell."""
    assert table is not None
    return {row[0]: row[1:] for row in table.rows}


def pair(opponent: int, died: tuple[int | None, int | None]) -> Block:
    """A pair of games against an opponent, with the turns of death, of the first entrant first."""
    scores = {(turn, 0): -1.0 for turn in range(4)}
    return block_of(
        game_of((0, opponent), died, scores=scores, length=40),
        game_of((opponent, 0), died[::-1], causes=("wall-collision", "out-of-health")),
    )


BLOCKS = (pair(1, (None, 9)), pair(2, (9, None)))


def test_the_summary_of_a_gauntlet() -> None:
    """The first entrant's points, games won, starvation and false despair come first."""
    table = findings.gauntlet_summary(standing_of(GAUNTLET, *BLOCKS), Figures.of(GAUNTLET, BLOCKS))
    assert table.heading == "one against 2 opponents"
    found = rows(table)
    assert found["Games that count"] == ("4 in 2 blocks",)
    assert found["Points"][0].startswith("50.0 % (")
    assert found["Won"][0].endswith("; even is 50.0 %")
    assert found["Starved"] == ("1",)
    assert found["Median move"] == (f"depth {MISSING}, {MISSING} nodes",)
    assert list(table.terms) == ["Points", "Won", "False despair"]


def test_results_by_opponent() -> None:
    """Each opponent has its games and points; a match has no such table."""
    found = rows(findings.opponents(Figures.of(GAUNTLET, BLOCKS)))
    assert {name: cells[0] for name, cells in found.items()} == {"two": "2", "three": "2"}
    assert found["two"][1] == "100.0 % (5.0 % to 100.0 %)"
    assert found["three"][1] == "0.0 % (0.0 % to 95.0 %)"
    assert findings.opponents(Figures.of(setup_of(DUEL), ())) is None


def test_conduct_of_every_entrant() -> None:
    """Every entrant has a row; who reports no scores has no despair."""
    moves = 40 + 10 + 10 + 10
    claims = Figures.of(GAUNTLET, BLOCKS).conducts[0]
    assert (claims.moves, claims.claims, claims.false_claims) == (moves, 8, 4)
    found = rows(findings.conduct(Figures.of(GAUNTLET, BLOCKS)))
    assert found["one"][0] == "4"
    assert found["one"][2:5] == ("1", "11.4 %", "5.7 %")
    assert found["two"][2:5] == ("0", MISSING, MISSING)


def test_causes_of_death_have_official_names() -> None:
    """Each cause that occurred has a column, with counts and shares of an entrant's snakes."""
    table = findings.deaths(Figures.of(GAUNTLET, BLOCKS))
    assert table.columns == ("Entrant", "Snakes", "Survived", "out-of-health", "wall-collision")
    assert rows(table)["one"] == ("4", "2 (50.0 %)", "1 (25.0 %)", "1 (25.0 %)")
    assert rows(table)["two"] == ("2", "0 (0.0 %)", "0 (0.0 %)", "2 (100.0 %)")


def test_growth() -> None:
    """Lengths stand beside those of the others; turns that no game reached have a dash."""
    setup: Setup = setup_of(DUEL, ("one", "two"), company=1)
    block = block_of(circling(60, {0: [10]}), circling(60, {1: [9]}, seats=(1, 0)))
    found = rows(findings.growth(Figures.of(setup, [block])))
    assert found["one"] == ("4.0 beside 3.0", MISSING, MISSING)
    assert found["two"] == ("3.0 beside 4.0", MISSING, MISSING)
