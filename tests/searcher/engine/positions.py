"""Positions for tests of the engine: random ones, recorded ones, and the textbook's boards of them."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import strategies as st

from battlesnake_search.contract.limits import MAX_SIDE, MAX_SNAKES
from battlesnake_search.contract.rulesets import RULESETS
from searcher.engine.position import Direction, Point, Position, Ruleset, Snake
from searcher.engine.rules.packing import body_of, food_of, living
from searcher.engine.rules.records import Packed
from searcher.textbook import battlesnake as textbook
from searcher.textbook.battlesnake import candidate_moves
from searcher.tools.conformance import Transition, position_of, read_transitions

TRANSITIONS = Path(__file__).parents[2] / "fixtures" / "transitions.jsonl.gz"

DAMAGES = (0, 1, 14, 50, 100, -1, -20, -100)


each_size = pytest.mark.parametrize(
    "large", [False, pytest.param(True, marks=pytest.mark.rest("other board shapes"))], ids=["small", "large"]
)
"""Tests with small recorded positions, and with large ones. Large ones need another board shape's code."""


def snake(name: str, cells: str, health: int = 100) -> Snake:
    """Return a snake from its cells, head first: snake("a", "33 32 31") has its head at x 3, y 3."""
    return Snake(name, health, points(cells))


def points(cells: str) -> tuple[Point, ...]:
    """Return the cells of coordinates with one hexadecimal digit each: points("33 A0")."""
    return tuple((int(cell[0], 16), int(cell[1], 16)) for cell in cells.split())


def board_of(position: Position) -> textbook.Board:
    """Return the textbook's board of a position."""
    rules = textbook.Rules(position.ruleset.name, position.ruleset.hazard_damage)
    snakes = tuple(textbook.Snake(each.id, each.body, each.health) for each in position.snakes)
    food, hazards = position.food, position.hazards
    return textbook.Board(position.width, position.height, snakes, food, hazards, position.turn, rules)


def position_on(board: textbook.Board, you: int = 0) -> Position:
    """Return the position of a textbook board whose snakes are all alive."""
    snakes = tuple(Snake(each.id, each.health, each.body) for each in board.snakes)
    ruleset = Ruleset(board.rules.name, board.rules.hazard_damage)
    return Position(board.width, board.height, snakes, board.food, board.hazards, you, board.turn, ruleset)


def unpacked(packed: Packed, position: Position) -> Position:
    """Return the position in records that were packed from `position` and played on: living snakes only."""
    snakes = tuple(
        replace(
            position.snakes[index], health=int(packed.board["health"][0, index]), body=body_of(packed, index)
        )
        for index in living(packed)
    )
    return replace(position, snakes=snakes, food=food_of(packed), you=0)


def random_position(
    random: Random,
    snakes: tuple[int, int] = (1, MAX_SNAKES),
    sizes: tuple[int, int] = (3, MAX_SIDE),
    rulesets: Sequence[str] = RULESETS,
    parts: tuple[int, int] = (1, 12),
) -> Position:
    """Return a random position, crowded rather than open; with fewer snakes if there is no room."""
    ruleset = Ruleset(random.choice(rulesets), random.choice(DAMAGES))
    empty = Position(random.randint(*sizes), random.randint(*sizes), (), ruleset=ruleset)
    free = {(x, y) for x in range(empty.width) for y in range(empty.height)}
    cells = sorted(free)
    wanted = 1 if ruleset.name == "solo" else random.randint(*snakes)
    bodies = [_random_body(random, empty, free, parts) for _ in range(wanted) if free]
    return replace(
        empty,
        snakes=tuple(Snake(f"s{index}", _random_health(random), body) for index, body in enumerate(bodies)),
        food=tuple(random.sample(sorted(free), random.randint(0, min(len(free), 6)))),
        hazards=tuple(random.choices(cells, k=random.choice((0, 0, len(cells) // 4, len(cells))))),
        you=random.randrange(len(bodies)),
        turn=random.randint(0, 500),
    )


def _random_health(random: Random) -> int:
    """Return a health that is often near 0."""
    return random.choice((1, 2, random.randint(3, 20), random.randint(1, 100), 100))


def _random_body(
    random: Random, empty: Position, free: set[Point], parts: tuple[int, int]
) -> tuple[Point, ...]:
    """Return a random walk over free cells, which it removes; sometimes with parts yet to unfold."""
    board, cells = board_of(empty), random.randint(*parts)
    body = [random.choice(sorted(free))]
    while len(body) < cells:
        free.discard(body[-1])
        steps = {board.neighbour(body[-1], direction) for direction in textbook.Direction} & free
        if not steps:
            break
        body.append(random.choice(sorted(steps)))
    free.discard(body[-1])
    stacked = max(random.choice((0, 0, 0, 1, 2)), parts[0] - len(body))
    return (*body, *body[-1:] * stacked)


def random_moves(random: Random, position: Position) -> list[Direction]:
    """Return a move for each snake, mostly one of the textbook's candidates."""
    board = board_of(position)
    return [
        random.choice(list(Direction) if random.random() < 0.2 else textbook_moves(board, index))
        for index in range(len(position.snakes))
    ]


def textbook_moves(board: textbook.Board, player: int) -> list[Direction]:
    """Return the textbook's candidate moves as the engine's directions."""
    return [Direction[move.name] for move in candidate_moves(board, player)]


def randoms() -> st.SearchStrategy[Random]:
    """Return a strategy for random number generators with different seeds."""
    return st.integers(0, 2**32).map(Random)


def recorded_positions(every: int = 1, large: bool | None = None) -> list[Position]:
    """Return the positions before recorded turns of the official engine.

    `large` selects those with more than 4 snakes or 11 cells a side, or the others.
    """
    positions = [position_of(transition) for transition in transitions()[::every]]
    return [position for position in positions if large in (None, _is_large(position))]


def _is_large(position: Position) -> bool:
    return len(position.snakes) > 4 or max(position.width, position.height) > 11


@cache
def transitions() -> tuple[Transition, ...]:
    """Return all recorded turns of the official engine."""
    return tuple(read_transitions(TRANSITIONS))


def reached_first(board: textbook.Board, you: int) -> tuple[int, int, int | None]:
    """Return how many cells a snake and its opponents reach first, heads included, by breadth-first search.

    The longest snake gets a cell that several reach together; between equals `you` does not get it. The last
    number is the steps to the nearest food among the snake's cells, None if there is none.
    """
    step, steps = 0, None
    owner = {board.snakes[player].head: player for player in board.living}
    held = {part for player in board.living for part in board.snakes[player].body[:-1]}
    fronts = {player: {board.snakes[player].head} for player in board.living}
    while any(fronts.values()):
        arrivals = {player: _near(board, front) - held - owner.keys() for player, front in fronts.items()}
        fronts = {player: set() for player in fronts}
        for cell in set[Point]().union(*arrivals.values()):
            together = [player for player in arrivals if cell in arrivals[player]]
            first = max(together, key=lambda player: (len(board.snakes[player].body), player != you))
            owner[cell] = first
            fronts[first].add(cell)
        step += 1
        if steps is None and fronts[you].intersection(board.food):
            steps = step
    mine = sum(player == you for player in owner.values())
    return mine, len(owner) - mine, steps


def raced_to_food(board: textbook.Board, you: int) -> tuple[set[Point], set[Point], int | None, int | None]:
    """Return what `race_to_food` is: my cells, theirs, my steps to food, and theirs.

    The steps are None if the side reaches no food first.
    """
    mine, strong, weak = {board.snakes[you].head}, set[Point](), set[Point]()
    for other in set(board.living) - {you}:
        longer = len(board.snakes[other].body) >= len(board.snakes[you].body)
        (strong if longer else weak).add(board.snakes[other].head)
    step, entered = 1, True
    steps: dict[bool, int] = {}
    while entered or step <= 10:
        entered = False
        for side in (strong, mine, weak):
            edge = _near(board, side) - _bodies_after(board, step) - mine - strong - weak
            if len(side) >= step and edge:
                side |= edge
                entered = True
                if edge.intersection(board.food):
                    steps.setdefault(side is mine, step)
        step += 1
    return mine, strong | weak, steps.get(True), steps.get(False)


def steps_between(board: textbook.Board, here: Point, there: Point) -> int:
    """Return the steps between two cells of the board without snakes."""
    across, along = abs(here[0] - there[0]), abs(here[1] - there[1])
    if board.rules.wrapped:
        across, along = min(across, board.width - across), min(along, board.height - along)
    return across + along


def _bodies_after(board: textbook.Board, steps: int) -> set[Point]:
    """Return the cells that the living snakes' parts still hold after some steps without a meal."""
    steps = 1 if board.rules.constrictor else steps
    bodies = [board.snakes[player].body for player in board.living]
    return {part for body in bodies for part in body[: max(1, len(body) - steps)]}


def _near(board: textbook.Board, cells: set[Point]) -> set[Point]:
    """Return the cells of the board one step away from any of these."""
    near = {board.neighbour(cell, direction) for cell in cells for direction in textbook.Direction}
    return {cell for cell in near if board.holds(cell)}
