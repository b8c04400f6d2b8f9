"""The conduct of an entrant's snakes: how they live and die, and what they claim about it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from statistics import fmean, median

from arena.gauntlet.lengths import MILESTONES
from arena.records.model import Decision, Game
from arena.statistics.multi_entrant import mean_points
from battlesnake_search.common.estimation import Estimate

LIVES_ON = 25
"""A claimed loss is false if the snake lives on for more than this number of turns."""

PROVEN_LOSS = -1.0
"""The score of a proven loss; every other score is higher."""

STARVED = "out-of-health"
"""The official engine's name for a death of hunger."""


@dataclass(slots=True)
class Lengths:
    """The lengths of an entrant's living snakes at a turn, and of the others alive in the same games."""

    own: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)

    @property
    def means(self) -> tuple[float, float] | None:
        """The mean lengths, its own first; None if it never lived until then with another."""
        return (fmean(self.own), fmean(self.others)) if self.own else None


@dataclass(slots=True)
class Conduct:
    """Sums over the games of an entrant."""

    games: int = 0
    last_alive: int = 0
    """The number of games in which its snake was the last one alive."""
    won: list[float] = field(default_factory=list)
    """For each block, the share of its games in which its snake was the last one alive."""
    snakes: int = 0
    deaths: Counter[str] = field(default_factory=Counter)
    """The number of its snakes that died, by the official engine's name of the cause."""
    moves: int = 0
    scored: int = 0
    """The number of moves with a reported score."""
    claims: int = 0
    """The number of moves that claim a proven loss."""
    false_claims: int = 0
    """The number of such claims after which the snake lived on for more than LIVES_ON turns."""
    depths: list[int] = field(default_factory=list)
    """The reported depth of each move that has one."""
    nodes: list[int] = field(default_factory=list)
    """The reported nodes of each move that has them."""
    lengths: dict[int, Lengths] = field(default_factory=lambda: {turn: Lengths() for turn in MILESTONES})

    def add_block(self, entrant: int, games: Sequence[Game]) -> None:
        """Add the games of a block that the entrant played, without the lengths."""
        won = [_is_last_alive(entrant, game) for game in games]
        self.games += len(games)
        self.last_alive += sum(won)
        self.won.append(fmean(won))
        for game in games:
            for snake, seat in enumerate(game.seats):
                if seat == entrant:
                    self._add_snake(game, snake)

    def add_lengths(self, entrant: int, game: Game, turn: int, lengths: Mapping[int, int]) -> None:
        """Add the lengths of the snakes that were alive at a turn, by snake."""
        own = [length for snake, length in lengths.items() if game.seats[snake] == entrant]
        others = [length for snake, length in lengths.items() if game.seats[snake] != entrant]
        if own and others:
            self.lengths[turn].own += own
            self.lengths[turn].others += others

    @property
    def share_won(self) -> Estimate:
        """The share of games in which its snake was the last one alive."""
        return mean_points(self.won)

    @property
    def starved(self) -> int:
        """The number of its snakes that died of hunger."""
        return self.deaths[STARVED]

    @property
    def false_despair(self) -> float | None:
        """The share of false claims among all moves; None if no score was reported."""
        return self.false_claims / self.moves if self.scored else None

    @property
    def despair(self) -> float | None:
        """The share of claims, false or not, among all moves; None if no score was reported."""
        return self.claims / self.moves if self.scored else None

    @property
    def median_depth(self) -> float | None:
        """The median depth of a move; None if no depth was reported."""
        return median(self.depths) if self.depths else None

    @property
    def median_nodes(self) -> float | None:
        """The median nodes of a move; None if no nodes were reported."""
        return median(self.nodes) if self.nodes else None

    def _add_snake(self, game: Game, snake: int) -> None:
        self.snakes += 1
        if (death := game.deaths[snake]) is not None:
            self.deaths[death.cause] += 1
        end = _end_of_life(game, snake)
        for turn, each in enumerate(game.turns):
            if (decision := each.decisions[snake]) is not None:
                self._add_move(decision, end - turn)

    def _add_move(self, decision: Decision, left: float) -> None:
        """Add a move, after which the snake lived for `left` turns."""
        self.moves += 1
        self.scored += decision.score is not None
        if decision.score == PROVEN_LOSS:
            self.claims += 1
            self.false_claims += left > LIVES_ON
        if decision.depth:
            self.depths.append(decision.depth)
        if decision.nodes:
            self.nodes.append(decision.nodes)


def _is_last_alive(entrant: int, game: Game) -> bool:
    alive = [seat for seat, death in zip(game.seats, game.deaths, strict=True) if death is None]
    return alive == [entrant]


def _end_of_life(game: Game, snake: int) -> float:
    """Return the turn of a snake's death: infinite for the last one alive, which refutes every claim."""
    death = game.deaths[snake]
    if death is not None:
        return death.turn
    return inf if game.ending == "one left" else len(game.turns)
