"""The move when no searcher answered: a look at the four cells around the head, without search."""

from gateway.bodies import Snake, Turn

MOVES = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}
"""Every move of the Battlesnake API, and what it adds to a cell."""

# Cells that a flood looks at: more would cost time without changing many moves.
_FLOOD_LIMIT = 100

Cell = tuple[int, int]
Worth = tuple[bool, bool, int, int, int, int]


def choose(turn: Turn) -> str:
    """The move of the best looking neighbour cell, for any turn that can be read.

    Better is, in this order: to live, to stay out of reach of heads that would win or draw, to have room
    for the whole body, to lose less health, to have more room, to be nearer to food. With equals, the
    first of MOVES.
    """
    if not turn.you.body:
        return next(iter(MOVES))
    worths = _worths(turn)
    return max(worths, key=lambda move: worths[move])


def living(turn: Turn) -> list[str]:
    """The moves that don't die at once by themselves, whatever the rivals do; the best looking first."""
    worths = _worths(turn) if turn.you.body else {}
    return sorted((move for move in worths if worths[move][0]), key=lambda move: worths[move], reverse=True)


def _worths(turn: Turn) -> dict[str, Worth]:
    """How good each move looks."""
    reflex = _Reflex(turn)
    return {move: reflex.worth(cell) for move, cell in zip(MOVES, reflex.around(reflex.head), strict=True)}


class _Reflex:
    """One turn, seen from the head of the snake that is asked."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.wrapped = turn.game.ruleset.name.startswith("wrapped")
        self.width, self.height = turn.board.width, turn.board.height
        self.you = turn.you
        self.head = (turn.you.body[0].x, turn.you.body[0].y)
        self.blocked = {cell for snake in turn.board.snakes for cell in _staying(snake)} | _staying(turn.you)
        self.contested = {cell for snake in self._stronger() for cell in self.around(_head(snake))}
        self.food = {(point.x, point.y) for point in turn.board.food}

    def worth(self, cell: Cell) -> Worth:
        damage = self._damage(cell)
        alive = self._free(cell) and self.you.health > damage
        room = self._room(cell) if alive else 0
        fits = min(room, len(self.you.body))
        return alive, cell not in self.contested, fits, -damage, room, -self._food_distance(cell)

    def _stronger(self) -> list[Snake]:
        """Rivals whose head kills ours when both meet on a cell."""
        size = len(self.you.body)
        return [s for s in self.turn.board.snakes if s.id != self.you.id and s.body and len(s.body) >= size]

    def around(self, cell: Cell) -> list[Cell]:
        """The neighbours, in the order of MOVES; beyond the board's edge unless that is joined."""
        x, y = cell
        near = [(x + dx, y + dy) for dx, dy in MOVES.values()]
        return [(x % self.width, y % self.height) for x, y in near] if self.wrapped else near

    def _on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def _free(self, cell: Cell) -> bool:
        return self._on_board(cell) and cell not in self.blocked

    def _damage(self, cell: Cell) -> int:
        """Health lost by ending the turn on the cell; food refills it and cancels every hazard."""
        if cell in self.food:
            return 0
        layers = sum((point.x, point.y) == cell for point in self.turn.board.hazards)
        return 1 + layers * self.turn.game.ruleset.settings.hazard_damage_per_turn

    def _room(self, start: Cell) -> int:
        """Cells in reach from a free one, counted up to the flood's limit."""
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


def _staying(snake: Snake) -> set[Cell]:
    """Cells that the snake still holds after the turn, its new head aside."""
    # The last part moves on; where parts are stacked on the tail's cell, another one stays.
    return {(part.x, part.y) for part in snake.body[:-1]}
