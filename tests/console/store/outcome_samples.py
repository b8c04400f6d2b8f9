"""Sample outcomes, turns, choices and answers; the turns are from the official engine's requests."""

from operator import itemgetter
from typing import Any

import msgspec

from battlesnake_search.board import Point, Turn
from battlesnake_search.reader import decode
from battlesnake_search.record.events import Source
from battlesnake_search.record.outcome import Outcome, StrategyRecord
from battlesnake_search.translate import MoveResult, PlayedStrategy
from console.store.store import Store
from gateway.play.player import Answer
from gateway.routes.config import Arm, SnakeRoute
from gateway.routes.draw import Choice, chosen
from tests.battlesnake_search.record import samples
from tests.gateway.scripted_searcher import body

OUTCOME = msgspec.structs.replace(
    samples.OUTCOME,
    arm="default",
    strategy="",
    searched={"paranoid/balanced": StrategyRecord({"food": 0.5}, "of paranoid/balanced")},
)
"""A sample outcome."""


def outcome_with(**fields: Any) -> Outcome:
    """Return the sample outcome with fields replaced."""
    return msgspec.structs.replace(OUTCOME, **fields)


async def stored_outcomes(url: str) -> list[dict[str, Any]]:
    """Return the fields of each outcome in the database at a URL, by the game's id."""
    async with Store(url) as store:
        found = [msgspec.structs.asdict(outcome) for outcome in await store.outcomes()]
    return sorted(found, key=itemgetter("game_id"))


def turn_of(sent: dict[str, Any]) -> Turn:
    """Return a body as the gateway decodes it."""
    return decode(msgspec.json.encode(sent))


def recorded(name: str) -> Turn:
    """Return the turn of a recorded request."""
    return turn_of(body(name))


def with_opponents(turn: Turn, number: int, me: bool = True) -> Turn:
    """Return the turn with that many opponents on the board, with or without our snake."""
    # Each opponent has its own column, on the right side of our snake.
    bodies = [[Point(x, y) for y in range(len(turn.you.body))] for x in range(4, 4 + number)]
    opponents = [
        msgspec.structs.replace(turn.you, id=f"o{n}", name=f"other {n}", body=body)
        for n, body in enumerate(bodies)
    ]
    snakes = [*([turn.you] if me else []), *opponents]
    return msgspec.structs.replace(turn, board=msgspec.structs.replace(turn.board, snakes=snakes))


def choice(
    experiment: str = "default", arm: str = "default", strategy: str | None = None, forced: bool = False
) -> Choice:
    """Return the choice of an arm that was drawn in an experiment, or forced."""
    drawn = Arm(name=arm, strategy=strategy)
    return chosen(SnakeRoute(path="/", experiment=experiment, arms=[drawn]), drawn, forced)


def answer(
    depth: int | None = None,
    late_before: bool = False,
    strategy: PlayedStrategy | None = None,
    auto: PlayedStrategy | None = None,
) -> Answer:
    """Return an answer by reflex, or by a search of that depth and strategy, perhaps chosen by `auto`."""
    result = None if depth is None else MoveResult("up", 0.0, depth, 10, 0.1, strategy, auto)
    source = Source.REFLEX if depth is None else Source.SEARCH
    return Answer("up", source, "", 0.1, 0.0, 0.4, result, (), late_before)
