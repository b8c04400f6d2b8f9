"""The reviews of a console: how many are kept, and how they end."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from console.reviews.reviewer import MOST_KEPT, Reviewer
from tests.console.reviews.reviewing import reviewing

PATIENCE = 60.0


@pytest.fixture
async def reviewer(tmp_path: Path) -> AsyncIterator[Reviewer]:
    """A reviewer with an empty database."""
    async with reviewing(tmp_path) as (_, made):
        yield made


async def test_the_end_stops_the_review_that_runs(reviewer: Reviewer) -> None:
    """Reviews that are over stay as they are, even one that failed."""

    async def fail() -> None:
        raise ValueError

    async with reviewer.running():
        failed, running_one = (reviewer.add((name, 0)) for name in "ab")
        failed.task = asyncio.create_task(fail())
        await asyncio.wait([failed.task])
        running_one.task = asyncio.create_task(asyncio.sleep(PATIENCE))
    assert running_one.task.cancelled()
    assert isinstance(failed.task.exception(), ValueError)


async def test_the_newest_reviews_are_kept(reviewer: Reviewer) -> None:
    """The oldest of too many is forgotten; a review that is made again is the newest."""
    for number in range(MOST_KEPT):
        reviewer.add(("g", number)).tell("problem", {}, is_last=True)
    again = reviewer.add(("g", 0))
    reviewer.add(("new", 0))
    assert list(reviewer.reviews) == [
        *(("g", number) for number in range(2, MOST_KEPT)),
        ("g", 0),
        ("new", 0),
    ]
    assert reviewer.reviews["g", 0] is again
