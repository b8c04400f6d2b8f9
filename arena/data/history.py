"""A whole game, whoever played or recorded it: its positions, the moves, and how long each snake lived."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from arena.games.replay import moves_in, replayed
from arena.records.model import Game, Rules
from searcher.engine.position import Direction, Position


@dataclass(frozen=True, slots=True)
class HistoryTurn:
    """A position with the moves of its snakes, and the scores of their searches, by the snake's id.

    A snake whose move or score is unknown is not in the mapping, nor is one that moved at random.
    """

    position: Position
    moves: Mapping[str, Direction]
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class History:
    """A game. `players` and `lifetimes` are by the snake's id.

    A lifetime is the number of turns that a snake played: that of the game for a snake that is alive at the
    end, and less than that or equal for the others.
    """

    game: str
    turns: Sequence[HistoryTurn]
    players: Mapping[str, str]
    lifetimes: Mapping[str, float]

    def share_outlived(self, snake: str) -> float:
        """Return the share of the other snakes that it outlived; ties count half. 1/2 for a lone snake."""
        others = [turns for id_, turns in self.lifetimes.items() if id_ != snake]
        own = self.lifetimes[snake]
        won = sum(1.0 if own > other else 0.5 if own == other else 0.0 for other in others)
        return won / len(others) if others else 0.5

    def place(self, snake: str) -> int:
        """Return the place of a snake, from 1; snakes that died in the same turn share the better one."""
        return 1 + sum(turns > self.lifetimes[snake] for turns in self.lifetimes.values())


def history_of(
    rules: Rules,
    game: Game,
    name: str,
    players: Sequence[str],
    explored: Collection[tuple[int, str]] = (),
) -> History:
    """Return the history of a game that the arena played; `players` are by the entrant's index.

    `explored` has the turn and the snake's id of each random move.
    """
    turns = [
        HistoryTurn(
            position,
            {id_: move for id_, move in moves_in(turn).items() if (position.turn, id_) not in explored},
            {
                str(snake): decision.score
                for snake, decision in enumerate(turn.decisions)
                if decision is not None and decision.score is not None
            },
        )
        for position, turn in zip(replayed(rules, game), game.turns, strict=False)
    ]
    lifetimes = {
        # Whoever survives has lived longer than whoever died in the last turn.
        str(snake): len(game.turns) + 1 if death is None else death.turn + 1
        for snake, death in enumerate(game.deaths)
    }
    return History(
        name, turns, {str(snake): players[seat] for snake, seat in enumerate(game.seats)}, lifetimes
    )
