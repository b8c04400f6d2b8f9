"""Bodies have the fields and the dead of the engine whose form they take."""

import gzip
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.games.boards import moved
from arena.players.player import Reported, View
from arena.players.request_bodies import Form, request_body
from arena.records import Rules
from searcher.engine.position import Direction, Position, Ruleset, Snake

PLATFORM = Path(__file__).parents[2] / "fixtures" / "platform"

Body = dict[str, Any]


def recorded(name: str) -> list[Body]:
    """Return the bodies of /move and /end that the platform sent to one snake of a game, in order."""
    with gzip.open(PLATFORM / f"{name}.jsonl.gz") as lines:
        requests = [json.loads(line) for line in lines]
    you = requests[0]["body"]["you"]["id"]
    return [
        request["body"]
        for request in requests
        if request["path"] != "start" and request["body"]["you"]["id"] == you
    ]


def position_of(body: Body) -> Position:
    """Return the position of a body with all of its snakes."""
    board, rules = body["board"], body["game"]["ruleset"]
    return Position(
        width=board["width"],
        height=board["height"],
        snakes=tuple(
            Snake(one["id"], one["health"], tuple((part["x"], part["y"]) for part in one["body"]))
            for one in board["snakes"]
        ),
        food=tuple((cell["x"], cell["y"]) for cell in board["food"]),
        hazards=tuple((cell["x"], cell["y"]) for cell in board["hazards"]),
        turn=body["turn"],
        ruleset=Ruleset(rules["name"], rules["settings"]["hazardDamagePerTurn"]),
    )


def turns_of(name: str) -> Iterator[tuple[Position, Position]]:
    """Yield each position of a recorded game with the next one."""
    positions = [position_of(body) for body in recorded(name)]
    for before, after in pairwise(positions):
        if after.turn == before.turn + 1:
            yield before, after


def view_of_the_living() -> View:
    """Return a living snake's view beside a dead one, with hazards on the board and above it."""
    rules = Rules("standard", "standard", 11, 11, 1, 15, 14, 0, 500)
    living = Reported(Snake("a", 90, ((5, 5), (5, 4), (5, 3))), "alive", latency=None, shout="hello")
    dead = Reported(Snake("b", 40, ((5, 11), (5, 10), (5, 9))), "dead")
    position = Position(11, 11, (living.snake,), ((1, 1),), ((2, 2), (3, 15)), turn=7)
    return View("game", rules, position, living, (living, dead))


@pytest.mark.parametrize("name", ["standard", "royale", "constrictor", "snail", "standard-7x7-twice-ours"])
def test_bodies_move_as_on_the_platform(name: str) -> None:
    """Each snake of the platform's games, living or just dead, has the body and health that `moved` gives."""
    moves = frozen = 0
    for before, after in turns_of(name):
        for old, new in zip(before.snakes, after.snakes, strict=True):
            if new == old:
                frozen += 1
                continue
            moves += 1
            assert new in [moved(before, old, move) for move in Direction], (before.turn, old)
    assert moves > 50 and frozen > 0


@pytest.mark.parametrize("name", ["standard", "royale", "constrictor", "snail", "solo-7x7"])
def test_the_platforms_form_has_its_fields(name: str) -> None:
    """A body in the platform's form has the fields, the names and the version of a recorded one."""
    [body, *_] = recorded(name)
    position, settings = position_of(body), body["game"]["ruleset"]["settings"]
    rules = Rules(
        ruleset=body["game"]["ruleset"]["name"],
        map=body["game"]["map"] or "standard",
        width=position.width,
        height=position.height,
        minimum_food=settings["minimumFood"],
        food_spawn_chance=settings["foodSpawnChance"],
        hazard_damage=settings["hazardDamagePerTurn"],
        shrink_every=settings["royale"]["shrinkEveryNTurns"],
        max_turns=5000,
    )
    names = {one["id"]: one["name"] for one in body["board"]["snakes"]}
    reports = tuple(Reported(snake, names[snake.id]) for snake in position.snakes)
    you = next(one for one in reports if one.snake.id == body["you"]["id"])
    written = request_body(Form.PLATFORM, View(body["game"]["id"], rules, position, you, reports), 500)
    for one in (*written["board"]["snakes"], written["you"], *body["board"]["snakes"], body["you"]):
        # The looks are each snake's own.
        del one["customizations"]
    assert written == body


def test_the_platform_keeps_the_dead() -> None:
    """The platform's board has the dead, "0" after a late answer, and no hazards off the board."""
    body = request_body(Form.PLATFORM, view_of_the_living(), 500)
    assert [one["latency"] for one in body["board"]["snakes"]] == ["0", "0"]
    assert body["board"]["snakes"][1]["head"] == {"x": 5, "y": 11}
    assert body["board"]["hazards"] == [{"x": 2, "y": 2}]
    assert body["you"]["shout"] == "hello"
