"""The evaluator `slither` against its formula in plain Python, and what each of its terms likes."""

from dataclasses import dataclass, replace
from random import Random

import pytest
from hypothesis import given, settings

from searcher.engine.position import Point, Position, Ruleset
from searcher.engine.rules.packing import pack
from searcher.textbook.battlesnake.board import Board, Direction
from tests.searcher.engine.positions import board_of, points, random_position, randoms, snake
from tests.searcher.evaluators.test_contract import EVALUATORS, value

SLITHER = EVALUATORS["slither"]
NAMES = [weight.name for weight in SLITHER.weights]


def value_of(position: Position, you: int = 0, **weights: float) -> float:
    """What it says with these weights, the others being 0."""
    return value(SLITHER, pack(position), [weights.get(name, 0.0) for name in NAMES], you)


@dataclass(frozen=True)
class Plain:
    """The terms in plain Python."""

    board: Board
    you: int

    def beside(self, *cells: Point) -> set[Point]:
        """The free cells one step from any of these; my head's is not one."""
        near = {self.board.neighbour(cell, direction) for cell in cells for direction in Direction}
        held = {part for player in self.board.living for part in self.board.snakes[player].body[:-1]}
        return {cell for cell in near - held - {self.head} if self.board.holds(cell)}

    @property
    def head(self) -> Point:
        """Mine."""
        return self.board.snakes[self.you].head

    def others(self, shorter: bool) -> list[set[Point]]:
        """Of each other that is shorter, or is not, the cells that it can step on."""
        own = len(self.board.snakes[self.you].body)
        others = [self.board.snakes[other] for other in self.board.living if other != self.you]
        return [self.beside(other.head) for other in others if (len(other.body) < own) == shorter]

    def sector(self, risk: set[Point]) -> set[Point]:
        """What I reach over cells that are not at risk."""
        sector, edge = set[Point](), {self.head}
        while edge:
            edge = self.beside(*edge) - risk - sector
            sector |= edge
        return sector

    def terms(self) -> dict[str, float]:
        """By the weights' names."""
        board, me = self.board, self.board.snakes[self.you]
        risk = set[Point]().union(*self.others(shorter=False))
        bait = set[Point]().union(*self.others(shorter=True)) - risk
        sector, missing = self.sector(risk), 1 - me.health / 100
        beside = self.beside(self.head)
        near = beside | self.beside(*beside)
        ahead = self.beside(*(beside & sector)) & sector - beside
        larger = sum(bool(steps & self.beside(self.head, *sector)) for steps in self.others(shorter=False))
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


@settings(deadline=None, max_examples=60)
@given(random=randoms())
def test_values_are_those_of_the_formula(random: Random) -> None:
    """On boards of any size, with any number of snakes and any weights."""
    position = random_position(random, parts=(2, 12))
    weights = {weight.name: random.uniform(weight.minimum, weight.maximum) for weight in SLITHER.weights}
    for you in range(len(position.snakes)):
        terms = Plain(board_of(position), you).terms()
        expected = sum(weight * terms[name] for name, weight in weights.items())
        assert value_of(position, you, **weights) == pytest.approx(expected, abs=1e-9)


DUEL = Position(7, 7, (snake("a", "11 12 13"), snake("b", "55 54 53")))


def test_a_sector_ends_where_a_head_may_come() -> None:
    """A larger snake that can come through the only door takes what is behind it, a smaller one does not."""
    larger, smaller = (
        Position(7, 3, (snake("a", "00 10 20 30 31 32"), snake("b", cells)))
        for cells in ("12 22 21 11 11 11", "12 22 21 11 11")
    )
    assert value_of(larger, sector=1) == pytest.approx(1 / 21)
    assert value_of(smaller, sector=1) == pytest.approx(2 / 21)


def test_food_matters_to_the_hungry() -> None:
    """Food in my sector is a comfort, the more of it the better; who is not hungry needs none."""
    hungry = replace(DUEL, snakes=(snake("a", "11 12 13", 40), DUEL.snakes[1]))
    none, one, two = (
        value_of(replace(hungry, food=points(cells)), famine=1) for cells in ("", "41", "41 26")
    )
    assert none < one < two < 0
    assert value_of(DUEL, famine=1) == value_of(replace(DUEL, food=points("41")), famine=1) == 0


def test_a_body_needs_room() -> None:
    """In a pocket smaller than my body I am worse off than in the open, and the more so the longer I am."""
    pocket = Position(7, 7, (snake("a", "00 01 11 21 20 30 31 32"), DUEL.snakes[1]))
    longer = replace(pocket, snakes=(snake("a", "00 01 11 21 20 30 31 32 33 34"), DUEL.snakes[1]))
    assert value_of(longer, misfit=1) < value_of(pocket, misfit=1) < value_of(DUEL, misfit=1) == 0


def test_heads() -> None:
    """A larger head near mine is a danger, a smaller one a bait; either is neither when it is dead."""
    near = Position(7, 7, (snake("a", "33 32 31"), snake("b", "53 54 55 56")))
    assert value_of(near, danger=1) < 0 == value_of(near, bait=1)
    assert value_of(near, 1, danger=1) == 0 < value_of(near, 1, bait=1)
    assert value_of(near, larger=1) == -1
    assert value_of(near, 1, larger=1) == 0
    alone = replace(near, snakes=near.snakes[:1])
    assert value_of(alone, danger=1, larger=1, bait=1) == 0


def test_dead_ends() -> None:
    """None in the open; half of one where one cell lies two steps ahead, a whole one where none does."""
    whole = Position(7, 7, (snake("a", "00 01 11 21 20 30"), DUEL.snakes[1]))
    half = replace(whole, snakes=(snake("a", "00 01 11 21 31 30 40"), DUEL.snakes[1]))
    assert (value_of(whole, dead_end=1), value_of(half, dead_end=1)) == (-1, -0.5)
    assert value_of(DUEL, dead_end=1) == 0


def test_hazards() -> None:
    """They count by their share of my sector, under my head above all, and only if they do harm."""
    harmful = replace(DUEL, hazards=points("11 00 01"), ruleset=Ruleset("standard", 14))
    healing = replace(harmful, ruleset=Ruleset("standard", -14))
    elsewhere = replace(harmful, hazards=points("00 01"))
    assert value_of(harmful, hazards=1) < value_of(elsewhere, hazards=1) < 0
    assert (value_of(harmful, hazard=1), value_of(elsewhere, hazard=1)) == (-1, 0)
    assert value_of(healing, hazards=1, hazard=1) == 0
