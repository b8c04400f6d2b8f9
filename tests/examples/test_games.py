"""Whole games by the official engine with the bots of examples/."""

import asyncio
import re
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.examples.bots import Bot, running_bot
from tests.support.games import GameReport, GameSetup, run_game
from tests.support.searchers import searcher
from tests.support.services import free_port

_MOVE = re.compile(r"^move: (?:up|down|left|right) \((search, depth \d+|fallback)\)$", re.MULTILINE)

SHORT = GameSetup("standard", map="royale", width=7, height=7, hazard_damage=30, shrink_every=2)
"""A game in which hazards close in fast on a small board, so that it ends after some 30 turns."""


def sources(log: Path) -> list[str]:
    """Return where each move came from, as a bot logs it: the word search or fallback."""
    return [source.partition(",")[0] for source in _MOVE.findall(log.read_text())]


def assert_in_order(report: GameReport) -> None:
    """Assert that a game ended, and that the engine accepted every response."""
    assert report.warnings == ()
    assert report.late == 0
    assert report.needless_deaths == ()
    assert report.ending.endswith(("was the winner.", "was a draw."))
    assert report.turns > 1


@pytest.mark.alone
async def test_a_whole_game_has_no_late_or_invalid_response(
    bots: Sequence[Bot], official_engine: Path, compiled: None, tmp_path: Path
) -> None:
    """All bots play one game to the end, with moves from one searcher."""
    address = f"127.0.0.1:{free_port()}"
    logs = [tmp_path / f"{bot.name}.log" for bot in bots]
    async with searcher(address):
        with ExitStack() as running:
            urls = [
                running.enter_context(running_bot(bot, log, address))
                for bot, log in zip(bots, logs, strict=True)
            ]
            report = await asyncio.to_thread(run_game, official_engine, urls, SHORT)
    assert_in_order(report)
    moves = [source for log in logs for source in sources(log)]
    # The report has not the last move of a snake that died.
    assert len(moves) >= len(report.latencies)
    assert all("search" in sources(log) for log in logs)
    # A busy machine may be too slow for a few moves; most moves must come from the search.
    assert moves.count("fallback") < 0.2 * len(moves)
