"""A watched game on an output that is no terminal."""

from io import StringIO
from typing import Any

from rich.console import Console

from gateway.commands.watching.game import WatchedGame
from gateway.commands.watching.watch import Printer

SNAKES = [{"name": "Ann", "ours": True}]


def watched(*turns: int, over: bool = False) -> WatchedGame:
    """A game with these turns."""
    snakes = [{"health": 90, "body": [[3, 3]]}]
    shown: list[dict[str, Any]] = [
        {"turn": turn, "food": [], "hazards": [], "snakes": snakes, "deaths": []} for turn in turns
    ]
    game = {"snakes": SNAKES, "turns": shown, "over": over, "result": None, "map": "standard"}
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
