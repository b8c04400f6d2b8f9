"""Whole games by the official engine with a gateway and its embedded searcher."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from battlesnake_search.contract.rulesets import RULESETS
from benchmarks.chaos.result import Played
from tests.support.games import GameSetup, run_game
from tests.support.services import Gateway, gateway_process, moves_by_source
from tests.support.stalls import ProcessWatch, StallWatch

SNAKES = (2, 4, 8)

LATE = 0.02
"""The part of the answers that may be late while the machine stalls."""


@pytest.fixture(scope="module")
def gateway(
    official_engine: Path, compiled: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Gateway]:
    """Yield the gateway that plays all games of this module."""
    with gateway_process(tmp_path_factory.mktemp("gateway") / "log.jsonl") as gateway:
        yield gateway


@pytest.mark.alone
@pytest.mark.parametrize("rulesets", [RULESETS[::2], RULESETS[1::2]], ids="+".join)
def test_whole_games_have_no_late_or_invalid_response(
    official_engine: Path, gateway: Gateway, rulesets: Sequence[str]
) -> None:
    """Copies of the snake play games of each size at once to the end; the engine accepts every response."""
    setups = [setup_of(ruleset, size) for ruleset in rulesets for size in SNAKES]
    if "solo" in rulesets:
        setups.append(setup_of("solo", 1))
    before = moves_by_source(gateway.url)
    watches = StallWatch(), ProcessWatch(gateway.process.pid)
    with ThreadPoolExecutor(len(setups)) as pool:
        reports = list(
            pool.map(lambda setup: run_game(official_engine, [gateway.url] * setup.seed, setup), setups)
        )
    stall = max(watch.longest() for watch in watches)
    moves = moves_by_source(gateway.url) - before
    games = [Played(report, stall) for report in reports]
    late = sum(game.late for game in games)
    assert sum(game.unexcused for game in games) == 0
    assert late <= LATE * sum(len(report.latencies) for report in reports)
    for setup, game in zip(setups, games, strict=True):
        assert game.failed == [], setup
        assert late or game.report.needless_deaths == (), setup
        assert setup.seed == 1 or game.report.ending.endswith(("was the winner.", "was a draw.")), setup
        assert game.report.turns > 1, setup
    # A busy machine may be too slow for a few moves; most moves must come from the search.
    assert moves["reflex"] < 0.5 * moves.total()


def setup_of(ruleset: str, snakes: int) -> GameSetup:
    """Return a game on a small board where hazards close in fast, so that it ends after some 30 turns.

    The number of its snakes is its seed.
    """
    return GameSetup(ruleset, map="royale", width=7, height=7, seed=snakes, hazard_damage=30, shrink_every=2)
