"""A player that makes some of its moves at random: games to learn from also need what nobody would choose."""

from random import Random

from arena.players.player import ChosenMove, Player, View
from searcher.engine.position import Direction, Position
from searcher.engine.rules.records import STEPS


class ExploringPlayer:
    """Makes a share of another player's moves at random, among those that do not hit a wall or a body.

    It reports what the other player reports of its search, also for a random move.
    """

    def __init__(self, player: Player, share: float) -> None:
        self._player = player
        self._share = share
        self.explored: set[tuple[int, str]] = set()
        """The turn and the snake's id of each random move."""

    @property
    def remote(self) -> bool:
        """Whether the other player searches in another process."""
        return self._player.remote

    async def check_reachable(self) -> None:
        """Raise ConnectionError, with the reason, if the other player does not answer from here."""
        await self._player.check_reachable()

    async def start(self, view: View) -> None:
        """Prepare for a game that begins for a snake."""
        await self._player.start(view)

    async def choose(self, view: View) -> ChosenMove:
        """Return a move. Raises FaultError if there is none."""
        chosen, random = await self._player.choose(view), Random(view.seed)
        moves = free_moves(view.position)
        if not moves or random.random() >= self._share:
            return chosen
        self.explored.add((view.position.turn, view.you.id))
        return ChosenMove(random.choice(moves), chosen.depth, chosen.nodes, chosen.score)

    async def end(self, view: View) -> None:
        """Note that the game is over."""
        await self._player.end(view)

    async def close(self) -> None:
        """Release everything; no more games follow."""
        await self._player.close()


def free_moves(position: Position) -> list[Direction]:
    """Return the moves of the snake whose turn it is that hit neither a wall nor a body that stays."""
    taken = {part for snake in position.snakes for part in snake.body[:-1]}
    (x, y), wrapped = position.snakes[position.you].body[0], position.ruleset.wrapped
    moves = []
    for direction, (dx, dy) in STEPS.items():
        there = x + dx, y + dy
        inside = there[0] % position.width, there[1] % position.height
        if inside not in taken and (wrapped or inside == there):
            moves.append(direction)
    return moves
