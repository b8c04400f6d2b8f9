"""The bots of examples/, one after another."""

import pytest

from tests.examples.bots import BOTS, Bot, build
from tests.support.dependencies import report_missing


@pytest.fixture(params=BOTS, ids=lambda bot: bot.name)
def bot(request: pytest.FixtureRequest) -> Bot:
    """Return a bot that is built; the first build downloads what it needs."""
    bot: Bot = request.param
    for program, package in bot.missing:
        report_missing(f"{program} (it builds or runs the bot in {bot.name})", package)
    build(bot)
    return bot
