"""The official map "snail_mode": snakes leave trails of hazards. Trails fade by a layer a turn.

A trail begins when a tail leaves a cell. Until the next turn the map remembers the cell (x, y), as the
official engine does, by a hazard above the board at (x, y + height).
"""

from collections import Counter
from collections.abc import Iterator

from arena.games.maps import BoardUpdate
from arena.games.maps._food_and_starts import new_food
from arena.records import Cell, Rules
from searcher.engine.position import Position


def update_board(rules: Rules, position: Position, seed: int) -> BoardUpdate:
    """Add food, remove a layer from each trail, and begin the trails that the map remembers."""
    trails = (*_faded(position), *_begun(position), *_remembered(position))
    return BoardUpdate(new_food(rules, position, seed), trails)


def _faded(position: Position) -> Iterator[Cell]:
    """Yield the hazards on the board with one layer less on every cell."""
    layers = Counter(cell for cell in position.hazards if cell[1] < position.height)
    for cell, count in layers.items():
        yield from (cell,) * (count - 1)


def _begun(position: Position) -> Iterator[Cell]:
    """Yield the remembered cells that no head has entered."""
    heads = {snake.body[0] for snake in position.snakes}
    for x, y in position.hazards:
        if y >= position.height and (x, y - position.height) not in heads:
            yield x, y - position.height


def _remembered(position: Position) -> Iterator[Cell]:
    """Yield a cell above the board for each tail that will move, with a layer for each part of the snake."""
    for snake in position.snakes:
        x, y = snake.body[-1]
        if snake.body[-2:] != ((x, y),) * 2:
            yield from ((x, y + position.height),) * len(snake.body)
