"""All checks together, against snakes as people run them."""

from pathlib import Path

from arena.compliance.caller import Target
from arena.compliance.suite import CHECKS, examine
from arena.compliance.verdicts import Verdict
from tests.arena.compliance import checking
from tests.arena.outside import OutsideSnake
from tests.support.services import running_gateway
from tests.support.stalls import StallWatch

STALL = 0.03
"""Seconds; a machine that stood still for that long makes any snake late."""


async def test_a_right_snake_passes_everything() -> None:
    """Each check has verdicts, none of them shares its name with another, and all pass."""
    shown: list[str] = []
    async with checking.target(OutsideSnake()) as target:
        report = await examine(target, shown.append)
    assert shown == list(CHECKS)
    names = [verdict.name for verdict in report.verdicts]
    assert len(names) == len(set(names))
    assert report.count("pass") == len(names), report


async def test_a_path_in_the_url_is_kept() -> None:
    """A snake may live below a path; a slash at the URL's end is none of it."""
    snake = OutsideSnake()
    async with checking.target(snake) as target:
        [index, *_] = (await examine(Target(f"{target.url}/nobody/", 5000, 1), print)).verdicts
    assert (index.outcome, index.came) == ("fail", "refused: HTTP status 404")
    assert snake.requests == []


async def test_our_own_gateway_complies(tmp_path: Path) -> None:
    """The gateway with its searcher passes, warnings included, unless the machine itself stood still."""
    stalls = StallWatch()
    with running_gateway(tmp_path / "gateway.log") as url:
        stalls.longest()
        report = await examine(Target(url, timeout=250, games=8), print)
        stalled = stalls.longest() > STALL
    wrong = [verdict for verdict in report.verdicts if verdict.outcome != "pass"]
    assert [verdict for verdict in wrong if not (stalled and _is_about_time(verdict))] == []


def _is_about_time(verdict: Verdict) -> bool:
    return verdict.name == "latency" or "late: " in verdict.came
