"""The official map "solo_maze": a maze for one snake, with one piece of food that leads to a larger maze.

The hazards of the lowest row are the number of the maze in binary. In the last mazes the food moves away from
the snake. Mazes are made by recursive division, as in the official engine: walls part a room into smaller
rooms, and every wall gets a hole or two. Rooms include the walls on their right and upper side.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import all_cells, rng_for
from arena.records import Cell, Rules, Start
from searcher.engine.position import MAX_HEALTH, Position

_SMALLEST = 3
"""The longest side of a room that is not divided."""

MOST_SNAKES = 1

_FIRST_SIDE = 7
"""The side of the first maze, and the shortest side of a board."""

_LARGEST_MAZES = 5
"""The number of mazes of the largest size before food moves."""

_FOOD_DISTANCE = 5
"""Steps from the head at which food appears, except in small mazes, and at which moving food moves on."""


def set_up_board(rules: Rules, snakes: int, seed: int) -> Start:
    """Set up the first maze. Raises ValueError if the board is too small."""
    if min(rules.width, rules.height) < _FIRST_SIDE:
        size = f"{rules.width}x{rules.height}"
        raise ValueError(f"no board of {size} on the map {rules.map}; valid: sides of {_FIRST_SIDE} and more")
    return _Maze(rules, number=0).start(0, (), rng_for(seed, "maze 0"))


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Set up the next maze if there is no food. If there is, move it in the last mazes."""
    maze, rng = _Maze(rules, _number(position)), rng_for(seed, f"maze {position.turn}")
    if not position.snakes:
        return BoardUpdate()
    if not position.food:
        maze = _Maze(rules, maze.number + 1)
        return BoardUpdate(restart=maze.start(position.turn, position.hazards, rng))
    [snake], food = position.snakes, position.food[0]
    if not maze.is_last or _distance(snake.body[0], food) >= _FOOD_DISTANCE:
        return BoardUpdate()
    moved = (*position.food[1:], *maze.food(snake.body, position.hazards, rng))
    start = Start(position.turn, (snake.body,), (snake.health,), moved, position.hazards)
    return BoardUpdate(restart=start)


def _number(position: Position) -> int:
    """Return the number of the maze that the lowest row shows, its highest bit first."""
    row = {x for x, y in position.hazards if y == 0}
    return sum(1 << position.width - 1 - x for x in row)


@dataclass(frozen=True)
class _Maze:
    """A maze in the middle of the board."""

    rules: Rules
    number: int

    @property
    def is_last(self) -> bool:
        """Whether food moves."""
        return self.number - _LARGEST_MAZES > self._longest_side - _FIRST_SIDE

    def start(self, turn: int, former: tuple[Cell, ...], rng: random.Random) -> Start:
        """Return the board with the snake in the lower left corner of the maze, and its tail below it.

        Food appears neither on hazards nor on `former` ones.
        """
        walls = {self._cell(x, y) for x, y in maze_walls(self._side, rng)}
        body = (self._cell(0, 0), *(self._cell(0, -1),) * (self.number + 2))
        food = self.food(body, (*walls, *former), rng)
        hazards = (*self._bits(), *sorted(walls), *self._outside())
        return Start(turn, (body,), (MAX_HEALTH,), food, hazards)

    def food(self, body: tuple[Cell, ...], closed: tuple[Cell, ...], rng: random.Random) -> tuple[Cell, ...]:
        """Return one piece of food in the maze, away from the head, or no food without room."""
        distance, taken = min(_FOOD_DISTANCE, self._side // 2), {*body, *closed}
        cells = [self._cell(x, y) for x, y in all_cells(self._side, self._side)]
        valid = [cell for cell in cells if cell not in taken and _distance(cell, body[0]) >= distance]
        return tuple(rng.sample(valid, min(1, len(valid))))

    @property
    def _side(self) -> int:
        return min(_FIRST_SIDE + self.number, self._longest_side)

    @property
    def _longest_side(self) -> int:
        # The lowest row is taken, and as many rows lie above the maze as below it.
        return min(self.rules.width, self.rules.height - 2)

    def _cell(self, x: int, y: int) -> Cell:
        """Return a cell of the maze as one of the board."""
        return x + (self.rules.width - self._side) // 2, y + (self.rules.height - self._side) // 2

    def _bits(self) -> list[Cell]:
        """Return the cells of the lowest row that are set in the number of the maze."""
        return [(x, 0) for x in range(self.rules.width) if self.number >> self.rules.width - 1 - x & 1]

    def _outside(self) -> list[Cell]:
        """Return all cells around the maze but the lowest row."""
        inside = {self._cell(x, y) for x, y in all_cells(self._side, self._side)}
        cells = all_cells(self.rules.width, self.rules.height)
        return [cell for cell in cells if cell[1] > 0 and cell not in inside]


def _distance(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])


@dataclass(frozen=True)
class _Room:
    """A rectangle of cells, and the columns and rows that must stay free since holes lead there."""

    columns: range
    rows: range
    open_columns: frozenset[int] = frozenset()
    open_rows: frozenset[int] = frozenset()


def maze_walls(side: int, rng: random.Random) -> set[Cell]:
    """Return the walls of a random square maze."""
    return set(_divide(_Room(range(side), range(side)), rng))


def _divide(room: _Room, rng: random.Random) -> Iterator[Cell]:
    if max(len(room.columns), len(room.rows)) <= _SMALLEST:
        return
    column, row = _place(room.columns, room.open_columns, rng), _place(room.rows, room.open_rows, rng)
    open_rows = [] if column is None else _holes_upwards(room.rows, row, rng)
    open_columns = [] if row is None else _holes_sideways(room.columns, column, rng)
    if column is not None:
        yield from ((column, y) for y in room.rows if y not in open_rows)
    if row is not None:
        yield from ((x, row) for x in room.columns if x not in open_columns)
    closed = room.open_columns.union(open_columns), room.open_rows.union(open_rows)
    if column is None and row is None:
        return
    for columns in _parts(room.columns, column):
        for rows in _parts(room.rows, row):
            yield from _divide(_Room(columns, rows, *closed), rng)


def _place(places: range, free: frozenset[int], rng: random.Random) -> int | None:
    """Return a random place for a wall, away from edges and holes, or None without such a place."""
    valid = [place for place in places[1:-2] if place not in free]
    return rng.choice(valid) if valid else None


def _holes_upwards(rows: range, crossing: int | None, rng: random.Random) -> list[int]:
    """Return the rows of an upright wall's holes: one hole, or one on each side of the level wall `crossing`.

    The uppermost row of a side never has a hole.
    """
    if crossing is None:
        return [rng.choice(rows[:-1])]
    below, above = _parts(rows, crossing)
    return [rng.choice(below[:-1]), rng.choice(above[:-1])]


def _holes_sideways(columns: range, crossing: int | None, rng: random.Random) -> list[int]:
    """Return the column of a level wall's hole: to the left of the upright wall `crossing`, if any.

    The last column never has a hole.
    """
    left = columns if crossing is None else _parts(columns, crossing)[0]
    return [rng.choice(left[:-1])]


def _parts(places: range, wall: int | None) -> Sequence[range]:
    """Return the two parts into which a wall divides a side. The wall belongs to the first one."""
    return [places] if wall is None else [range(places.start, wall + 1), range(wall + 1, places.stop)]
