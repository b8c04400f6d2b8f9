"""Valid requests that tests can change: a duel on 11x11."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from google.protobuf.duration_pb2 import Duration

from battlesnake_search.contract import search_pb2 as pb
from searcher.engine.position import Position
from searcher.positions.move_body import MoveBody

Cells = Sequence[tuple[int, int]]


def read_body(path: Path) -> MoveBody:
    """Return the /move body in a file. Raises msgspec.ValidationError that names an invalid field."""
    return msgspec.json.decode(path.read_bytes(), type=MoveBody)


def points(cells: Cells) -> list[pb.Point]:
    """Return cells as messages."""
    return [pb.Point(x=x, y=y) for x, y in cells]


def snake(name: str, *body: tuple[int, int], health: int = 90) -> pb.Snake:
    """Return a snake whose id is its name."""
    return pb.Snake(id=name, name=name, health=health, body=points(body))


def duel() -> pb.Position:
    """Return a position of two snakes far apart; "me" is to move."""
    return pb.Position(
        game_id="game",
        turn=12,
        you_id="me",
        ruleset=pb.Ruleset(
            name="royale",
            map="royale",
            settings=pb.RulesetSettings(hazard_damage_per_turn=14, shrink_every_n_turns=25),
        ),
        board=pb.Board(
            width=11,
            height=11,
            food=points([(0, 0), (5, 5)]),
            hazards=points([(10, 10), (10, 10), (3, 4)]),
            snakes=[snake("me", (2, 2), (2, 3), (2, 4)), snake("you", (8, 8), (8, 7), (8, 6), (8, 6))],
        ),
    )


def message_of(position: Position) -> pb.Position:
    """Return the message that a caller would send for a position."""
    message = pb.Position(turn=position.turn, you_id=position.snakes[position.you].id)
    message.ruleset.name = position.ruleset.name
    message.ruleset.settings.hazard_damage_per_turn = position.ruleset.hazard_damage
    message.ruleset.settings.shrink_every_n_turns = position.ruleset.shrink_every
    message.board.width, message.board.height = position.width, position.height
    message.board.food.extend(points(position.food))
    message.board.hazards.extend(points(position.hazards))
    message.board.snakes.extend(snake(one.id, *one.body, health=one.health) for one in position.snakes)
    return message


def search_request(*, milliseconds: int | None = None, depth: int = 0) -> pb.SearchRequest:
    """Return a request to search the duel."""
    time = None if milliseconds is None else Duration(nanos=milliseconds * 1_000_000)
    return pb.SearchRequest(position=duel(), limits=pb.Limits(time=time, depth=depth))


def stream_request(request: pb.SearchRequest) -> pb.StreamSearchRequest:
    """Return the same request for StreamSearch."""
    return pb.StreamSearchRequest(position=request.position, strategy=request.strategy, limits=request.limits)
