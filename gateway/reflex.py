"""The reflex move without a searcher's answer: a heuristic over the four cells around the head."""

from battlesnake_search.board import MOVES, Snake, Turn

_FLOOD_LIMIT = 100
"""The most cells of a flood fill: more cells would cost time and change few moves."""

Cell = tuple[int, int]
Worth = tuple[bool, bool, int, int, int, int]
"""The worth of a move, by the criteria of `choose` in their order; higher is better."""


def choose(turn: Turn) -> str:
    """Return the best move by a heuristic, for any valid turn.

    The criteria are staying alive, no head in reach that would win or draw, and space for the whole body.
    Then come losing less health, more space, and a shorter distance to food. Ties go to the first of MOVES.
    """
    if not turn.you.body:
        return next(iter(MOVES))
    worths = _worths(turn)
    return max(worths, key=lambda move: worths[move])


def survivable(turn: Turn) -> list[str]:
    """Return the moves that are not certain death, best first."""
    worths = _worths(turn) if turn.you.body else {}
    return sorted((move for move in worths if worths[move][0]), key=lambda move: worths[move], reverse=True)


def _worths(turn: Turn) -> dict[str, Worth]:
    """Return the worth of each move."""
    reflex = _Reflex(turn)
    return {move: reflex.worth(cell) for move, cell in zip(MOVES, reflex.around(reflex.head), strict=True)}


class _Reflex:
    """One turn, from the point of view of our snake."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.wrapped = turn.game.ruleset.wrapped
        self.width, self.height = turn.board.width, turn.board.height
        self.you = turn.you
        self.head = (turn.you.body[0].x, turn.you.body[0].y)
        self.blocked = {
            cell for snake in turn.board.snakes for cell in _occupied_after(snake)
        } | _occupied_after(turn.you)
        self.contested = {cell for snake in self._stronger() for cell in self.around(_head(snake))}
        self.food = {(point.x, point.y) for point in turn.board.food}

    def worth(self, cell: Cell) -> Worth:
        """Return the worth of moving to a cell."""
        damage = self._damage(cell)
        alive = self._is_free(cell) and self.you.health > damage
        space = self._space(cell) if alive else 0
        fits = min(space, len(self.you.body))
        return alive, cell not in self.contested, fits, -damage, space, -self._food_distance(cell)

    def _stronger(self) -> list[Snake]:
        """Return the opponents whose head kills ours when both move to one cell."""
        size = len(self.you.body)
        return [s for s in self.turn.board.snakes if s.id != self.you.id and s.body and len(s.body) >= size]

    def around(self, cell: Cell) -> list[Cell]:
        """Return the neighbours in the order of MOVES; without wrapping some may be off the board."""
        x, y = cell
        near = [(x + dx, y + dy) for dx, dy in MOVES.values()]
        return [(x % self.width, y % self.height) for x, y in near] if self.wrapped else near

    def _on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def _is_free(self, cell: Cell) -> bool:
        return self._on_board(cell) and cell not in self.blocked

    def _damage(self, cell: Cell) -> int:
        """Return the health lost by moving to the cell; food restores health and cancels every hazard."""
        if cell in self.food:
            return 0
        layers = sum((point.x, point.y) == cell for point in self.turn.board.hazards)
        return 1 + layers * self.turn.game.ruleset.settings.hazard_damage_per_turn

    def _space(self, start: Cell) -> int:
        """Return the number of cells reachable from a free cell, up to the limit of the flood fill."""
        seen = {start, *self.blocked}
        queue = [start]
        for cell in queue:
            if len(queue) >= _FLOOD_LIMIT:
                break
            fresh = {near for near in self.around(cell) if near not in seen and self._on_board(near)}
            seen |= fresh
            queue.extend(fresh)
        return min(len(queue), _FLOOD_LIMIT)

    def _food_distance(self, cell: Cell) -> int:
        return min((self._distance(cell, food) for food in self.food), default=0)

    def _distance(self, a: Cell, b: Cell) -> int:
        across, along = abs(a[0] - b[0]), abs(a[1] - b[1])
        if self.wrapped:
            across, along = min(across, self.width - across), min(along, self.height - along)
        return across + along


def _head(snake: Snake) -> Cell:
    return snake.body[0].x, snake.body[0].y


def _occupied_after(snake: Snake) -> set[Cell]:
    """Return the cells that the snake still occupies after the turn, without its new head."""
    # The last segment moves on. If segments are stacked on the tail's cell, another segment stays.
    return {(segment.x, segment.y) for segment in snake.body[:-1]}
