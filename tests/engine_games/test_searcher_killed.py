"""A whole game by the official engine during which the embedded searcher is killed."""

import json
import os
import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.games import GameSetup, run_game
from tests.support.services import is_ready, running_gateway

KILLED_ON_TURN = 5
PATIENCE = 30.0
"""Seconds for steps that take one or two on an idle machine."""


def entries(log: Path, event: str) -> list[dict[str, Any]]:
    """Return the gateway's log entries of one event, without the output of the searcher."""
    lines = [json.loads(line) for line in log.read_text().splitlines() if line.startswith("{")]
    return [line for line in lines if line.get("event") == event]


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until the condition holds; fail after PATIENCE seconds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.alone
def test_killing_the_searcher_in_mid_game_costs_no_move(
    official_engine: Path, compiled: None, tmp_path: Path
) -> None:
    """Every move is still in time, and a new searcher takes over."""
    log = tmp_path / "log.jsonl"
    setup = GameSetup("solo", map="royale", width=7, height=7, timeout=300, hazard_damage=20, shrink_every=3)
    with running_gateway(log) as url, ThreadPoolExecutor() as pool:
        game = pool.submit(run_game, official_engine, [url], setup)
        wait_for(lambda: any(move["turn"] >= KILLED_ON_TURN for move in entries(log, "move")))
        os.kill(entries(log, "searcher started")[-1]["pid"], signal.SIGKILL)
        wait_for(lambda: len(entries(log, "searcher started")) == 2 and is_ready(url))
        report = game.result()
    moves = entries(log, "move")
    assert report.warnings == ()
    assert report.late == 0
    assert report.needless_deaths == ()
    assert moves[-1]["source"] == "search"
