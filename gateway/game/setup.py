"""What an outcome records about the routes: how its arm was set up, and how arms were drawn."""

import hashlib

import msgspec

from gateway.routes.config import Arm, SnakeRoute

_DIGITS = 16


def setup_digest(arm: Arm) -> str:
    """Return a digest of the strategies, weights, limits and conditions of an arm.

    Its name, its share of the games and its searchers don't count: with other ones it is the same player.
    """
    cases = [msgspec.structs.replace(case, searcher=None) for case in arm.when]
    player = msgspec.structs.replace(arm, name="arm", weight=1.0, control=False, searcher=None, when=cases)
    return hashlib.sha256(msgspec.json.encode(player, order="deterministic")).hexdigest()[:_DIGITS]


def control_of(snake: SnakeRoute) -> Arm:
    """Return the drawn arm that is marked as the control; without a mark, the first one that is drawn."""
    drawn = [arm for arm in snake.arms if arm.weight]
    return next((arm for arm in drawn if arm.control), drawn[0])


def shares_of(snake: SnakeRoute) -> dict[str, float]:
    """Return the share of the games that each drawn arm plays, by its name."""
    total = sum(arm.weight for arm in snake.arms)
    return {arm.name: arm.weight / total for arm in snake.arms if arm.weight}
