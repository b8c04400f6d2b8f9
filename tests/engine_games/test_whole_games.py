"""Whole games by the official engine with a gateway and its embedded searcher."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from battlesnake_search.contract.rulesets import RULESETS
from tests.support.games import GameSetup, run_game
from tests.support.services import moves_by_source, running_gateway

SNAKES = (2, 4, 8)


@pytest.fixture(scope="module")
def gateway(official_engine: Path, compiled: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the URL of a gateway that plays all games of this module."""
    with running_gateway(tmp_path_factory.mktemp("gateway") / "log.jsonl") as url:
        yield url


@pytest.mark.alone
@pytest.mark.parametrize("ruleset", RULESETS)
def test_whole_games_have_no_late_or_invalid_response(
    official_engine: Path, gateway: str, ruleset: str
) -> None:
    """Copies of the snake play games of each size at once to the end; the engine accepts every response."""
    sizes = (1, *SNAKES) if ruleset == "solo" else SNAKES
    before = moves_by_source(gateway)
    with ThreadPoolExecutor(len(sizes)) as pool:
        reports = list(
            pool.map(lambda size: run_game(official_engine, [gateway] * size, setup_of(ruleset, size)), sizes)
        )
    moves = moves_by_source(gateway) - before
    for size, report in zip(sizes, reports, strict=True):
        assert report.warnings == (), size
        assert report.late == 0, size
        assert report.needless_deaths == (), size
        assert size == 1 or report.ending.endswith(("was the winner.", "was a draw.")), size
        assert report.turns > 1, size
    # A busy machine may be too slow for a few moves; most moves must come from the search.
    assert moves["reflex"] < 0.5 * moves.total()


def setup_of(ruleset: str, snakes: int) -> GameSetup:
    """Return a game on a small board where hazards close in fast, so that it ends after some 30 turns."""
    return GameSetup(ruleset, map="royale", width=7, height=7, seed=snakes, hazard_damage=30, shrink_every=2)
