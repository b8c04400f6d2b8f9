"""The bots of examples/: one after another, or all at once."""

from collections.abc import Sequence

import pytest

from tests.examples.bots import BOTS, Bot, build
from tests.support.dependencies import report_missing


@pytest.fixture(params=BOTS, ids=lambda bot: bot.name)
def bot(request: pytest.FixtureRequest) -> Bot:
    """Return a bot that is built; the first build downloads what it needs."""
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
