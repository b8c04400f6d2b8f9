"""The writer behind the requests: nothing is lost that a database could still take."""

import asyncio
from collections.abc import Sequence

import pytest
import structlog

from gateway.metrics import Metrics
from gateway.outcomes import writer
from gateway.outcomes.record import Outcome
from gateway.outcomes.writer import Writer
from tests.gateway.outcomes.endings import some


class Unsteady:
    """A store that fails as often as it is told, and then takes everything; or stores and then fails."""

    name = "unsteady"

    def __init__(self, failures: int = 0, unconfirmed: int = 0) -> None:
        self.failures = failures
        self.unconfirmed = unconfirmed
        self.open = asyncio.Event()
        self.open.set()
        self.added: list[list[str]] = []

    async def prepare(self) -> None:
        """Fail, or not."""
        await self._serve()

    async def add(self, outcomes: Sequence[Outcome]) -> None:
        """Fail, or take them, or both."""
        await self._serve()
        self.added.append([outcome.game_id for outcome in outcomes])
        if self.unconfirmed:
            self.unconfirmed -= 1
            raise ConnectionResetError("gone before the answer")

    async def _serve(self) -> None:
        await self.open.wait()
        if self.failures:
            self.failures -= 1
            raise ConnectionRefusedError("nobody there")

    @property
    def games(self) -> list[str]:
        """All that was taken, in order, twice if it came twice."""
        return [game for batch in self.added for game in batch]


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_FIRST_PAUSE", 0.01)
    monkeypatch.setattr(writer, "_FLUSH", 0.5)


def _games(number: int) -> list[Outcome]:
    return [some(game_id=f"g{index}") for index in range(number)]


def _sample(metrics: Metrics, name: str) -> float:
    [line] = [line for line in metrics.text().decode().splitlines() if line.startswith(f"{name} ")]
    return float(line.rpartition(" ")[2])


async def test_what_was_recorded_is_written_in_order_and_in_batches() -> None:
    """More outcomes than a batch holds arrive once each, as they came."""
    store, metrics = Unsteady(), Metrics()
    async with Writer(store, metrics) as writing:
        for one in _games(1200):
            writing.record(one)
    assert store.games == [f"g{index}" for index in range(1200)]
    assert 1 < len(store.added) < 10
    assert _sample(metrics, 'gateway_outcomes_total{fate="written"}') == 1200
    assert _sample(metrics, "gateway_outcomes_waiting") == 0


async def test_a_lost_database_costs_nothing() -> None:
    """Outcomes wait while the store fails, from its preparation on, and are written when it is back."""
    store = Unsteady(failures=4)
    with structlog.testing.capture_logs() as lines:
        async with Writer(store, Metrics()) as writing:
            for one in _games(3):
                writing.record(one)
    assert store.games == ["g0", "g1", "g2"]
    reasons = [line["reason"] for line in lines if line["event"] == "outcomes not written"]
    assert reasons == ["ConnectionRefusedError: nobody there"] * 4


async def test_a_batch_is_offered_again_until_it_is_confirmed() -> None:
    """What a store took without saying so comes once more, and first of all."""
    store = Unsteady(unconfirmed=1)
    async with Writer(store, Metrics()) as writing:
        for one in _games(2):
            writing.record(one)
    assert store.added == [["g0", "g1"], ["g0", "g1"]]


async def test_a_store_that_hangs_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attempt that takes too long is broken off."""
    monkeypatch.setattr(writer, "_ATTEMPT", 0.05)
    store = Unsteady()
    async with Writer(store, Metrics()) as writing:
        await asyncio.sleep(0)
        store.open.clear()
        writing.record(some(game_id="g"))
        await asyncio.sleep(0.1)
        store.open.set()
    assert store.games == ["g"]


async def test_recording_waits_for_nothing() -> None:
    """With a store that hangs, a thousand outcomes are taken over at once."""
    store = Unsteady()
    store.open.clear()
    now = asyncio.get_running_loop().time
    async with Writer(store, Metrics()) as writing:
        await asyncio.sleep(0.01)
        started = now()
        for one in _games(1000):
            writing.record(one)
        assert now() - started < 0.5
        store.open.set()
    assert len(store.games) == 1000


async def test_beyond_the_bound_the_latest_are_lost_and_logged() -> None:
    """A full buffer keeps what it has; whatever else ends is counted and stands in the log."""
    store, metrics = Unsteady(), Metrics()
    store.open.clear()
    with structlog.testing.capture_logs() as lines:
        async with Writer(store, metrics, most_waiting=2) as writing:
            for one in _games(3):
                writing.record(one)
            store.open.set()
    assert store.games == ["g0", "g1"]
    [lost] = [line for line in lines if line["event"] == "outcome lost"]
    assert lost["game_id"] == "g2" and lost["result"] == "win"
    assert _sample(metrics, 'gateway_outcomes_total{fate="lost"}') == 1


async def test_the_end_waits_for_a_lost_database_only_so_long() -> None:
    """What can't be written before the gateway ends is logged, field by field."""
    store = Unsteady()
    store.open.clear()
    now = asyncio.get_running_loop().time
    with structlog.testing.capture_logs() as lines:
        async with Writer(store, Metrics()) as writing:
            writing.record(some(game_id="g"))
            started = now()
        assert 0.4 < now() - started < 3
    [lost] = [line for line in lines if line["event"] == "outcome lost"]
    assert lost["game_id"] == "g" and lost["opponents"] == ["you"]


async def test_with_nothing_to_write_the_end_comes_at_once() -> None:
    """A store that was never reached delays no end of a gateway without outcomes."""
    store = Unsteady()
    store.open.clear()
    now = asyncio.get_running_loop().time
    async with Writer(store, Metrics()):
        started = now()
    assert now() - started < 0.3
