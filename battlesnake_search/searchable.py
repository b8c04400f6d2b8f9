"""The position for a search: a board of any game, brought within the bounds of the contract.

The contract takes 1 to 8 living snakes, sides of 1 to 25 cells, and bodies that are on the board, connected
and disjoint. If there are more snakes, the search gets the nearest ones, and the bodies of the others become
lethal hazards. If the board is larger, the search gets a window around our head, with walls at its edges.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from battlesnake_search.board import MAX_HEALTH, MOVES, Board, Point, Snake, Turn
from battlesnake_search.contract.limits import MAX_SIDE, MAX_SNAKES
from battlesnake_search.living import see, without_dead

_UNFOLDING = 2
"""The parts of a body that may exceed the cells of the board, because a snake starts with three parts on one
cell."""


@dataclass(frozen=True, slots=True)
class Searchable:
    """A turn within the contract's bounds. Only `moves` are to be considered; all moves if it is empty.

    `mended` has the kinds of changes: overlap, crowd, large_board.
    """

    turn: Turn
    moves: tuple[str, ...] = ()
    mended: frozenset[str] = frozenset()


def searchable(turn: Turn) -> Searchable:
    """Return a turn that a search accepts. The board of the given turn has the living snakes alone.

    A board without our snake's head stays as it is: a searcher refuses it, and names the field.
    """
    if not turn.can_move:
        return Searchable(turn)
    turn = _without_starving(turn)
    board, wrapped = turn.board, turn.game.ruleset.wrapped
    if (
        len(board.snakes) <= MAX_SNAKES
        and max(board.width, board.height) <= MAX_SIDE
        and _is_valid(board, wrapped)
    ):
        return Searchable(turn)
    return _Fitting(turn).fitted()


def _without_starving(turn: Turn) -> Turn:
    """Return a turn without the opponents that are certain to starve in it.

    They die before the collisions of the turn, so their bodies block no cell.
    """
    settings = turn.game.ruleset.settings
    if settings.hazard_damage_per_turn < 0 or turn.game.ruleset.name.endswith("constrictor"):
        return turn
    kept = [
        snake
        for snake in turn.board.snakes
        if snake.health != 1 or snake.id == turn.you.id or _is_fed(turn, snake.body[0])
    ]
    return turn if len(kept) == len(turn.board.snakes) else turn.with_board(snakes=kept)


def _is_fed(turn: Turn, head: Point) -> bool:
    """Return whether a head can reach food in one move."""
    board, wrapped = turn.board, turn.game.ruleset.wrapped
    return any(_touch(board, wrapped, head, food) for food in board.food)


def _is_valid(board: Board, wrapped: bool) -> bool:
    """Return whether all snakes are healthy, and their bodies on the board, connected and disjoint."""
    taken: set[Point] = set()
    cells, most = 0, board.width * board.height + _UNFOLDING
    for snake in board.snakes:
        body = snake.body
        path = _path(board, wrapped, body)
        if not (snake.health and path) or len(body) > most or body != _unfolding(path, len(body)):
            return False
        taken.update(path)
        cells += len(path)
    return cells == len(taken)


def _path(board: Board, wrapped: bool, body: Iterable[Point], taken: Iterable[Point] = ()) -> list[Point]:
    """Return the cells of a body from its head, while they are on the board, connected and free."""
    path: list[Point] = []
    crossed: set[Point] = set()
    for part in body:
        if path and part == path[-1]:
            continue
        is_free = board.holds(part) and part not in taken and part not in crossed
        if not is_free or (path and not _touch(board, wrapped, path[-1], part)):
            break
        path.append(part)
        crossed.add(part)
    return path


def _unfolding(path: list[Point], length: int) -> list[Point]:
    """Return a body of a length on a path: the rest of it is on the last cell."""
    return path + [path[-1]] * (length - len(path))


def _touch(board: Board, wrapped: bool, one: Point, other: Point) -> bool:
    across, along = abs(one.x - other.x), abs(one.y - other.y)
    if wrapped:
        across, along = min(across, board.width - across), min(along, board.height - along)
    return across + along == 1


class _Fitting:
    """The steps that bring one turn within the bounds of the contract."""

    def __init__(self, turn: Turn) -> None:
        own = _own(turn)
        self._kinds: set[str] = set()
        self._turn = (
            turn if max(turn.board.width, turn.board.height) <= MAX_SIDE else self._window(turn, own.body[0])
        )
        self._wrapped = self._turn.game.ruleset.wrapped

    def fitted(self) -> Searchable:
        """Return the turn within the bounds."""
        board = self._turn.board
        own = _own(self._turn)
        shown: list[Snake] = []
        taken: set[Point] = set()
        walls: set[Point] = set()
        for snake in [own, *self._nearest(own)]:
            path = _path(board, self._wrapped, snake.body, taken) if len(shown) < MAX_SNAKES else []
            if not path:
                self._kinds.add("overlap" if len(shown) < MAX_SNAKES else "crowd")
                walls.update(snake.body)
                continue
            taken.update(path)
            shown.append(_along(snake, path, board))
            if set(path) != set(snake.body):
                self._kinds.add("overlap")
                walls.update(snake.body)
        walls = {cell for cell in walls if board.holds(cell)} - taken
        turn = _walled(self._turn, sorted(shown, key=self._order), walls)
        return Searchable(turn, self._share(own, taken | walls), frozenset(self._kinds))

    def _order(self, snake: Snake) -> int:
        return [each.id for each in self._turn.board.snakes].index(snake.id)

    def _nearest(self, own: Snake) -> list[Snake]:
        """Return the other snakes whose heads are on the board, nearest first."""
        others = [each for each in self._turn.board.snakes if each.id != own.id and each.body]
        return sorted(others, key=lambda snake: _distance(snake.body[0], own.body[0]))

    def _share(self, own: Snake, blocked: set[Point]) -> tuple[str, ...]:
        """Return our part of the free moves if several heads are on one cell, so that the snakes separate."""
        head = own.body[0]
        crowd = sorted(each.id for each in self._turn.board.snakes if each.body and each.body[0] == head)
        around = {move: Point(head.x + dx, head.y + dy) for move, (dx, dy) in MOVES.items()}
        free = [move for move, cell in around.items() if self._turn.board.holds(cell) and cell not in blocked]
        if len(crowd) < 2 or len(free) < len(crowd):
            return ()
        return tuple(free[crowd.index(own.id) :: len(crowd)])

    def _window(self, turn: Turn, head: Point) -> Turn:
        """Return a turn on the part of a large board around a cell."""
        self._kinds.add("large_board")
        board, ruleset = turn.board, turn.game.ruleset
        wrapped = ruleset.wrapped
        width, height = min(board.width, MAX_SIDE), min(board.height, MAX_SIDE)
        left = _start(head.x, board.width, width, wrapped)
        bottom = _start(head.y, board.height, height, wrapped)

        def moved(points: Iterable[Point]) -> list[Point]:
            if wrapped:
                return [Point((p.x - left) % board.width, (p.y - bottom) % board.height) for p in points]
            return [Point(p.x - left, p.y - bottom) for p in points]

        small = Board(width, height)
        snakes = [msgspec.structs.replace(snake, body=moved(snake.body)) for snake in board.snakes]
        # A window has edges, so it can't be wrapped.
        rules = {"wrapped": "standard", "wrapped_constrictor": "constrictor"}.get(ruleset.name, ruleset.name)
        return msgspec.structs.replace(
            turn,
            game=msgspec.structs.replace(turn.game, ruleset=msgspec.structs.replace(ruleset, name=rules)),
            you=msgspec.structs.replace(turn.you, body=moved(turn.you.body)),
            board=Board(
                width,
                height,
                [snake for snake in snakes if any(map(small.holds, snake.body))],
                [point for point in moved(board.food) if small.holds(point)],
                [point for point in moved(board.hazards) if small.holds(point)],
            ),
        )


def _own(turn: Turn) -> Snake:
    own = turn.own
    assert own is not None
    return own


def _start(head: int, side: int, window: int, wrapped: bool) -> int:
    """Return the first cell of a window on a side, with the head as near to its middle as the side allows."""
    start = head - window // 2
    return start if wrapped else min(max(start, 0), side - window)


def _distance(one: Point, other: Point) -> int:
    return abs(one.x - other.x) + abs(one.y - other.y)


def _along(snake: Snake, path: list[Point], board: Board) -> Snake:
    """Return a snake of the same length on a path, with the rest of its body on the last cell."""
    length = min(len(snake.body), board.width * board.height + _UNFOLDING)
    return msgspec.structs.replace(snake, body=_unfolding(path, length), health=max(snake.health, 1))


def _walled(turn: Turn, snakes: list[Snake], walls: set[Point]) -> Turn:
    """Return a turn with these snakes, and with lethal hazards on the cells of walls."""
    board, settings = turn.board, turn.game.ruleset.settings
    hazards, damage = board.hazards, settings.hazard_damage_per_turn
    if walls and damage <= 0:
        # A game has the same damage for all hazards, so harmless or healing hazards give way to lethal ones.
        hazards, damage = [], MAX_HEALTH
    layers = -(-MAX_HEALTH // damage) if walls else 0
    hazards = [
        *hazards,
        *(cell for cell in sorted(walls, key=lambda cell: (cell.x, cell.y)) for _ in range(layers)),
    ]
    replace = msgspec.structs.replace
    ruleset = replace(turn.game.ruleset, settings=replace(settings, hazard_damage_per_turn=damage))
    food = [point for point in board.food if point not in walls]
    return replace(
        turn,
        game=replace(turn.game, ruleset=ruleset),
        board=replace(board, snakes=snakes, food=food, hazards=hazards),
    )


def position_of(turn: Turn) -> Searchable:
    """Return a turn that a search accepts. Dead snakes are found by the turn's board alone."""
    return searchable(without_dead(turn, see(turn)))
