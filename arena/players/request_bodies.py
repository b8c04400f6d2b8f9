"""The bodies that engines post to a Battlesnake, in the form of each engine.

There are two forms: of the official command line, and of the platform arena.battlesnake.com in August 2026. A
body does not name its form.
"""

from enum import Enum

from arena.players.player import Reported, View
from battlesnake_search.common.types import Json
from searcher.engine.position import Point

_SQUAD = {
    "allowBodyCollisions": False,
    "sharedElimination": False,
    "sharedHealth": False,
    "sharedLength": False,
}


class Form(Enum):
    """The engine that sends bodies in this form."""

    OFFICIAL = "official"
    """The official command line, with the arena's version and source."""
    PLATFORM = "platform"
    """The platform as of August 2026: dead snakes stay among the board's snakes, without a mark."""


def request_body(form: Form, view: View, timeout: int) -> Json:
    """Return the body of /start, /move or /end for the view's snake, with a timeout in milliseconds."""
    rules, position = view.rules, view.position
    hazards = position.hazards
    if form is not Form.OFFICIAL:
        # Only the official command line passes on hazards off the board. The map snail_mode uses them as its
        # memory.
        hazards = tuple((x, y) for x, y in hazards if 0 <= x < rules.width and 0 <= y < rules.height)
    return {
        "game": _game(form, view, timeout),
        "turn": position.turn,
        "board": {
            "height": rules.height,
            "width": rules.width,
            "snakes": [_snake(form, one, timeout) for one in view.snakes],
            "food": _points(position.food),
            "hazards": _points(hazards),
        },
        "you": _snake(form, view.you, timeout),
    }


def _game(form: Form, view: View, timeout: int) -> Json:
    rules, official = view.rules, form is Form.OFFICIAL
    settings: Json = {
        "foodSpawnChance": rules.food_spawn_chance,
        "minimumFood": rules.minimum_food,
        "hazardDamagePerTurn": rules.hazard_damage,
        "royale": {"shrinkEveryNTurns": rules.shrink_every},
        "squad": _SQUAD,
    }
    if official:
        settings |= {"hazardMap": "", "hazardMapAuthor": ""}
    return {
        "id": view.game_id,
        "ruleset": {
            "name": rules.ruleset,
            "version": "arena" if official else "v1.0.0",
            "settings": settings,
        },
        "map": rules.map if official or rules.map == "snail_mode" else "",
        "timeout": timeout,
        "source": "arena" if official else "",
    }


def _snake(form: Form, one: Reported, timeout: int) -> Json:
    latency = one.latency
    if latency is None:
        latency = 0 if form is Form.PLATFORM else timeout
    body = _points(one.snake.body)
    return {
        "id": one.snake.id,
        "name": one.name,
        "latency": str(latency),
        "health": one.snake.health,
        "body": body,
        "head": body[0],
        "length": len(body),
        "shout": one.shout,
        "squad": "",
        "customizations": {"color": one.looks.color, "head": one.looks.head, "tail": one.looks.tail},
    }


def _points(points: tuple[Point, ...]) -> list[dict[str, int]]:
    return [{"x": x, "y": y} for x, y in points]
