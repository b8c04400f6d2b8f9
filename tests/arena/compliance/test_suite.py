"""All checks together, against whole snakes."""

import re
from pathlib import Path

import pytest

from arena.compliance.exchanges import CheckResult, Endpoint
from arena.compliance.suite import CHECKS, examine
from battlesnake_search.contract.game_ids import TEST_GAME_PREFIX
from tests.arena.compliance import checking
from tests.arena.outside_snake import OutsideSnake
from tests.support.services import running_gateway

TIMEOUT = 250
"""Milliseconds for each move."""

PATIENCE = 1000
"""Milliseconds within which an answer comes even from a machine that other tests keep busy."""


async def test_a_correct_snake_passes_everything() -> None:
    """Each check has results, all results have names of their own, and all pass."""
    shown: list[str] = []
    async with checking.endpoint(OutsideSnake()) as endpoint:
        report = await examine(endpoint, shown.append)
    assert shown == list(CHECKS)
    names = [result.name for result in report.results]
    assert len(names) == len(set(names))
    assert report.count("pass") == len(names), report


async def test_games_that_end_are_marked() -> None:
    """Every game that is started or ended has the mark of games that count for nothing."""
    snake = OutsideSnake()
    async with checking.endpoint(snake) as endpoint:
        await examine(endpoint, print)
    ids = {body["game"]["id"] for path, body in snake.requests if path != "/move"}
    assert ids and all(id_.startswith(TEST_GAME_PREFIX) for id_ in ids)


async def test_a_path_in_the_url_is_kept() -> None:
    """A snake may have a path; a slash at the end of its URL is ignored."""
    snake = OutsideSnake()
    async with checking.endpoint(snake) as endpoint:
        [index, *_] = (await examine(Endpoint(f"{endpoint.url}/nobody/", 5000, 1), print)).results
    assert (index.outcome, index.came) == ("fail", "refused: HTTP status 404")
    assert snake.requests == []


@pytest.mark.alone
async def test_our_own_gateway_complies(tmp_path: Path) -> None:
    """The gateway with its searcher passes without warnings, however busy the machine is."""
    with running_gateway(tmp_path / "gateway.log") as url:
        report = await examine(Endpoint(url, timeout=TIMEOUT, games=8), print)
    assert [result for result in report.results if result.outcome != "pass" and not _is_slow(result)] == []


def _is_slow(result: CheckResult) -> bool:
    """Return whether nothing is wrong but that answers came late, each within PATIENCE."""
    # Of many problems the result names the first ones.
    named = re.sub(r"; and \d+ more$", "", result.came)
    late = [re.match(r"late: (\d+) ms", problem) for problem in named.split("; ")]
    return result.name == "latency" or all(match and int(match[1]) < PATIENCE for match in late)
