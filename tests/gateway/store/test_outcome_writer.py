"""The writer: it loses no outcome that the database could still take."""

import asyncio
from collections.abc import Sequence

import pytest
import structlog

from gateway.game.values import Outcome
from gateway.metrics import Metrics
from gateway.store import batches
from gateway.store import outcome_writer as writer
from gateway.store.outcome_writer import Writer
from tests.gateway.store.outcome_samples import outcome_with


class FlakyStore:
    """A store that fails a number of times, before it stores anything or after."""

    name = "flaky"

    def __init__(self, failures: int = 0, unconfirmed: int = 0) -> None:
        self.failures = failures
        self.unconfirmed = unconfirmed
        self.open = asyncio.Event()
        self.open.set()
        self.added: list[list[str]] = []

    async def prepare(self) -> None:
        """Fail as often as set."""
        await self._serve()

    async def add(self, outcomes: Sequence[Outcome]) -> None:
        """Fail as often as set, then store, then fail to confirm as often as set."""
        await self._serve()
        self.added.append([outcome.game_id for outcome in outcomes])
        if self.unconfirmed:
            self.unconfirmed -= 1
            raise ConnectionResetError("connection lost before the confirmation")

    async def _serve(self) -> None:
        await self.open.wait()
        if self.failures:
            self.failures -= 1
            raise ConnectionRefusedError("not listening")

    @property
    def games(self) -> list[str]:
        """The stored games in order; a game is listed as often as it was added."""
        return [game for batch in self.added for game in batch]


@pytest.fixture(autouse=True)
def _short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_FIRST_BACKOFF", 0.01)
    monkeypatch.setattr(writer, "_FLUSH_TIMEOUT", 0.5)


def _games(number: int) -> list[Outcome]:
    return [outcome_with(game_id=f"g{index}") for index in range(number)]


def _sample(metrics: Metrics, name: str) -> float:
    [line] = [line for line in metrics.text()[0].decode().splitlines() if line.startswith(f"{name} ")]
    return float(line.rpartition(" ")[2])


async def test_outcomes_are_written_in_order_and_in_batches() -> None:
    """More outcomes than a batch holds are each written once, in their order."""
    store, metrics = FlakyStore(), Metrics()
    async with Writer(store, metrics) as writing:
        for one in _games(1200):
            writing.record(one)
    assert store.games == [f"g{index}" for index in range(1200)]
    assert 1 < len(store.added) < 10
    assert _sample(metrics, 'gateway_outcomes_total{fate="written"}') == 1200
    assert _sample(metrics, "gateway_outcomes_waiting") == 0


async def test_no_outcome_is_lost_with_the_database() -> None:
    """Outcomes wait while the store fails, even in its preparation, and are written afterwards."""
    store = FlakyStore(failures=4)
    with structlog.testing.capture_logs() as lines:
        async with Writer(store, Metrics()) as writing:
            for one in _games(3):
                writing.record(one)
    assert store.games == ["g0", "g1", "g2"]
    reasons = [line["reason"] for line in lines if line["event"] == "outcomes not written"]
    assert reasons == ["ConnectionRefusedError: not listening"] * 4


async def test_a_batch_is_added_again_until_it_is_confirmed() -> None:
    """A batch without a confirmation is added again before any other."""
    store = FlakyStore(unconfirmed=1)
    async with Writer(store, Metrics()) as writing:
        for one in _games(2):
            writing.record(one)
    assert store.added == [["g0", "g1"], ["g0", "g1"]]


async def test_a_hanging_store_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attempt that takes too long is cancelled."""
    monkeypatch.setattr(batches, "_ATTEMPT_TIMEOUT", 0.05)
    store = FlakyStore()
    async with Writer(store, Metrics()) as writing:
        await asyncio.sleep(0)
        store.open.clear()
        writing.record(outcome_with(game_id="g"))
        await asyncio.sleep(0.1)
        store.open.set()
    assert store.games == ["g"]


async def test_recording_waits_for_nothing() -> None:
    """A thousand outcomes are buffered at once even if the store hangs."""
    store = FlakyStore()
    store.open.clear()
    now = asyncio.get_running_loop().time
    async with Writer(store, Metrics()) as writing:
        await asyncio.sleep(0.01)
        started = now()
        for one in _games(1000):
            writing.record(one)
        assert now() - started < 5
        store.open.set()
    assert len(store.games) == 1000


async def test_beyond_the_bound_new_outcomes_are_lost_and_logged() -> None:
    """A full buffer keeps its outcomes; further ones are counted as lost and logged."""
    store, metrics = FlakyStore(), Metrics()
    store.open.clear()
    with structlog.testing.capture_logs() as lines:
        async with Writer(store, metrics, max_waiting=2) as writing:
            for one in _games(3):
                writing.record(one)
            store.open.set()
    assert store.games == ["g0", "g1"]
    [lost] = [line for line in lines if line["event"] == "outcome lost"]
    assert lost["game_id"] == "g2" and lost["result"] == "win"
    assert _sample(metrics, 'gateway_outcomes_total{fate="lost"}') == 1


async def test_the_end_waits_for_a_lost_database_for_a_limited_time() -> None:
    """Outcomes that can't be written before the gateway ends are logged with all fields."""
    store = FlakyStore()
    store.open.clear()
    now = asyncio.get_running_loop().time
    with structlog.testing.capture_logs() as lines:
        async with Writer(store, Metrics()) as writing:
            writing.record(outcome_with(game_id="g"))
            started = now()
        assert 0.4 < now() - started < 3
    [lost] = [line for line in lines if line["event"] == "outcome lost"]
    assert lost["game_id"] == "g" and lost["opponents"] == ["you"]


async def test_without_outcomes_the_end_waits_for_nothing() -> None:
    """A store that was never reached doesn't delay the end if no outcome waits."""
    store = FlakyStore()
    store.open.clear()
    now = asyncio.get_running_loop().time
    async with Writer(store, Metrics()):
        started = now()
    assert now() - started < 0.3
