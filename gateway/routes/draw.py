"""The draw of the arm that plays a game.

It is a pure function of the routes and the game, so gateways agree without shared state.
"""

import hashlib
from dataclasses import dataclass
from itertools import accumulate

from battlesnake_search.board import Turn
from battlesnake_search.record.events import PlayedArm
from gateway.routes.config import Arm, Routes, SnakeRoute

_HASH_BITS = 64
_FLOAT_BITS = 53


@dataclass(frozen=True, slots=True)
class Choice(PlayedArm):
    """The decision for a snake of a game. `forced`: the request named the arm, so it was not drawn."""

    snake: SnakeRoute
    arm: Arm
    forced: bool


def chosen(snake: SnakeRoute, arm: Arm, forced: bool = False) -> Choice:
    """Return the Choice that stands for this arm."""
    return Choice(snake.experiment_name, arm.name, arm.strategy or "", snake, arm, forced)


def choose_arm(routes: Routes, snake: SnakeRoute, turn: Turn, arm_name: str = "") -> Choice:
    """Choose the arm for the turn's game: `arm_name` if it is an arm and may be named, else the drawn arm."""
    is_allowed = bool(snake.token) if routes.arm_header is None else routes.arm_header
    for arm in snake.arms:
        if is_allowed and arm.name == arm_name:
            return chosen(snake, arm, forced=True)
    return chosen(snake, draw_arm(snake, turn.game.id, turn.you.id))


def draw_arm(snake: SnakeRoute, game_id: str, snake_id: str) -> Arm:
    """Return the arm that plays this snake in every turn of this game, on every gateway."""
    if len(snake.arms) == 1:
        return snake.arms[0]
    # Sorted by name, so the draw does not depend on the order in the file.
    arms = sorted(snake.drawn, key=lambda arm: arm.name)
    ends = list(accumulate(arm.weight for arm in arms))
    point = _uniform(snake.experiment_name, game_id, snake_id) * ends[-1]
    return next((arm for arm, end in zip(arms, ends[:-1], strict=False) if point < end), arms[-1])


def _uniform(*names: str) -> float:
    """Return a number in [0, 1) that depends only on the names, as uniformly distributed as a hash."""
    digest = hashlib.blake2b("\0".join(names).encode(), digest_size=_HASH_BITS // 8).digest()
    # Bits that a float can't hold are dropped to avoid rounding up to 1.
    return (int.from_bytes(digest) >> (_HASH_BITS - _FLOAT_BITS)) / (1 << _FLOAT_BITS)
