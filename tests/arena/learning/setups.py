"""Data whose outcomes follow from known weights."""

from functools import cache
from pathlib import Path
from random import Random

import numpy as np

from arena.data.files import Columns, read_columns, write_part
from arena.data.histories import History, HistoryTurn, rows_of
from searcher.engine.position import MAX_HEALTH, Position, Ruleset, Snake
from searcher.interface import Evaluator, Weight


def evaluate_two(game, board, weights, snake):  # type: ignore[no-untyped-def]
    """The lead in health and in length, and a weight without an effect."""
    weight, other = weights.values, 1 - snake
    health = (board.health[snake] - board.health[other]) / 100.0
    length = board.length[snake] / 10.0 - board.length[other] / 10.0
    return weight[0] * health + weight[1] * length + 0.0 * weight[2]


TWO = Evaluator(
    "two",
    "Health and length.",
    (
        Weight("health", 0.1, -1.0, 2.0, "of the lead in health"),
        Weight("length", 0.1, -1.0, 2.0, "of the lead in length"),
        Weight("nothing", 0.3, 0.0, 1.0, "of nothing"),
    ),
    evaluate_two,
)


def made_up(
    folder: Path, games: int, health: float, length: float, seed: int = 1, strength: float = 0.0
) -> Columns:
    """Read made-up games of three positions, won by chances that these weights say, times two.

    Players A and B are drawn at random; A wins more often than the weights say if it is stronger.
    """
    random = Random(seed)
    rows = [row for game in range(games) for row in rows_of(_game(game, random, health, length, strength))]
    write_part(folder / "made-up.parquet", rows)
    return read_columns(folder)


def _game(number: int, random: Random, health: float, length: float, strength: float) -> History:
    base = [(random.randrange(1, MAX_HEALTH), random.randrange(3, 9)) for _ in range(2)]
    players = {str(snake): random.choice("AB") for snake in range(2)}
    value = health * (base[0][0] - base[1][0]) / 100.0 + length * (base[0][1] - base[1][1]) / 10.0
    favoured = strength * ((players["0"] == "A") - (players["1"] == "A"))
    wins = random.random() < 1.0 / (1.0 + np.exp(-2.0 * value - favoured))
    food = tuple((cell % 11, cell // 11) for cell in sorted(random.sample(range(44, 121), 3)))
    turns = [HistoryTurn(_position(base, food[:left]), {}, {"0": 0.0, "1": 0.5}) for left in (1, 2, 3)]
    return History(str(number), turns, players, {"0": 3.0 + wins, "1": 4.0 - wins})


def _position(base: list[tuple[int, int]], food: tuple[tuple[int, int], ...]) -> Position:
    snakes = tuple(
        Snake(str(snake), health, tuple((x, 3 * snake) for x in range(length)))
        for snake, (health, length) in enumerate(base)
    )
    return Position(11, 11, snakes, food, ruleset=Ruleset("standard"))


@cache
def defaults() -> dict[str, float]:
    """The weights of the evaluator before a fit."""
    return {weight.name: weight.default for weight in TWO.weights}
