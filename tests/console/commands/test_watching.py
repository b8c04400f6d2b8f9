"""A live game on a terminal."""

from collections.abc import AsyncGenerator
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from console.commands import watching
from console.commands.watching import ConsoleClient, ConsoleError, Event, WatchedGame, follow, screen

SNAKES = [{"name": "Ann", "ours": True}, {"name": "", "ours": False}, {"name": "Bob", "ours": False}]


def _turn(number: int, *snakes: object, **fields: Any) -> dict[str, Any]:
    return {"turn": number, "food": [[1, 1]], "hazards": [], "snakes": [*snakes], "deaths": []} | fields


def _snake(health: int, length: int) -> dict[str, Any]:
    return {"health": health, "body": [[3, 3]] * length}


def _watched(*turns: dict[str, Any], **fields: Any) -> WatchedGame:
    game = {"id": "x", "snakes": SNAKES, "turns": [*turns], "over": False, "result": None, "map": "standard"}
    return WatchedGame(game | {"ruleset": "standard", "width": 7, "height": 5} | fields)


def _text(watched: WatchedGame) -> str:
    console = Console(file=StringIO(), width=100, record=True)
    console.print(screen(watched))
    return console.export_text()


def _line(watched: WatchedGame, start: str) -> str:
    return next(line for line in _text(watched).splitlines() if start in line).strip()


FIRST = _turn(4, _snake(90, 3), _snake(8, 12), None)

DECISION = {"move": "left", "depth": 9, "score": -0.25, "time_ms": 380.4, "pv": [["left"], ["up"], [None]]}


WHOLE = """
Turn 4  standard, 7x5  live
 4 . . . . . . .
 3 . . . B . . .
 2 . . . . . . .
 1 . * . . . . .
 0 . . . . . . .
   0 1 2 3 4 5 6
* food
A  Ann      health  90  length   3
B  unnamed  health   8  length  12
C  Bob      not on the board
A  ← left  depth 9  score -0.250  380 ms  expects ←↑
"""


def test_a_turn_fits_on_a_small_terminal() -> None:
    """It has the board, a line for each snake and one for each decision, with nothing in between."""
    lines = _text(_watched(FIRST | {"decisions": [DECISION, None, None]})).splitlines()
    assert [line.rstrip() for line in lines] == WHOLE.splitlines()[1:]


@pytest.mark.parametrize(
    ("death", "line"),
    [
        ({"cause": "wall-collision", "by": None}, "died in turn 5: wall collision"),
        ({"cause": "head-collision", "by": 0}, "died in turn 5: head collision of Ann"),
        ({"cause": None, "by": None}, "died in turn 5"),
        ({"cause": None, "by": None, "turn": 3}, "died in turn 3"),
        ({"cause": "hazard", "by": None, "late": True}, "died in turn 5: hazard, late answer"),
        ({"cause": None, "by": None, "late": True}, "died in turn 5, late answer"),
    ],
)
def test_a_dead_snake_has_its_death(death: dict[str, Any], line: str) -> None:
    """The cause stays on the screen in later turns."""
    watched = _watched(FIRST)
    watched.add(Event("turn", _turn(5, _snake(89, 3), None, None, deaths=[{"snake": 1} | death])))
    watched.add(Event("turn", _turn(6, _snake(88, 3), None, None)))
    assert _line(watched, "unnamed").endswith(line)
    assert _line(watched, "Turn").startswith("Turn 6 ")


@pytest.mark.parametrize(
    ("decision", "line"),
    [
        (DECISION, "← left  depth 9  score -0.250  380 ms  expects ←↑"),
        (DECISION | {"source": "search", "pv": [["up"]] * 9}, "380 ms  expects ↑↑↑↑↑↑↑↑"),
        ({"move": "up", "source": "reflex", "late": True}, "↑ up  reflex  LATE"),
        ({"move": "down", "score": 0.0, "depth": None, "pv": None}, "↓ down  score +0.000"),
    ],
)
def test_the_newest_decision_is_shown(decision: dict[str, Any], line: str) -> None:
    """It has the known facts of its search, and at most eight expected moves."""
    watched = _watched(FIRST)
    watched.add(Event("decision", {"snake": 0, "decision": decision}))
    watched.add(Event("turn", FIRST | {"decisions": [None, None, None]}))
    shown = _line(watched, decision["move"])
    assert shown.endswith(line) and watched.decisions == [decision, None, None]


def _alone(*turns: int, over: bool = False) -> WatchedGame:
    """Return a game of one snake with these turns."""
    return _watched(*(_turn(turn, _snake(90, 1)) for turn in turns), over=over, snakes=SNAKES[:1])


class Failing(ConsoleClient):
    """A console whose events end in an error this many times; then the game is over."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.failed = 0

    async def game(self, id_: str) -> dict[str, Any]:
        """Return the game."""
        return _alone(over=self.failed >= self.times).game

    async def events(self, id_: str) -> AsyncGenerator[Event | None]:
        """Fail, or say that everything follows."""
        if self.failed < self.times:
            self.failed += 1
            raise ConsoleError("lost")
        yield None


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once."""
    monkeypatch.setattr(watching, "_PAUSE", 0.0)


async def test_a_lost_connection_is_tried_again() -> None:
    """Ten times. Then the command ends with the error of the last attempt."""
    shown: list[WatchedGame] = []
    client = Failing(10)
    await follow(client, "x", shown.append)
    assert client.failed == 10
    client = Failing(100)
    with pytest.raises(ConsoleError, match="lost"):
        await follow(client, "x", shown.append)
    assert client.failed == 11
