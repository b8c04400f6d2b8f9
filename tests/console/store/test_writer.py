"""The writer: it loses nothing that the database could still take."""

import asyncio
import re
from collections.abc import Sequence
from functools import partial

import pytest
from prometheus_client import CollectorRegistry

from battlesnake_search.common.metrics import exposition
from battlesnake_search.record.outcome import Outcome
from console.store import feed as feeds
from console.store import writer
from console.store.database import REMEDY, RefusedError
from console.store.feed import Feed, server_event
from console.store.records import Item, RecordRow, Renamed, game_row
from console.store.store import Store
from console.store.writer import Writer
from tests.console.store.game_samples import header_with
from tests.console.store.outcome_samples import outcome_with
from tests.support.logs import capture_logs


class FlakyStore(Store):
    """A store that fails a number of times, before it stores anything or after, and refuses some games."""

    name = "flaky"

    def __init__(self, failures: int = 0, unconfirmed: int = 0, refused: Sequence[str] = ()) -> None:
        self.failures = failures
        self.unconfirmed = unconfirmed
        self.refused = refused
        self.error: Exception = ConnectionRefusedError("not listening")
        self.open = asyncio.Event()
        self.open.set()
        self.added: list[list[str]] = []
        self.tidied = 0

    async def prepare(self, creates: bool = True) -> None:
        """Fail as often as set."""
        await self._serve()

    async def add(self, items: Sequence[Item]) -> None:
        """Fail as often as set, then store, then fail to confirm as often as set. Ids of rows have a mark."""
        ids = [f"{'' if isinstance(item, Outcome) else 'row '}{item.game_id}" for item in items]
        await self._serve()
        if any(one in self.refused for one in ids):
            raise RefusedError(ValueError("bad value"))
        self.added.append(ids)
        if self.unconfirmed:
            self.unconfirmed -= 1
            raise ConnectionResetError("connection lost before the confirmation")

    async def tidy(self) -> None:
        """Fail, and count the calls."""
        self.tidied += 1
        raise OSError("no room")

    async def _serve(self) -> None:
        await self.open.wait()
        if self.failures:
            self.failures -= 1
            raise self.error

    @property
    def games(self) -> list[str]:
        """The stored games in order; a game is listed as often as it was added."""
        return [game for batch in self.added for game in batch]


@pytest.fixture(autouse=True)
def _short_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "_FIRST_BACKOFF", 0.01)
    monkeypatch.setattr(writer, "_FLUSH", 0.5)
    monkeypatch.setattr(writer, "_LINGER", 0.01)


def _games(number: int) -> list[Outcome]:
    return [outcome_with(game_id=f"g{index}") for index in range(number)]


def _sample(registry: CollectorRegistry, name: str) -> float:
    [line] = [
        line for line in exposition(registry, "")[0].decode().splitlines() if line.startswith(f"{name} ")
    ]
    return float(line.rpartition(" ")[2])


async def test_outcomes_are_written_in_order_and_in_batches() -> None:
    """More outcomes than a batch holds are each written once, in their order."""
    store, registry = FlakyStore(), CollectorRegistry()
    async with Writer(store, registry) as writing:
        for one in _games(1200):
            writing.add([one])
    assert store.games == [f"g{index}" for index in range(1200)]
    assert 1 < len(store.added) < 10
    assert _sample(registry, 'console_outcomes_total{fate="written"}') == 1200
    assert _sample(registry, "console_outcomes_waiting") == 0


async def test_readers_keep_up_with_the_news_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch may have more changes than may wait for a reader."""
    changes = 200
    monkeypatch.setattr(feeds, "MAX_WAITING", changes // 2 * len(server_event("turn", 0)))
    store, feed = FlakyStore(), Feed()
    with feed.reading("g") as reader:
        async with Writer(store, CollectorRegistry()) as writing:
            for number in range(changes):
                writing.add([RecordRow("g", number, "", b"")], partial(feed.publish, "g", "turn", number))
            news = [await reader.next(1) for _ in range(changes)]
    assert len(store.added) == 1 and not reader.is_dropped
    assert news == [server_event("turn", number) for number in range(changes)]


async def test_no_outcome_is_lost_with_the_database() -> None:
    """Outcomes wait while the store fails, even in its preparation, and are written afterwards.

    For any number of failed attempts, one line reports the loss, and one line the database's return.
    """
    store = FlakyStore(failures=4)
    with capture_logs() as lines:
        async with Writer(store, CollectorRegistry()) as writing:
            assert str(writing.state) == "not opened yet"
            for one in _games(3):
                writing.add([one])
            while store.failures > 1:
                await asyncio.sleep(0.001)
            lost = r"lost since [-0-9: ]+ UTC: not listening"
            assert re.fullmatch(lost, str(writing.state))
    assert store.games == ["g0", "g1", "g2"]
    assert str(writing.state) == "connected"
    told = [(line["event"], line["waiting"]) for line in lines if "waiting" in line]
    assert told == [("database lost", 3), ("database back", 3)]


async def test_a_failure_that_no_attempt_cures_is_an_error() -> None:
    """The log has its remedy once, at once, although the database was lost for another reason before."""
    store = FlakyStore(failures=10**6)
    with capture_logs() as lines:
        async with Writer(store, CollectorRegistry()) as writing:
            state = writing.state
            while "not listening" not in str(state):
                await asyncio.sleep(0.001)
            store.error = PermissionError("denied")
            while "denied" not in str(state):
                await asyncio.sleep(0.001)
            assert re.fullmatch(f"lost since [-0-9: ]+ UTC: denied; {re.escape(REMEDY)}", str(state))
            store.failures = 0
            while str(state) != "connected":
                await asyncio.sleep(0.001)
    told = [(line["event"], line["log_level"], line.get("reason")) for line in lines if "waiting" in line]
    assert told == [
        ("database lost", "warning", "not listening"),
        ("database lost", "error", f"denied; {REMEDY}"),
        ("database back", "warning", None),
    ]


async def test_a_failed_removal_of_old_rows_leaves_the_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is asked again and again, and the same failure is one line."""
    monkeypatch.setattr(writer, "_TIDIED_EVERY", 0.001)
    store = FlakyStore()
    with capture_logs() as lines:
        async with Writer(store, CollectorRegistry()) as writing:
            while store.tidied < 3:
                await asyncio.sleep(0.001)
            writing.add([outcome_with(game_id="g")])
    assert store.games == ["g"]
    assert [line["reason"] for line in lines if line["event"] == "old rows are not removed"] == ["no room"]


@pytest.mark.parametrize("refused", [["g0"], ["g7"], ["g599"], ["g1", "g2", "g300"]])
async def test_a_refused_outcome_holds_up_nothing(refused: list[str]) -> None:
    """It is lost alone, the others are written once in their order, and the database is not lost."""
    store, registry = FlakyStore(refused=refused), CollectorRegistry()
    with capture_logs() as lines:
        async with Writer(store, registry) as writing:
            for one in _games(600):
                writing.add([one])
    assert store.games == [f"g{index}" for index in range(600) if f"g{index}" not in refused]
    lost = [line for line in lines if line["event"] == "outcome lost"]
    assert [line["game_id"] for line in lost] == refused
    assert {line["reason"] for line in lost} == {"the database refuses it: bad value"}
    assert _sample(registry, 'console_outcomes_total{fate="lost"}') == len(refused)
    assert not any(line["event"] == "database lost" for line in lines)


async def test_a_hanging_store_is_retried(monkeypatch: pytest.MonkeyPatch) -> None:
    """An attempt that takes too long is cancelled."""
    monkeypatch.setattr(writer, "_ATTEMPT_TIMEOUT", 0.05)
    store = FlakyStore()
    async with Writer(store, CollectorRegistry()) as writing:
        await asyncio.sleep(0)
        store.open.clear()
        writing.add([outcome_with(game_id="g")])
        await asyncio.sleep(0.1)
        store.open.set()
    assert store.games == ["g"]


async def test_senders_learn_what_is_stored() -> None:
    """Each learns it in its order, and only after the store has confirmed the whole change."""
    store, told = FlakyStore(failures=2, unconfirmed=1), list[str]()
    store.open.clear()

    def tell(name: str) -> None:
        assert {name, f"row {name}"} <= set(store.games)
        told.append(name)

    async with Writer(store, CollectorRegistry()) as writing:
        for name in "abc":
            items: list[Item] = [outcome_with(game_id=name), RecordRow(name, 0, "", b"")]
            writing.add(items, partial(tell, name))
        waiting = asyncio.create_task(writing.written([outcome_with(game_id="d")]))
        await asyncio.sleep(0.05)
        assert told == [] and not waiting.done()
        store.open.set()
        await waiting
        assert told == ["a", "b", "c"] and "d" in store.games


async def test_a_sender_learns_that_an_item_is_refused() -> None:
    """Its gateway would send it again and again. A change without items counts as stored, too."""
    store, told = FlakyStore(refused=["bad"]), list[str]()
    async with Writer(store, CollectorRegistry()) as writing:
        writing.add([outcome_with(game_id="bad")], partial(told.append, "bad"))
        writing.add([], partial(told.append, "nothing"))
        writing.add([outcome_with(game_id="good")], partial(told.append, "good"))
    assert told == ["bad", "nothing", "good"] and store.games == ["good"]


async def test_a_fault_of_a_sender_leaves_the_writing() -> None:
    """It is logged, and later changes are written."""

    def fail() -> None:
        raise ArithmeticError

    store = FlakyStore()
    with capture_logs() as lines:
        async with Writer(store, CollectorRegistry()) as writing:
            writing.add([outcome_with(game_id="a")], fail)
            await writing.written([outcome_with(game_id="b")])
    assert store.games == ["a", "b"]
    assert "stored change not told" in [line["event"] for line in lines]


async def test_a_fault_that_ends_the_writing_is_told_and_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is logged at once. The end does not wait for what nobody writes."""
    monkeypatch.setattr(writer, "_FLUSH", 60.0)
    writing = Writer(FlakyStore(), CollectorRegistry())
    monkeypatch.setattr(writing, "_batch", lambda: 1 // 0)
    with capture_logs() as lines, pytest.raises(ExceptionGroup) as raised:
        async with asyncio.timeout(10), writing:
            writing.add(_games(1))
            await writing.failed()
            [line] = [line for line in lines if line["log_level"] == "error"]
            assert line["event"] == "nothing is stored any more" and line["exc_info"]
    assert raised.group_contains(ZeroDivisionError)


async def test_a_game_is_flushed_when_none_of_its_items_waits() -> None:
    """Items of other games delay nobody."""
    store = FlakyStore()
    store.open.clear()
    async with Writer(store, CollectorRegistry()) as writing:
        writing.add([Renamed("a", "b"), game_row(header_with("c")), outcome_with(game_id="d")])
        await writing.flushed("e")
        flushes = [asyncio.create_task(writing.flushed(name)) for name in "abcd"]
        await asyncio.sleep(0.05)
        assert not any(flush.done() for flush in flushes)
        store.open.set()
        await asyncio.gather(*flushes)
    assert "d" in store.games


async def test_changes_without_items_take_room() -> None:
    """A console that records no games keeps the events of moves, too, while its database is lost."""
    store = FlakyStore()
    store.open.clear()
    async with Writer(store, CollectorRegistry()) as writing:
        for _ in range(10):
            await asyncio.wait_for(writing.room(), 1)
            writing.add((), least=writer.MOST_BYTES // 10)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(writing.room(), 0.05)
        store.open.set()
        await asyncio.wait_for(writing.room(), 1)


async def test_an_end_with_nothing_to_write_waits_for_no_database() -> None:
    """Nothing is lost by ending at once."""
    store = FlakyStore()
    store.open.clear()
    now = asyncio.get_running_loop().time
    async with Writer(store, CollectorRegistry()):
        await asyncio.sleep(0)
        started = now()
    assert now() - started < 0.3


async def test_a_long_preparation_is_not_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """The upgrade of a large database would begin again and again."""
    monkeypatch.setattr(writer, "_ATTEMPT_TIMEOUT", 0.05)
    store = FlakyStore()
    store.open.clear()
    with capture_logs() as lines:
        async with Writer(store, CollectorRegistry()) as writing:
            await asyncio.sleep(0.2)
            store.open.set()
            await asyncio.wait_for(writing.opened.wait(), 1)
    assert "database lost" not in [line["event"] for line in lines]


async def test_the_end_waits_for_a_lost_database_for_a_limited_time() -> None:
    """Gateways keep what was not written, because nobody has told them that it is stored."""
    store, told = FlakyStore(), list[str]()
    store.open.clear()
    now = asyncio.get_running_loop().time
    async with Writer(store, CollectorRegistry()) as writing:
        writing.add([outcome_with(game_id="g")], partial(told.append, "g"))
        started = now()
    assert 0.4 < now() - started < 3
    assert (told, store.games) == ([], [])
