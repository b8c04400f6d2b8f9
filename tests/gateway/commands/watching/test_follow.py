"""A live game whose connection is lost."""

from collections.abc import AsyncGenerator
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from gateway.commands.watching import watch
from gateway.commands.watching.client import ConsoleClient, ConsoleError, Event
from gateway.commands.watching.watch import Printer, follow
from tests.gateway.commands.watching.test_printer import SNAKES


class Failing(ConsoleClient):
    """A console whose events end in an error this many times; then the game is over."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.failed = 0

    async def game(self, id_: str) -> dict[str, Any]:
        """Return the game."""
        over = self.failed >= self.times
        game = {"snakes": SNAKES, "turns": [], "over": over, "result": None, "map": "standard"}
        return game | {"ruleset": "solo", "width": 7, "height": 5}

    async def events(self, id_: str) -> AsyncGenerator[Event | None]:
        """Fail, or say that everything follows."""
        if self.failed < self.times:
            self.failed += 1
            raise ConsoleError("lost")
        yield None


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once."""
    monkeypatch.setattr(watch, "_PAUSE", 0.0)


async def test_a_lost_connection_is_tried_again() -> None:
    """Ten times."""
    client = Failing(10)
    await follow(client, "x", Printer(Console(file=StringIO())))
    assert client.failed == 10


async def test_a_connection_that_stays_lost_ends_the_command() -> None:
    """With the error of the last attempt."""
    client = Failing(100)
    with pytest.raises(ConsoleError, match="lost"):
        await follow(client, "x", Printer(Console(file=StringIO())))
    assert client.failed == 11
