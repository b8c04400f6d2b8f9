"""Games of other servers, games in files of the official engine, and their ends by their last boards.

A server may call a game complete that has failed, and a file may lack its last turns.
"""

from datetime import UTC, datetime

from console.store.records import Header, Position

LAST_TURN = 5000
"""The turn at which the platform ends a game, whatever its snakes."""


def set_end(header: Header, last: Position) -> None:
    """Set the end and the winner of a game if its last board ends it."""
    if goes_on(header, last):
        return
    header.ended_at = datetime.now(UTC)
    header.winner = next(iter(last.snakes)) if _is_contest(header) and len(last.snakes) == 1 else None


def goes_on(header: Header, last: Position) -> bool:
    """Return whether the rules continue a game: with two living snakes, or with one if it plays alone."""
    return len(last.snakes) > _is_contest(header) and last.turn < LAST_TURN


def _is_contest(header: Header) -> bool:
    return len(header.snakes) > 1 and header.ruleset != "solo"
