"""The bots of examples/: one after another, or all at once."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.examples.bots import BOTS, Bot, build
from tests.support.dependencies import report_missing


@pytest.fixture(scope="session")
def builds() -> Iterator[Mapping[str, Future[Path]]]:
    """Build all bots, two at a time, while the tests of the first ones wait for their bots."""
    pool = ThreadPoolExecutor(2)
    yield {bot.name: pool.submit(build, bot) for bot in BOTS if not bot.missing}
    pool.shutdown(cancel_futures=True)


@pytest.fixture(params=BOTS, ids=lambda bot: bot.name)
def bot(request: pytest.FixtureRequest, builds: Mapping[str, Future[Path]]) -> Bot:
    """Return a bot that is built; the first build downloads what it needs."""
    if request.param.name in builds:
        builds[request.param.name].result()
    return built(request.param)


@pytest.fixture
def bots() -> Sequence[Bot]:
    """Return all bots, built."""
    return [built(bot) for bot in BOTS]


def built(bot: Bot) -> Bot:
    """Build a bot and return it. Skip the test, or fail it in CI, if a program is missing for that."""
    for program, package in bot.missing:
        report_missing(f"{program} (it builds or runs the bot in {bot.name})", package)
    build(bot)
    return bot
