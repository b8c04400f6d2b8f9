"""A player that explores makes some of its moves at random, and says which."""

from dataclasses import replace

import pytest

from arena.data.playing import ExploringPlayer, free_moves
from arena.players.player import ChosenMove, View
from searcher.engine.position import Direction, Position, Ruleset, Snake
from tests.arena.players.recorded_views import recorded_view


class _Up:
    """A player that always goes up, and reports a search."""

    remote = False

    async def check_reachable(self) -> None:
        """Do nothing."""

    async def start(self, view: View) -> None:
        """Do nothing."""

    async def choose(self, view: View) -> ChosenMove:
        """Return the move."""
        return ChosenMove(Direction.UP, 3, 30, 0.5)

    async def end(self, view: View) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


@pytest.mark.parametrize(("share", "low", "high"), [(0.0, 0, 0), (0.5, 60, 140), (1.0, 200, 200)])
async def test_a_share_of_the_moves_is_random(share: float, low: int, high: int) -> None:
    """Each random move is noted; the search's report stays, whichever move is made."""
    player, view = ExploringPlayer(_Up(), share), recorded_view()
    moves = set()
    for turn in range(200):
        now = replace(view, position=replace(view.position, turn=turn), seed=turn)
        chosen = await player.choose(now)
        assert (chosen.depth, chosen.nodes, chosen.score) == (3, 30, 0.5)
        assert chosen.move == Direction.UP or (turn, view.you.id) in player.explored
        moves.add(chosen.move)
    assert low <= len(player.explored) <= high
    assert moves == ({Direction.UP} if not share else moves | set(free_moves(view.position)))


@pytest.mark.parametrize(
    ("ruleset", "moves"),
    [("standard", {Direction.UP}), ("wrapped", {Direction.UP, Direction.LEFT})],
)
def test_free_moves_hit_neither_wall_nor_body(ruleset: str, moves: set[Direction]) -> None:
    """A tail moves on; on a wrapped board there is no wall."""
    snakes = (Snake("a", 90, ((0, 1), (1, 1), (1, 2), (0, 2))), Snake("b", 90, ((0, 0), (1, 0), (2, 0))))
    position = Position(5, 5, snakes, ruleset=Ruleset(ruleset))
    assert set(free_moves(position)) == moves


async def test_without_a_free_move_none_is_random() -> None:
    """A snake that is shut in dies as the other player decides."""
    snakes = (Snake("a", 90, ((0, 0), (0, 1), (1, 1), (1, 0), (2, 0))),)
    view = replace(recorded_view(), position=Position(3, 3, snakes), you=snakes[0])
    player = ExploringPlayer(_Up(), 1.0)
    assert (await player.choose(view)).move == Direction.UP and not player.explored
