"""One step more of what strangers can add to logs and traces."""

import json
import logging

from battlesnake_search.common import logs, tracing
from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import Sparse
from battlesnake_search.record.events import Source
from gateway.game.events import Answered, Event, Started
from gateway.game.log import GameLog
from gateway.play.player import Answer
from tests.console.store.game_samples import turn_at
from tests.console.store.outcome_samples import choice
from tests.docs.bounds import probe
from tests.support.logs import capture_logs

CHOICE = choice(arm="main", strategy="paranoid/area")
REFLEX = Answer("down", Source.REFLEX, "", 0.1, 0.42, 0.4, None, (), False)


@probe("battlesnake_search.common.sparse.PAUSE")
async def _faults(most: float) -> None:
    now = [100.0]
    sparse = Sparse(now=lambda: now[0])
    with capture_logs() as lines:
        for seconds in (0.0, 0.9 * most, 0.2 * most):
            now[0] += seconds
            sparse.error(get_logger("test"), "failed")
    assert [line.get("left_out") for line in lines] == [None, 1]


async def _burst(event: Event, most: int) -> None:
    game_log = GameLog()
    with capture_logs() as lines:
        for _ in range(10 * most):
            game_log.take(event)
    # Some more lines are logged if the machine is slow.
    assert most <= len(lines) < 5 * most


@probe("gateway.game.log.PLAYED_LINES")
async def _moves(most: int) -> None:
    await _burst(Answered(turn_at(3), CHOICE, REFLEX), most)


@probe("gateway.game.log.UNPLAYED_LINES")
async def _starts(most: int) -> None:
    await _burst(Started(turn_at(0), CHOICE), most)


async def _logged(value: object) -> object:
    """Return a field of a line as it is written."""
    formatter = logs._Formatter(logs._json, logs._iso)
    record = logging.makeLogRecord({"msg": "test", "fields": {"value": value}})
    return json.loads(formatter.format(record))["value"]


@probe("battlesnake_search.common.logs.LONGEST_VALUE")
async def _characters(most: int) -> None:
    assert await _logged("x" * most) == "x" * most
    cut = await _logged("x" * (most + 1))
    assert isinstance(cut, str) and len(cut) <= most and "x" * (most - 5) in cut


@probe("battlesnake_search.common.logs.MOST_ITEMS")
async def _items(most: int) -> None:
    assert await _logged(["x"] * (most + 1)) == ["x"] * most


@probe("battlesnake_search.common.tracing.MOST_STATE")
async def _state(most: int) -> None:
    parent = {"traceparent": f"00-{'1' * 32}-{'2' * 16}-01"}
    state = f"a={'x' * 251},b={'x' * (most - 256)}"
    with tracing.request(parent | {"tracestate": state}):
        assert tracing.headers() == parent | {"tracestate": state}
    with tracing.request(parent | {"tracestate": f"{state},"}):
        assert tracing.headers() == parent
