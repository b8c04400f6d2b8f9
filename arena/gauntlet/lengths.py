"""The lengths of snakes at certain turns of a game."""

from collections.abc import Iterator, Mapping

from arena.games.replay import replayed
from arena.records.model import Game, Rules

MILESTONES = (50, 100, 200)
"""The turns at which lengths are compared."""


def lengths_at_milestones(rules: Rules, game: Game) -> Iterator[tuple[int, Mapping[int, int]]]:
    """Yield each milestone that the game reached, with the length of every snake that was alive then."""
    reached = {turn for turn in MILESTONES if game.start.turn <= turn <= game.start.turn + len(game.turns)}
    if not reached:
        return
    for position in replayed(rules, game):
        if position.turn in reached:
            yield position.turn, {int(snake.id): len(snake.body) for snake in position.snakes}
        if position.turn == max(reached):
            return
