"""A game goes as with the official engine, whatever its players do."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import msgspec
import pytest

from arena.games import boards
from arena.games.boards import replayed
from arena.games.game import play_game
from arena.players.player import ChosenMove, FaultError, Player, View
from arena.records import Fault, Game, MoveLimits, Setup
from searcher.engine.position import Direction
from tests.arena.setups import SMALL, setup_of

Choice = Direction | Fault
"""The act of a scripted player in a turn."""


@dataclass
class Scripted(Player):
    """A player that follows a script of turns, and records what it receives."""

    script: Callable[[View], Choice]
    remote: bool = True
    pause: float = 0.0
    views: list[View] = field(default_factory=list)

    async def choose(self, view: View) -> ChosenMove:
        """Follow the script."""
        self.views.append(view)
        await asyncio.sleep(self.pause)
        choice = self.script(view)
        if isinstance(choice, Direction):
            # Like real players, it reports living snakes only.
            return ChosenMove(choice, depth=3, nodes=7, score=0.5, pv=("u" * len(view.position.snakes),))
        raise FaultError(choice, "on purpose")


def up(_view: View) -> Choice:
    """A script that always goes up."""
    return Direction.UP


def around(view: View) -> Choice:
    """Circles of four cells, which touch no side of the board."""
    return (Direction.UP, Direction.LEFT, Direction.DOWN, Direction.RIGHT)[view.position.turn % 4]


def around_the_other_way(view: View) -> Choice:
    """Circles of four cells, away from the right side."""
    return (Direction.DOWN, Direction.RIGHT, Direction.UP, Direction.LEFT)[view.position.turn % 4]


def play(setup: Setup, players: Sequence[Scripted], seats: tuple[int, ...], seed: int = 5) -> Game:
    """A whole game."""
    start = boards.set_up_board(setup.rules, len(seats), seed)
    return asyncio.run(play_game(setup, players, start, seats, seed, "game"))


@pytest.fixture
def duel() -> Setup:
    """Two entrants without limits that matter."""
    return setup_of("paranoid/area", "paranoid/length")


def test_a_snake_off_the_board_loses(duel: Setup) -> None:
    """The game ends with one snake left, and records the turn and cause of the other's death."""
    players = Scripted(up), Scripted(around)
    game = play(duel, players, (0, 1))
    assert game.ending == "one left"
    assert game.deaths[1] is None
    death = game.deaths[0]
    assert death is not None
    assert (death.cause, death.by, death.turn) == ("wall-collision", None, len(game.turns) - 1)
    assert [decision.move for turn in game.turns if (decision := turn.decisions[0])] == ["up"] * len(
        game.turns
    )


def test_a_late_answer_does_not_count() -> None:
    """An answer long after its time is late, and its move is not played."""
    setup = setup_of("paranoid/area", "paranoid/length", limits=MoveLimits(milliseconds=10))
    slow = Scripted(lambda view: Direction.LEFT if view.position.turn else Direction.RIGHT, pause=0.06)
    game = play(setup, (slow, Scripted(around)), (0, 1))
    decisions = [decision for turn in game.turns if (decision := turn.decisions[0])]
    assert {(decision.move, decision.fault) for decision in decisions} == {("up", "late")}
    assert all(decision.milliseconds >= 30 for decision in decisions)


def test_strict_ends_the_game_at_a_fault(duel: Setup) -> None:
    """No turn is played after the first turn with a fault."""

    def faulty(view: View) -> Choice:
        return "invalid" if view.position.turn == 1 else around(view)

    setup = msgspec.structs.replace(duel, strict=True)
    game = play(setup, (Scripted(faulty), Scripted(around_the_other_way)), (0, 1))
    assert (game.ending, len(game.turns)) == ("strict", 2)


def test_remote_players_are_asked_in_parallel(duel: Setup) -> None:
    """Two remote players need the time of one."""
    rules = msgspec.structs.replace(SMALL, max_turns=1)
    setup = msgspec.structs.replace(duel, rules=rules)
    together: list[int] = []
    asked = 0

    def script(view: View) -> Choice:
        together.append(asked)
        return around(view)

    class Counting(Scripted):
        async def choose(self, view: View) -> ChosenMove:
            nonlocal asked
            asked += 1
            return await super().choose(view)

    play(setup, (Counting(script, pause=0.05), Counting(script, pause=0.05)), (0, 1))
    assert together == [2, 2]


def test_views_have_latencies(duel: Setup) -> None:
    """The next view has the times of the last answers; before the first answer they are 0."""
    setup = msgspec.structs.replace(duel, rules=msgspec.structs.replace(SMALL, max_turns=2))
    players = Scripted(around, pause=0.2), Scripted(around_the_other_way)
    play(setup, players, (0, 1))
    first, second = players[1].views
    assert [one.latency for one in first.snakes] == [0, 0]
    slow, fast = (one.latency or 0 for one in second.snakes)
    assert slow >= 200 > fast


def test_a_pv_has_a_letter_for_every_seat() -> None:
    """Players report living snakes only; the record keeps the places of dead ones."""
    setup = setup_of("paranoid/area", "paranoid/length", "paranoid/area", limits=MoveLimits(nodes=60))
    rules = msgspec.structs.replace(SMALL, max_turns=8)
    players = Scripted(up), Scripted(around), Scripted(around_the_other_way)
    game = play(msgspec.structs.replace(setup, rules=rules), players, (0, 1, 2), seed=3)
    for turn in game.turns:
        alive = "".join("-" if decision is None else "u" for decision in turn.decisions)
        assert {decision.pv for decision in turn.decisions if decision} == {(alive,)}
    assert any(None in turn.decisions for turn in game.turns)


def to_the_food(view: View) -> Choice:
    """Towards the food, whatever is in the way, along the row first."""
    (x, y), food = view.you.snake.body[0], view.position.food[0]
    if food[0] != x:
        return Direction.RIGHT if food[0] > x else Direction.LEFT
    return Direction.UP if food[1] > y else Direction.DOWN


def test_a_map_may_put_the_snake_elsewhere() -> None:
    """The snake sees its new body, and the replay of the record has the boards that it saw."""
    setup = setup_of("paranoid/area", "paranoid/length", snakes=1)
    rules = msgspec.structs.replace(setup.rules, ruleset="solo", map="solo_maze", hazard_damage=0)
    player = Scripted(to_the_food)
    game = play(msgspec.structs.replace(setup, rules=rules), (player,), (0,))
    assert sum(turn.restart is not None for turn in game.turns) > 2
    assert [view.you.snake for view in player.views] == [view.position.snakes[0] for view in player.views]
    seen = [view.position for view in player.views]
    assert list(replayed(rules, game))[: len(seen)] == seen
