"""The hazards behind the tails of the map snail_mode."""

from battlesnake_search.board import Turn
from battlesnake_search.living import Seen

_SNAIL_MODE = "snail_mode"


def with_trails(turn: Turn, before: Seen | None) -> Turn:
    """Return a turn of snail mode with its next trails, because the platform's server does not send them.

    A cell that a tail has just left becomes a hazard with as many layers as its snake is long. `before` is
    the board of the turn before, if it was seen.
    """
    if turn.game.map != _SNAIL_MODE or before is None or before.turn != turn.turn - 1:
        return turn
    taken = {part for snake in turn.board.snakes for part in snake.body} | set(turn.board.hazards)
    trails = [snake for snake in before.alive if snake.body[-1] not in taken]
    hazards = [*turn.board.hazards, *(snake.body[-1] for snake in trails for _ in snake.body)]
    return turn.with_board(hazards=hazards)
