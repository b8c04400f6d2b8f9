"""The faults of chaos, and the page about them."""

import asyncio
import re
from pathlib import Path

import pytest

from benchmarks.chaos.faults import FAULTS
from benchmarks.chaos.stage import Fault, repeated

PAGE = (Path(__file__).parents[3] / "docs" / "chaos.md").read_text()


@pytest.mark.parametrize("fault", FAULTS.values(), ids=list(FAULTS))
def test_the_page_tells_what_a_fault_does(fault: Fault) -> None:
    """Each fault has a row that describes it, and has the figures of its games."""
    [row] = [line for line in PAGE.splitlines() if line.startswith(f"| {fault.name} | {fault.sentence} |")]
    assert re.fullmatch(r"( \d+ \|){4}", row.partition(fault.sentence)[2].removeprefix(" |"))


async def test_a_repeated_misbehaviour_ends_with_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes again and again until the games are over, and an interrupted one is mended."""
    monkeypatch.setattr("benchmarks.chaos.stage.FIRST", 0.0)
    events = []

    async def act() -> None:
        events.append("harm")
        try:
            await asyncio.sleep(0.05 if len(events) < 4 else 3600.0)
        finally:
            events.append("mend")

    async with repeated(act, pause=0.0), asyncio.timeout(5.0):
        while len(events) < 5:
            await asyncio.sleep(0.01)
    assert events == ["harm", "mend"] * 3
