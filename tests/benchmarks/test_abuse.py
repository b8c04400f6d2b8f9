"""The benchmark of what strangers can do."""

from random import Random
from typing import Any

import msgspec
import pytest

from benchmarks.abuse import Measured
from benchmarks.attack import Attack, Report, mutated, run
from searcher.serving.server import Server
from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService
from tests.searcher.fakes import FakeStrategies

VALID = b'{"game": {"id": "a", "timeout": 500}, "turn": 1, "board": {"width": 11, "height": 11}}'

HARMLESS = Measured(
    answers=[20.0, 450.0],
    stall=0.003,
    report=Report([10.0], [10.0], {"200": 1, "400": 9}, {"OK": 1, "INVALID_ARGUMENT": 9}),
    memory={"gateway": (70.0, 80.0)},
    errors=[],
)

_replace = msgspec.structs.replace


def test_messages_are_nearly_valid() -> None:
    """Most of a mutated message is left, and all kinds of changes occur."""
    rng = Random(1)
    messages = [mutated(rng, VALID) for _ in range(500)]
    assert len(set(messages)) > 400
    assert {len(message) > len(VALID) for message in messages} == {True, False}
    assert sum(message.startswith(VALID[:4]) for message in messages) > 100


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        ({}, None),
        ({"answers": [20.0, 500.0]}, "2 answers of games"),
        ({"report": _replace(HARMLESS.report, half_open=[31.0])}, "1 half-open connections"),
        ({"report": _replace(HARMLESS.report, slow=[31.0])}, "1 slow connections"),
        ({"report": _replace(HARMLESS.report, bodies={"200": 1, "500": 1})}, "2 bodies"),
        ({"report": _replace(HARMLESS.report, messages={"UNKNOWN": 1})}, "1 messages"),
        ({"memory": {"gateway": (70.0, 130.0)}}, "memory of the gateway"),
        ({"errors": ["Traceback"]}, "errors in the logs"),
    ],
)
def test_each_harm_is_noticed(change: dict[str, Any], failing: str | None) -> None:
    """A run fails by the line that tells why."""
    measured = Measured(**({name: getattr(HARMLESS, name) for name in Measured.__annotations__} | change))
    assert [what for what, _, is_well in measured.lines() if not is_well] == ([failing] if failing else [])


async def test_a_small_attack_reports_what_it_did() -> None:
    """Every connection, body and message is counted, by what became of it."""
    server = Server("127.0.0.1:0", 1, FakeStrategies())
    port = int((await server.start()).rpartition(":")[2])
    await server.warm()
    script = ScriptedService(scripted_searcher.at_once)
    async with scripted_searcher.searcher(script) as target, scripted_searcher.gateway(target) as client:
        report = await run(Attack(client.port or 0, port, half_open=0, slow=0, bodies=40, messages=40))
    await server.stop(0.0)
    assert sum(report.bodies.values()) == sum(report.messages.values()) == 40
    assert set(report.bodies) <= {"200", "400"}
