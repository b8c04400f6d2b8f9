"""A gateway with its embedded searcher, whose log, metrics, outcomes and console tests read."""

import asyncio
import json
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy.exc import OperationalError

from battlesnake_search.record.outcome import Outcome
from console.store.database import read_database
from console.store.schema import SchemaError
from console.store.store import Store
from tests.support.services import free_port, running_gateway, samples

PATIENCE = 20.0
"""Seconds for outcomes to be written on a busy machine."""

ROUTES = """
[[snakes]]
path = "/"
[[snakes.arms]]
name = "only"
limits = { nodes = 1000 }
[[snakes]]
path = "/snake"
[[snakes.arms]]
name = "only"
limits = { nodes = 1000 }
"""
"""Snakes whose searches end long before TIMEOUT, on a busy machine too."""

TIMEOUT = 3000
"""Milliseconds that games allow for an answer."""

CLOCK = ("DEADLINE_EXCEEDED", "RESOURCE_EXHAUSTED")
"""The failures of a searcher that a busy machine explains."""

CALLED = 10
"""The milliseconds that a reflex takes at least if the searcher was called and gave no move in time."""

Entry = dict[str, Any]
"""A line of the log."""


@dataclass(frozen=True, slots=True)
class Watched:
    """The gateway by its URL and its console's, with the log and the outcomes that it writes."""

    url: str
    console: str
    log: Path
    database: str

    def entries(self, event: str, games: Collection[str] = (), count: int = 1) -> list[Entry]:
        """Return the log's entries of an event, of all games or of those with these ids.

        A move is logged after its answer: this waits for at least `count` entries.
        """
        deadline, named = time.monotonic() + PATIENCE, json.dumps(event)
        while True:
            written = self.log.read_text().splitlines()
            lines = [json.loads(line) for line in written if line.startswith("{") and named in line]
            found = [line for line in lines if line.get("event") == event]
            found = [line for line in found if not games or line["game_id"] in games]
            if len(found) >= count or time.monotonic() > deadline:
                return found
            time.sleep(0.01)

    def refused(self) -> float:
        """Return the number of positions that the searcher has refused as invalid."""
        failures = samples(self.url, "gateway_searcher_failures_total")
        return sum(sample.value for sample in failures if sample.labels["code"] == "INVALID_ARGUMENT")

    async def outcomes(self, games: Collection[str], count: int) -> dict[str, Outcome]:
        """Wait for at least `count` outcomes of these games; return all of them by the snake's id."""
        async with asyncio.timeout(PATIENCE):
            while True:
                found: list[Outcome] = []
                # The gateway answers before its console has made the tables.
                with suppress(FileNotFoundError, SchemaError, OperationalError):
                    async with Store(self.database) as store:
                        await store.prepare(creates=False)
                        found = [one for one in await store.outcomes() if one.game_id in games]
                if len(found) >= count:
                    return {one.snake_id: one for one in found}
                await asyncio.sleep(0.05)


@contextmanager
def watched_gateway(folder: Path) -> Iterator[Watched]:
    """Run a gateway with the snakes of ROUTES and its files in the folder; yield it."""
    log, file, console = folder / "log.jsonl", str(folder / "outcomes.sqlite"), f"127.0.0.1:{free_port()}"
    (folder / "routes.toml").write_text(ROUTES)
    settings = {"OUTCOMES_URL": file, "ADMIN": console, "ROUTES_FILE": str(folder / "routes.toml")}
    with running_gateway(log, **settings) as url:
        yield Watched(url, f"http://{console}", log, read_database(file).url)


def assert_searched(moves: Sequence[Entry]) -> None:
    """Assert that these moves come from searches, and that only the clock has cost some of them."""
    reflexes = [move for move in moves if move["source"] == "reflex"]
    failed = [move["last_failure"] for move in reflexes if "last_failure" in move]
    assert [failure for failure in failed if not failure.startswith(CLOCK)] == []
    assert all(move["elapsed_ms"] > CALLED for move in reflexes if "last_failure" not in move)
    assert len(reflexes) < max(0.5 * len(moves), 1)
