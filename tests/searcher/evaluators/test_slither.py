"""The evaluator `slither` against its formula in plain Python, and each of its terms."""

from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Point, Position, Ruleset
from searcher.engine.rules.packing import pack
from searcher.textbook.battlesnake import Board, Direction
from tests.searcher.engine.positions import board_of, points, random_position, randoms, snake
from tests.searcher.evaluators.test_contract import EVALUATORS, value

SLITHER = EVALUATORS["slither"]
NAMES = [weight.name for weight in SLITHER.weights]


def value_of(position: Position, you: int = 0, **weights: float) -> float:
    """Return the value with these weights and all others 0."""
    return value(SLITHER, pack(position), [weights.get(name, 0.0) for name in NAMES], you)


@dataclass(frozen=True)
class Plain:
    """The terms in plain Python."""

    board: Board
    you: int

    def next_to(self, *cells: Point) -> set[Point]:
        """Return the free cells one step from any of these, without my head's cell."""
        near = {self.board.neighbour(cell, direction) for cell in cells for direction in Direction}
        held = {part for player in self.board.living for part in self.board.snakes[player].body[:-1]}
        return {cell for cell in near - held - {self.head} if self.board.holds(cell)}

    @property
    def head(self) -> Point:
        """The cell of my head."""
        return self.board.snakes[self.you].head

    def steps_of_opponents(self, shorter: bool) -> list[set[Point]]:
        """Return the cells that each opponent can step on, for those shorter than me or for the others."""
        own = len(self.board.snakes[self.you].body)
        opponents = [self.board.snakes[other] for other in self.board.living if other != self.you]
        return [self.next_to(other.head) for other in opponents if (len(other.body) < own) == shorter]

    def sector(self, risk: set[Point]) -> set[Point]:
        """Return the cells that I reach over cells that are not at risk."""
        sector, edge = set[Point](), {self.head}
        while edge:
            edge = self.next_to(*edge) - risk - sector
            sector |= edge
        return sector

    def terms(self) -> dict[str, float]:
        """Return the terms by the names of their weights."""
        board, me = self.board, self.board.snakes[self.you]
        risk = set[Point]().union(*self.steps_of_opponents(shorter=False))
        bait = set[Point]().union(*self.steps_of_opponents(shorter=True)) - risk
        sector, missing = self.sector(risk), 1 - me.health / 100
        adjacent = self.next_to(self.head)
        near = adjacent | self.next_to(*adjacent)
        ahead = self.next_to(*(adjacent & sector)) & sector - adjacent
        border = self.next_to(self.head, *sector)
        larger = sum(bool(steps & border) for steps in self.steps_of_opponents(shorter=False))
        harmful = set(board.hazards) if board.rules.hazard_damage > 0 else set()
        return {
            "sector": len(sector) / (board.width * board.height),
            "misfit": -max(0, len(me.body) - len(sector)) / len(me.body),
            "hunger": -missing * missing,
            "famine": -missing / (1 + len(sector & set(board.food))),
            "larger": -larger / max(1, len(board.snakes) - 1),
            "danger": -len(near & risk) / max(1, len(near)),
            "bait": len(near & bait) / max(1, len(near)),
            "dead_end": -max(0, 2 - len(ahead)) / 2,
            "hazards": -len((sector | {self.head}) & harmful) / (1 + len(sector)),
            "hazard": -float(self.head in harmful),
        }


@settings(max_examples=60)
@given(random=randoms())
def test_values_match_the_formula(random: Random) -> None:
    """The values are equal on boards of any size, with any number of snakes and any weights."""
    position = random_position(random, parts=(2, 12))
    weights = {weight.name: random.uniform(weight.minimum, weight.maximum) for weight in SLITHER.weights}
    for you in range(len(position.snakes)):
        terms = Plain(board_of(position), you).terms()
        expected = sum(weight * terms[name] for name, weight in weights.items())
        assert value_of(position, you, **weights) == pytest.approx(expected, abs=1e-9)


DUEL = Position(7, 7, (snake("a", "11 12 13"), snake("b", "55 54 53")))


def test_a_sector_ends_where_a_head_may_come() -> None:
    """A larger snake that can enter through the only gap takes the cells behind; a smaller one does not."""
    larger, smaller = (
        Position(7, 3, (snake("a", "00 10 20 30 31 32"), snake("b", cells)))
        for cells in ("12 22 21 11 11 11", "12 22 21 11 11")
    )
    assert value_of(larger, sector=1) == pytest.approx(1 / 21)
    assert value_of(smaller, sector=1) == pytest.approx(2 / 21)


def test_food_matters_to_a_hungry_snake() -> None:
    """More food in the sector of a hungry snake is better; it makes no difference to a healthy one."""
    hungry = replace(DUEL, snakes=(snake("a", "11 12 13", 40), DUEL.snakes[1]))
    none, one, two = (
        value_of(replace(hungry, food=points(cells)), famine=1) for cells in ("", "41", "41 26")
    )
    assert none < one < two < 0
    assert value_of(DUEL, famine=1) == value_of(replace(DUEL, food=points("41")), famine=1) == 0


def test_a_body_needs_room() -> None:
    """A pocket smaller than my body is worse than the open board, and worse the longer my body is."""
    pocket = Position(7, 7, (snake("a", "00 01 11 21 20 30 31 32"), DUEL.snakes[1]))
    longer = replace(pocket, snakes=(snake("a", "00 01 11 21 20 30 31 32 33 34"), DUEL.snakes[1]))
    assert value_of(longer, misfit=1) < value_of(pocket, misfit=1) < value_of(DUEL, misfit=1) == 0


def test_heads() -> None:
    """A larger head near mine is a danger and a smaller one a bait; a dead snake is neither."""
    near = Position(7, 7, (snake("a", "33 32 31"), snake("b", "53 54 55 56")))
    assert value_of(near, danger=1) < 0 == value_of(near, bait=1)
    assert value_of(near, 1, danger=1) == 0 < value_of(near, 1, bait=1)
    assert value_of(near, larger=1) == -1
    assert value_of(near, 1, larger=1) == 0
    alone = replace(near, snakes=near.snakes[:1])
    assert value_of(alone, danger=1, larger=1, bait=1) == 0


def test_dead_ends() -> None:
    """The open board is no dead end; one cell two steps ahead is half of one, and no cell is a whole one."""
    whole = Position(7, 7, (snake("a", "00 01 11 21 20 30"), DUEL.snakes[1]))
    half = replace(whole, snakes=(snake("a", "00 01 11 21 31 30 40"), DUEL.snakes[1]))
    assert (value_of(whole, dead_end=1), value_of(half, dead_end=1)) == (-1, -0.5)
    assert value_of(DUEL, dead_end=1) == 0


def test_hazards() -> None:
    """Hazards count by their share of my sector and under my head, but only if they do damage."""
    harmful = replace(DUEL, hazards=points("11 00 01"), ruleset=Ruleset("standard", 14))
    healing = replace(harmful, ruleset=Ruleset("standard", -14))
    elsewhere = replace(harmful, hazards=points("00 01"))
    assert value_of(harmful, hazards=1) < value_of(elsewhere, hazards=1) < 0
    assert (value_of(harmful, hazard=1), value_of(elsewhere, hazard=1)) == (-1, 0)
    assert value_of(healing, hazards=1, hazard=1) == 0
