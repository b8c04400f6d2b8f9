"""The events of recorded games, as a gateway tells them to a console. Boards have the living snakes alone."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum

from battlesnake_search.board import Turn
from battlesnake_search.reader import shortened
from battlesnake_search.record.outcome import Outcome
from battlesnake_search.translate import MoveResult


class Source(StrEnum):
    """The origin of a move."""

    SEARCH = "search"
    BEST_SO_FAR = "best-so-far"
    REFLEX = "reflex"


@dataclass(frozen=True, slots=True)
class PlayedArm:
    """The arm that plays for the snake `you` of a turn."""

    experiment: str
    name: str
    strategy: str
    """The strategy in the routes; empty for the searcher's default."""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """An answered move. Times are in seconds from the request's arrival."""

    move: str
    source: Source
    strategy: str
    """The strategy that found the move, or for a reflex the strategy that was asked for. It is empty for the
    searcher's default."""
    elapsed: float
    budget: float
    """The deadline of the search."""
    left: float
    """The time left until the engine's timeout; below 0 for a late answer."""
    result: MoveResult | None
    """None for a reflex."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Timed:
    """An event with the time at which it happened. Events that differ in their times alone are equal."""

    time: datetime = field(default_factory=lambda: datetime.now(UTC), compare=False)


@dataclass(frozen=True, slots=True)
class Started(_Timed):
    """A game has started."""

    turn: Turn
    arm: PlayedArm


@dataclass(frozen=True, slots=True)
class Answered(_Timed):
    """A move was answered."""

    turn: Turn
    arm: PlayedArm
    played: PlayedMove


@dataclass(frozen=True, slots=True)
class Ended(_Timed):
    """A game has ended. `turn` is its last turn, with the living snakes of the end."""

    turn: Turn
    arm: PlayedArm
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Probed(_Timed):
    """A game was only a check of the snake: one snake alone, at turn 0."""

    game_id: str


@dataclass(frozen=True, slots=True)
class BrokenOff(_Timed):
    """A game has begun again under its ids. Its former course has the `outcome`, and is kept as `new_id`."""

    game_id: str
    new_id: str
    outcome: Outcome


def course_id(game_id: str, course: int) -> str:
    """Return the `new_id` of a game's former course. The first course has the number 1."""
    return shortened(f"{game_id}~{course}")


@dataclass(frozen=True, slots=True)
class Abandoned(_Timed):
    """A game has had no request for a long time, and no end. `outcome` is None if no move was answered."""

    game_id: str
    outcome: Outcome | None


Event = Started | Answered | Ended | Probed | BrokenOff | Abandoned
