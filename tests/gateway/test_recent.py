"""The moves of the last hour, by the metrics of a gateway."""

from datetime import UTC, datetime, timedelta

import grpc
import pytest

from battlesnake_search.record.events import Source
from battlesnake_search.searcher_client import Failure
from battlesnake_search.translate import MoveResult
from gateway import recent
from gateway.game.events import Answered
from gateway.play.player import Answer
from gateway.recent import Recent, RecentArms
from gateway.routes.config import Arm, Routes, SnakeRoute
from gateway.routes.draw import chosen
from tests.console.store.game_samples import turn_at
from tests.console.store.outcome_samples import choice


def _count(
    recent: Recent, number: int, seconds: float, source: Source = Source.SEARCH, late: bool = False
) -> None:
    """Count a number of answers that took so many seconds."""
    answer = Answer("up", source, "", seconds, 0.42, 0.1, None, (), late)
    for _ in range(number):
        recent.take(Answered(turn_at(3), choice(arm="main", strategy="paranoid/area"), answer))


class _Clock:
    """A clock of the tests in place of the class datetime."""

    time = datetime(2026, 1, 2, tzinfo=UTC)

    def now(self, _zone: object) -> datetime:
        """Return the time."""
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> _Clock:
    """The clock of the module."""
    monkeypatch.setattr(recent, "datetime", clock := _Clock())
    return clock


def test_moves_are_counted_by_their_kind() -> None:
    """A late answer counts beside its source, and the quantiles lie within the bounds of the histogram."""
    counted = Recent()
    _count(counted, 97, 0.43)
    _count(counted, 2, 0.02, Source.REFLEX)
    _count(counted, 1, 0.55, Source.BEST_SO_FAR, late=True)
    counted.count("searcher_restarts", "console_restarts", "console_restarts")
    found = counted.figures()
    kinds = ("answered", "late", "best_so_far", "reflexes", "searcher_restarts", "console_restarts")
    assert [found[name] for name in kinds] == [100, 1, 1, 2, 1, 2]
    assert 400 < found["median_ms"] <= 450
    assert 400 < found["p99_ms"] <= 450
    _count(counted, 4, 0.55)
    assert 500 < counted.figures()["p99_ms"] <= 600


def test_older_moves_do_not_count(clock: _Clock) -> None:
    """The figures begin an hour ago at most."""
    counted = Recent()
    started = clock.time
    _count(counted, 5, 0.02)
    for _ in range(130):
        clock.time += timedelta(seconds=30)
    _count(counted, 3, 0.43)
    found = counted.figures()
    assert found["answered"] == 3 and found["median_ms"] > 400
    assert clock.time - found["since"] == timedelta(hours=1)
    assert counted.started_at == started


class _Arms:
    """An experiment of two arms, whose answered moves are counted."""

    def __init__(self, *names: str) -> None:
        self.time = 0.0
        self.snake = SnakeRoute(path="/x", arms=[Arm(name=name) for name in names])
        self._recent = RecentArms(lambda: self.time)

    def play(
        self, arm: str, number: int, code: grpc.StatusCode | None, source: Source = Source.REFLEX
    ) -> None:
        """Answer a number of moves of an arm, each with a failed call if there is a code."""
        [played] = [one for one in self.snake.arms if one.name == arm]
        failures = (Failure(code, "x"),) if code else ()
        result = None if source is Source.REFLEX else MoveResult("up", 0.0, 3, 10, 0.1)
        answer = Answer("up", source, "", 0.1, 0.42, 0.4, result, failures, False)
        for _ in range(number):
            self._recent.take(Answered(turn_at(3), chosen(self.snake, played), answer))

    @property
    def unsearched(self) -> list[str]:
        """The sentences about arms that are hardly searched."""
        return self._recent.unsearched(Routes(snakes=[self.snake]))


REFUSED = grpc.StatusCode.INVALID_ARGUMENT


def test_an_arm_whose_calls_fail_is_told_until_it_is_searched_again() -> None:
    """It takes 50 moves. Moves that a retry found in time count as searched, and old moves count no more."""
    arms = _Arms("a", "b")
    arms.play("a", 100, REFUSED, Source.SEARCH)
    arms.play("b", 49, REFUSED)
    assert arms.unsearched == []
    arms.play("b", 1, REFUSED)
    assert arms.unsearched == [
        "/x, arm b is hardly searched: calls of its searcher failed for 50 of the last 50 moves"
    ]
    arms.time = 601.0
    assert arms.unsearched == []
    arms.play("b", 100, REFUSED)
    assert len(arms.unsearched) == 1
    arms.play("b", 80, None, Source.BEST_SO_FAR)
    assert arms.unsearched == []


def test_strangers_make_no_gateway_unready() -> None:
    """Reflexes for lack of time, or of a busy searcher, and snakes without an experiment do not count."""
    arms, alone = _Arms("a", "b"), _Arms("a")
    arms.play("a", 100, grpc.StatusCode.RESOURCE_EXHAUSTED)
    arms.play("b", 100, None)
    alone.play("a", 100, REFUSED)
    assert arms.unsearched == alone.unsearched == []
