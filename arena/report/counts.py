"""Counts over all games of a match, by entrant, for tables and charts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.records.files import Match
from arena.records.model import Game, Setup
from arena.report.wording import ALIVE, winner


@dataclass(slots=True)
class Side:
    """The counts of an entrant: the moves of all games, and the ends of snakes in games that count."""

    ends: Counter[str] = field(default_factory=Counter)
    """The number of its snakes by cause of death, or ALIVE."""
    milliseconds: list[float] = field(default_factory=list)
    """The time of every decision."""
    depths: Counter[int] = field(default_factory=Counter)
    """The number of decisions by reported depth."""
    nodes: int = 0
    decisions_with_nodes: int = 0
    """The number of decisions with reported nodes."""


@dataclass(slots=True)
class Counts:
    """The counts of a match. `lengths` has the turns and the winner (None: draw, or alone) of each game."""

    sides: list[Side]
    lengths: list[tuple[int, int | None]] = field(default_factory=list)


def counts_of(match: Match) -> Counts:
    """Return the counts of a match."""
    counts = Counts([Side() for _ in match.setup.entrants])
    for block in match.blocks:
        for game in block.games:
            _count_decisions(counts.sides, game)
            if block.counts:
                _count_end(counts, match.setup, game)
    return counts


def _count_decisions(sides: Sequence[Side], game: Game) -> None:
    for turn in game.turns:
        for seat, decision in zip(game.seats, turn.decisions, strict=True):
            if decision is None:
                continue
            side = sides[seat]
            side.milliseconds.append(decision.milliseconds)
            if decision.depth:
                side.depths[decision.depth] += 1
            if decision.nodes:
                side.nodes += decision.nodes
                side.decisions_with_nodes += 1


def _count_end(counts: Counts, setup: Setup, game: Game) -> None:
    counts.lengths.append((len(game.turns), winner(setup, game)))
    for seat, death in zip(game.seats, game.deaths, strict=True):
        counts.sides[seat].ends[ALIVE if death is None else death.cause] += 1
