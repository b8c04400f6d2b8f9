"""Whole games by the official engine with a gateway and its embedded searcher."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.games import RULESETS, GameSetup, run_game
from tests.support.services import moves_by_source, running_gateway

GAMES = [("solo", 1), *((ruleset, snakes) for ruleset in RULESETS for snakes in (2, 4, 8))]


@pytest.fixture(scope="module")
def gateway(official_engine: Path, compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the URL of a gateway that plays all games of this module."""
    with running_gateway(tmp_path_factory.mktemp("gateway") / "log.jsonl") as url:
        yield url


@pytest.mark.alone
@pytest.mark.parametrize(("ruleset", "snakes"), GAMES)
def test_a_whole_game_has_no_late_or_invalid_response(
    official_engine: Path, gateway: str, ruleset: str, snakes: int
) -> None:
    """Copies of the snake play to the end, and the engine accepts every response."""
    # Hazards close in fast on a small board, so every game ends after some 30 turns.
    setup = GameSetup(ruleset, map="royale", width=7, height=7, seed=snakes, hazard_damage=30, shrink_every=2)
    before = moves_by_source(gateway)
    report = run_game(official_engine, [gateway] * snakes, setup)
    moves = moves_by_source(gateway) - before
    assert report.warnings == ()
    assert report.late == 0
    assert report.needless_deaths == ()
    assert snakes == 1 or report.ending.endswith(("was the winner.", "was a draw."))
    assert report.turns > 1
    # A busy machine may be too slow for a few moves; most moves must come from the search.
    assert moves["reflex"] < 0.5 * moves.total()
