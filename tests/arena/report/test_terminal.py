"""The page's tables on a terminal."""

from arena.conduct import Figures
from arena.records import Block, Setup
from arena.report.findings import conduct, gauntlet_tables, growth
from arena.report.terminal import printed_tables, terms_of
from arena.statistics.terms import MISSING
from tests.arena.matches.made_games import block_of, game_of
from tests.arena.matches.test_summary import printed, row_of, standing_of
from tests.arena.setups import setup_of

DUELS = setup_of("paranoid/area", "greedy", "coward", company=2, snakes=2)


def text_of(setup: Setup, *blocks: Block) -> str:
    """The tables of a gauntlet."""
    tables = gauntlet_tables(standing_of(setup, *blocks), Figures.of(setup, blocks))
    return "".join(printed(part, 130) for part in printed_tables(tables))


def won_against(opponent: int) -> Block:
    """A pair of won games."""
    return block_of(game_of((0, opponent), (None, 9)), game_of((opponent, 0), (9, None)))


def test_a_gauntlet_before_its_first_block() -> None:
    """Before the first block there is a row for each opponent, and no error."""
    text = text_of(DUELS)
    assert row_of(text, "greedy") == ["greedy", "0", "50.0 % (0.0 % to 100.0 %)"]
    assert row_of(text, "Games that count")[1] == "0 in 0 blocks"


def test_every_opponent_has_a_row() -> None:
    """A row has the games against an opponent and the points; the summary has the points of all games."""
    lost = block_of(game_of((0, 2), (9, None)), game_of((2, 0), (9, 9)))
    text = text_of(DUELS, won_against(1), lost)
    assert row_of(text, "greedy")[1] == "2" and row_of(text, "greedy")[2].startswith("100.0 % (")
    assert row_of(text, "coward")[1] == "2" and row_of(text, "coward")[2].startswith("25.0 % (")
    assert row_of(text, "Games that count")[1] == "4 in 2 blocks"
    assert row_of(text, "Points")[1].startswith("62.5 % (")
    assert "even is 50.0 %" in row_of(text, "Won")[1]
    assert row_of(text, "Deaths")[1] == "2 survived (50.0%), 2 wall-collision (50.0%)"


def test_starvation_and_false_despair() -> None:
    """Starved snakes are counted, and claims of a loss have their shares of all moves."""
    scores = {(turn, 0): -1.0 for turn in (0, 1, 39)}
    games = (
        game_of((0, 1), (39, None), scores=scores, length=40, causes=("out-of-health", "")),
        game_of((1, 0), (None, 39), length=40, causes=("", "out-of-health")),
    )
    text = text_of(DUELS, block_of(*games))
    assert row_of(text, "Starved")[1] == "2"
    assert (row_of(text, "False despair")[1], row_of(text, "Claimed losses")[1]) == ("2.5 %", "3.8 %")
    assert row_of(text, "Deaths")[1] == "2 out-of-health (100.0%)"


def test_the_conduct_of_a_match() -> None:
    """All entrants of a match have a row in both tables, and the terms are explained."""
    setup = setup_of("paranoid/balanced", "paranoid/length")
    game = game_of((0, 1), (None, 39), scores={(0, 0): -1.0}, length=40)
    figures = Figures.of(setup, [block_of(game, game_of((1, 0), (None, 9)))])
    tables = conduct(figures), growth(figures)
    first, second = ("".join(printed(part, 130) for part in printed_tables([each])) for each in tables)
    assert row_of(first, "paranoid/balanced")[-4:] == ["2.0 %", MISSING, MISSING, MISSING]
    assert row_of(first, "paranoid/length")[-4:] == [MISSING] * 4
    assert row_of(second, "paranoid/length")[1:] == [MISSING] * 4
    terms = printed(terms_of(tables), 80)
    assert all(f"\n  {term} " in f"\n{terms}" for term in ("Won", "Claimed losses", "False despair", "Ties"))
