"""A watched game as text: the board, the snakes, and what was decided last."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from battlesnake_search.common.drawing import FAINT, draw_board, draw_key, letter, printable
from gateway.commands.watching.client import Json
from gateway.commands.watching.game import WatchedGame

_SHOWN_MOVES = 8
"""The moves of an expected line that are shown."""

_ARROWS = {"up": "↑", "down": "↓", "left": "←", "right": "→"}


def screen(watched: WatchedGame) -> RenderableType:
    """Return the game as it stands."""
    turn = watched.turn
    if turn is None:
        return Text("waiting for the first turn")
    game, food, hazards = watched.game, _cells(turn["food"]), _cells(turn["hazards"])
    bodies = {index: _cells(snake["body"]) for index, snake in enumerate(turn["snakes"]) if snake}
    parts: list[RenderableType] = [
        _headline(watched, turn),
        draw_board(game["width"], game["height"], bodies, food, hazards),
    ]
    if key := draw_key(food, hazards):
        parts.append(key)
    return Group(*parts, _snakes(watched, turn), *_decisions(watched))


def _cells(points: list[list[int]]) -> list[tuple[int, int]]:
    return [(x, y) for x, y in points]


def _headline(watched: WatchedGame, turn: Json) -> Text:
    game = watched.game
    where = "" if game["map"] in ("", "standard") else f" on {game['map']}"
    kind = f"{game['ruleset']}{where}, {game['width']}x{game['height']}"
    return Text.assemble((f"Turn {turn['turn']}", "bold"), f"  {kind}  ", (_outcome(watched), "bold"))


def _outcome(watched: WatchedGame) -> str:
    if not watched.over:
        return "live"
    winner = (watched.result or {}).get("winner")
    return "over, no winner" if winner is None else f"over, {_name(watched.game['snakes'][winner])} won"


def _name(snake: Json) -> str:
    return printable(snake["name"]).plain or "unnamed"


def _snakes(watched: WatchedGame, turn: Json) -> Table:
    """Return a line for each snake."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for index, snake in enumerate(watched.game["snakes"]):
        name = Text(_name(snake), "bold" if snake["ours"] else "")
        seen = turn["snakes"][index]
        state = Text(_death(watched, index), FAINT) if seen is None else Text(_state(seen))
        table.add_row(letter(index), name, state)
    return table


def _state(seen: Json) -> str:
    return f"health {seen['health']:>3}  length {len(seen['body']):>3}"


def _death(watched: WatchedGame, snake: int) -> str:
    death = watched.deaths[snake]
    if death is None:
        return "not on the board"
    by = "" if death["by"] is None else f" of {_name(watched.game['snakes'][death['by']])}"
    # There may be several explanations, or none.
    cause = f": {death['cause'].replace('-', ' ')}{by}" if death["cause"] else ""
    return f"died in turn {death['turn']}{cause}"


def _decisions(watched: WatchedGame) -> Iterator[Text]:
    """Yield a line for each snake of which a decision is known: the last one."""
    for snake, decision in enumerate(watched.decisions):
        if decision is not None:
            yield Text.assemble(letter(snake), "  ", _decision(decision, snake))


def _decision(decision: Json, snake: int) -> Text:
    source = decision.get("source", "search")
    parts = [
        f"{_ARROWS[decision['move']]} {decision['move']}",
        "" if source == "search" else source,
        _known(decision, "depth", "depth {:.0f}"),
        _known(decision, "score", "score {:+.3f}"),
        _known(decision, "time_ms", "{:.0f} ms"),
        "LATE" if decision.get("late") else "",
        _expected(decision, snake),
    ]
    return Text("  ".join(filter(None, parts)), "bold bright_red" if decision.get("late") else "")


def _known(decision: Json, field: str, form: str) -> str:
    value = decision.get(field)
    return "" if value is None else form.format(value)


def _expected(decision: Json, snake: int) -> str:
    moves = [joint[snake] for joint in decision.get("pv") or ()][:_SHOWN_MOVES]
    arrows = "".join(_ARROWS[move] for move in moves if move)
    return f"expects {arrows}" if arrows else ""
