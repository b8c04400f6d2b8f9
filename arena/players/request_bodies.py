"""The bodies that engines post to a Battlesnake, in the form of each engine.

There are three forms: of the official command line, of the platform arena.battlesnake.com in August 2026, and
of the same platform later. A body does not name its form.
"""

from dataclasses import dataclass
from enum import Enum

from arena.players.player import PLAIN
from arena.records import Cell, Looks, Rules
from battlesnake_search.common.types import Json
from searcher.engine.position import Point, Snake

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
    PLATFORM_NEWER = "platform-newer"
    """The platform after August 2026: the board has only the living snakes."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A snake as an engine reports it.

    A dead snake has the body after its last move, whose head may be off the board.
    """

    snake: Snake
    name: str
    latency: int | None = 0
    """The milliseconds until the last answer, or None if it was late."""
    shout: str = ""
    alive: bool = True
    looks: Looks = PLAIN


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of a body, without a form. `snakes` may include dead snakes, in the first board's order."""

    game_id: str
    rules: Rules
    timeout: int
    turn: int
    snakes: tuple[Reported, ...]
    food: tuple[Cell, ...]
    hazards: tuple[Cell, ...]


def request_body(form: Form, scene: Scene, you: Reported) -> Json:
    """Return the body of /start, /move or /end for `you`. `you` may be dead or absent from the scene."""
    rules = scene.rules
    hazards = scene.hazards
    if form is not Form.OFFICIAL:
        # Only the official command line passes on hazards off the board. The map snail_mode uses them as its
        # memory.
        hazards = tuple((x, y) for x, y in hazards if 0 <= x < rules.width and 0 <= y < rules.height)
    shown = [one for one in scene.snakes if one.alive or form is Form.PLATFORM]
    return {
        "game": _game(form, scene),
        "turn": scene.turn,
        "board": {
            "height": rules.height,
            "width": rules.width,
            "snakes": [_snake(form, scene, one) for one in shown],
            "food": _points(scene.food),
            "hazards": _points(hazards),
        },
        "you": _snake(form, scene, you),
    }


def _game(form: Form, scene: Scene) -> Json:
    rules, official = scene.rules, form is Form.OFFICIAL
    ruleset, map_name = _names(form, rules)
    settings: Json = {
        "foodSpawnChance": rules.food_spawn_chance,
        "minimumFood": rules.minimum_food,
        "hazardDamagePerTurn": rules.hazard_damage,
        "royale": {"shrinkEveryNTurns": rules.shrink_every},
        "squad": _SQUAD,
    }
    if form is not Form.PLATFORM:
        settings["hazardMap"] = ""
    if official:
        settings["hazardMapAuthor"] = ""
    return {
        "id": scene.game_id,
        "ruleset": {
            "name": ruleset,
            "version": "arena" if official else "v1.0.0",
            "settings": settings,
        },
        "map": map_name,
        "timeout": scene.timeout,
        "source": "arena" if official else "",
    }


def _names(form: Form, rules: Rules) -> tuple[str, str]:
    """Return the names of the ruleset and of the map."""
    if form is Form.OFFICIAL:
        return rules.ruleset, rules.map
    if form is Form.PLATFORM:
        return rules.ruleset, rules.map if rules.map == "snail_mode" else ""
    if rules.ruleset == "royale":
        return "standard", "royale"
    return rules.ruleset, "empty" if rules.ruleset == "constrictor" else rules.map


def _snake(form: Form, scene: Scene, one: Reported) -> Json:
    latency = one.latency
    if latency is None:
        latency = 0 if form is Form.PLATFORM else scene.timeout
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
