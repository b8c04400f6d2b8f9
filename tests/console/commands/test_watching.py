"""A live game on a terminal."""

from collections.abc import AsyncGenerator
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from console.commands import watching
from console.commands.watching import ConsoleClient, ConsoleError, Event, Printer, WatchedGame, follow, screen

SNAKES = [{"name": "Ann", "ours": True}, {"name": "", "ours": False}, {"name": "Bob", "ours": False}]


def _turn(number: int, *snakes: object, **fields: Any) -> dict[str, Any]:
    return {"turn": number, "food": [[1, 1]], "hazards": [], "snakes": [*snakes], "deaths": []} | fields


def _snake(health: int, length: int) -> dict[str, Any]:
    return {"health": health, "body": [[3, 3]] * length}


def _watched(*turns: dict[str, Any], **fields: Any) -> WatchedGame:
    game = {"snakes": SNAKES, "turns": [*turns], "over": False, "result": None, "map": "standard"}
    return WatchedGame(game | {"ruleset": "standard", "width": 7, "height": 5} | fields)


def _text(watched: WatchedGame) -> str:
    console = Console(file=StringIO(), width=100, record=True)
    console.print(screen(watched))
    return console.export_text()


def _line(watched: WatchedGame, start: str) -> str:
    return next(line for line in _text(watched).splitlines() if start in line).strip()


FIRST = _turn(4, _snake(90, 3), _snake(8, 12), None)

DECISION = {"move": "left", "depth": 9, "score": -0.25, "time_ms": 380.4, "pv": [["left"], ["up"], [None]]}


@pytest.mark.parametrize(
    ("fields", "head"),
    [
        ({}, "Turn 4  standard, 7x5  live"),
        ({"map": "", "ruleset": "solo"}, "Turn 4  solo, 7x5  live"),
        ({"map": "royale"}, "Turn 4  standard on royale, 7x5  live"),
        ({"over": True}, "Turn 4  standard, 7x5  over, no winner"),
        ({"over": True, "result": {"winner": None}}, "Turn 4  standard, 7x5  over, no winner"),
        ({"over": True, "result": {"winner": 0}}, "Turn 4  standard, 7x5  over, Ann won"),
        ({"over": True, "result": {"winner": 1}}, "Turn 4  standard, 7x5  over, unnamed won"),
    ],
)
def test_the_headline_has_the_turn_the_rules_and_the_outcome(fields: dict[str, Any], head: str) -> None:
    """The standard map goes without saying."""
    assert _line(_watched(FIRST, **fields), "Turn") == head


def test_each_snake_has_a_line() -> None:
    """It has health and length while it lives."""
    text = _text(_watched(FIRST))
    assert "Ann      health  90  length   3" in text
    assert "unnamed  health   8  length  12" in text
    assert "Bob      not on the board" in text


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


def test_an_important_fact_stands_out() -> None:
    """Our snakes are bold, and a decision that came too late is red."""

    def styled(late: bool) -> str:
        watched = _watched(FIRST)
        watched.add(Event("decision", {"snake": 0, "decision": {"move": "up", "late": late}}))
        console = Console(
            file=StringIO(), width=100, force_terminal=True, color_system="standard", no_color=False
        )
        with console.capture() as capture:
            console.print(screen(watched))
        return capture.get()

    assert "\x1b[1mAnn" in styled(False) and "\x1b[1mBob" not in styled(False)
    assert "\x1b[1;91m↑ up" in styled(True) and "  ↑ up" in styled(False)


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


def test_the_end_has_the_result() -> None:
    """A console that does not know it leaves the former one."""
    watched = _watched(FIRST)
    watched.add(Event("end", {"result": {"winner": 2, "turns": 9}}))
    assert _line(watched, "Turn").endswith("over, Bob won")
    watched.add(Event("end", {}))
    assert watched.over and watched.result == {"winner": 2, "turns": 9}


ALONE = [{"name": "Ann", "ours": True}]


def watched(*turns: int, over: bool = False) -> WatchedGame:
    """A game with these turns."""
    snakes = [{"health": 90, "body": [[3, 3]]}]
    shown: list[dict[str, Any]] = [
        {"turn": turn, "food": [], "hazards": [], "snakes": snakes, "deaths": []} for turn in turns
    ]
    game = {"snakes": ALONE, "turns": shown, "over": over, "result": None, "map": "standard"}
    return WatchedGame(game | {"ruleset": "solo", "width": 7, "height": 5})


def test_each_turn_is_printed_once_and_the_end_again() -> None:
    """A decision that comes later prints nothing."""
    output = StringIO()
    printer = Printer(Console(file=output, width=100))
    for game in (watched(), watched(0), watched(0), watched(0, 1), watched(0, 1, over=True)):
        printer.show(game)
    heads = [line.split("  ")[0] for line in output.getvalue().splitlines() if line.startswith("Turn")]
    assert heads == ["Turn 0", "Turn 1", "Turn 1"]
    assert "waiting" not in output.getvalue()


class Failing(ConsoleClient):
    """A console whose events end in an error this many times; then the game is over."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.failed = 0

    async def game(self, id_: str) -> dict[str, Any]:
        """Return the game."""
        over = self.failed >= self.times
        game = {"snakes": ALONE, "turns": [], "over": over, "result": None, "map": "standard"}
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
    monkeypatch.setattr(watching, "_PAUSE", 0.0)


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
