"""The summary of a gauntlet, valid for any results and for none."""

import pytest

from arena.gauntlet import (
    MISSING,
    Figures,
    conduct_explanation,
    conduct_table,
    gauntlet_explanation,
    gauntlet_summary,
    number_text,
)
from arena.records import Block, Setup
from tests.arena.gauntlet.circling import circling
from tests.arena.matches.made_games import block_of, game_of
from tests.arena.matches.test_summary import printed, row_of, standing_of
from tests.arena.report import random_games
from tests.arena.setups import setup_of

DUELS = setup_of("paranoid/area", "greedy", "coward", company=2, snakes=2)


def text_of(setup: Setup, *blocks: Block, columns: int = 130) -> str:
    """The summary on a terminal of some columns."""
    return printed(gauntlet_summary(standing_of(setup, *blocks), Figures.of(setup, blocks)), columns)


def won_against(opponent: int) -> Block:
    """A pair of won games."""
    return block_of(game_of((0, opponent), (None, 9)), game_of((opponent, 0), (9, None)))


def test_a_gauntlet_before_its_first_block() -> None:
    """Before the first block there is a row for each opponent, and no error."""
    text = text_of(DUELS)
    assert row_of(text, "greedy") == ["greedy", "0", "0.500", "0.000 to 1.000", "0.0", "0"]
    assert "paranoid/area: 0 games of 2 snakes in 0 blocks" in text


def test_every_opponent_has_a_row() -> None:
    """A row has the games against an opponent and the points, then a row has those of all."""
    lost = block_of(game_of((0, 2), (9, None)), game_of((2, 0), (9, 9)))
    text = text_of(DUELS, won_against(1), lost)
    assert row_of(text, "greedy")[:3] == ["greedy", "2", "1.000"]
    assert row_of(text, "coward")[:3] == ["coward", "2", "0.250"]
    assert row_of(text, "all")[:3] == ["all", "4", "0.625"]
    assert "paranoid/area: 4 games of 2 snakes in 2 blocks\n" in text
    assert row_of(text, "won")[1].startswith("2 of 4 games: 50.0% (")
    assert "even is 50.0%" in text
    assert "2 survived (50.0%), 2 wall-collision (50.0%)" in text


def test_starvation_and_false_despair() -> None:
    """Starved snakes are counted, and claims of a loss have their shares of all moves."""
    scores = {(turn, 0): -1.0 for turn in (0, 1, 39)}
    games = (
        game_of((0, 1), (39, None), scores=scores, length=40, causes=("out-of-health", "")),
        game_of((1, 0), (None, 39), length=40, causes=("", "out-of-health")),
    )
    text = text_of(DUELS, block_of(*games))
    assert row_of(text, "starved")[1] == "2"
    assert row_of(text, "false despair")[1] == "2.50% of 80 moves; a loss is claimed in 3.75%"
    assert row_of(text, "deaths")[1] == "2 out-of-health (100.0%)"


def test_lengths_are_beside_those_of_the_others() -> None:
    """Lengths are shown for the turns that games have reached."""
    setup = random_games.setup_of(random_games.DUEL, ("one", "two"), company=1)
    text = text_of(setup, block_of(circling(60, {0: [10]}), circling(60, {0: [9]}, seats=(1, 0))))
    assert row_of(text, "length at 50")[1] == "3.5 beside the others' 3.5, alive in 2 games"
    assert "length at 100" not in text


def test_missing_reports_are_shown() -> None:
    """A player that reports nothing has a dash instead of despair and medians."""
    text = text_of(DUELS, won_against(1))
    assert row_of(text, "false despair")[1] == MISSING
    assert row_of(text, "median move")[1] == f"depth {MISSING}, {MISSING} nodes"


def test_faults_and_voids_are_shown() -> None:
    """Faults appear by opponent, those of the first entrant below, and void games by reason."""
    void = game_of((0, 1), (None, 0), void="greedy never answered", faults={(0, 1): "late", (3, 0): "late"})
    text = text_of(DUELS, block_of(void, game_of((1, 0), (9, None))))
    assert row_of(text, "greedy")[-1] == "1 late"
    assert row_of(text, "faults")[1] == "1 late"
    assert row_of(text, "1 void game")[1] == "greedy never answered"


@pytest.mark.parametrize(
    ("value", "text"), [(None, MISSING), (3, "3"), (3.5, "3.5"), (999.5, "999.5"), (400_000.5, "400,000")]
)
def test_medians_are_short(value: float | None, text: str) -> None:
    """A median is a whole number or a half, and large ones have no halves."""
    assert number_text(value) == text


def test_the_table_of_conduct() -> None:
    """All entrants of a match have a row, which fits 80 columns."""
    setup = setup_of("paranoid/balanced", "paranoid/length")
    game = game_of((0, 1), (None, 39), scores={(0, 0): -1.0}, length=40)
    figures = Figures.of(setup, [block_of(game, game_of((1, 0), (None, 9)))])
    text = printed(conduct_table(figures), 80)
    assert row_of(text, "paranoid/balanced") == ["paranoid/balanced", "50.0%", "0", "2.00%", *[MISSING] * 5]
    assert row_of(text, "paranoid/length") == ["paranoid/length", "50.0%", "0", *[MISSING] * 6]
    assert all(len(line) <= 80 for line in text.splitlines())


def test_terms_are_explained() -> None:
    """Both explanations have the terms of conduct; only that of a gauntlet has a heading of its own."""
    for explanation in (gauntlet_explanation(), conduct_explanation()):
        text = printed(explanation, 80)
        assert all(f"\n  {term} " in f"\n{text}" for term in ("won", "length", "false despair"))
    assert printed(gauntlet_explanation(), 80).startswith("Terms (")
    assert printed(conduct_explanation(), 80).startswith("  won ")
