"""Battlesnake by the official rules, as a game for the searches of this textbook: immutable values.

`play_turn` plays one turn as an ordered list of stages: pure functions with the same signature. Source:
BattlesnakeOfficial/rules, standard.go, wrapped.go, constrictor.go. Random events are left out: no food
appears, and the hazards of royale stay where they are.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from battlesnake_search.contract.deaths import Cause
from searcher.textbook.game import GameResult, Player

Point = tuple[int, int]
"""A cell as (x, y), counted from the bottom left."""

MAX_HEALTH = 100


class Direction(StrEnum):
    """A move, as the Battlesnake API spells it."""

    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"


STEPS = {Direction.UP: (0, 1), Direction.DOWN: (0, -1), Direction.LEFT: (-1, 0), Direction.RIGHT: (1, 0)}
"""The step of each move in x and in y."""


@dataclass(frozen=True, slots=True)
class Elimination:
    """The death of a snake: its cause, the id of the killer ("" for none) and the turn."""

    cause: Cause
    by: str
    turn: int


@dataclass(frozen=True, slots=True)
class Snake:
    """A snake. `body` is head first. Segments that have yet to unfold repeat the tail."""

    id: str
    body: tuple[Point, ...]
    health: int = MAX_HEALTH
    elimination: Elimination | None = None
    """None while the snake is alive."""

    @property
    def alive(self) -> bool:
        """Whether the snake is still in the game."""
        return self.elimination is None

    @property
    def head(self) -> Point:
        """The cell of the head."""
        return self.body[0]


@dataclass(frozen=True, slots=True)
class Rules:
    """A ruleset by its official name, with the settings that a turn depends on."""

    name: str = "standard"
    hazard_damage: int = 0
    """The health lost for each layer of hazard under a head. A negative value heals."""

    @property
    def wrapped(self) -> bool:
        """Whether opposite edges are joined."""
        return self.name.startswith("wrapped")

    @property
    def constrictor(self) -> bool:
        """Whether every snake grows on every turn, without food."""
        return self.name.endswith("constrictor")


@dataclass(frozen=True, slots=True)
class Board:
    """The state of a game at the start of a turn. A hazard that is listed k times has k layers.

    `snakes` keeps eliminated snakes in their places, because a player is an index into it.
    """

    width: int
    height: int
    snakes: tuple[Snake, ...]
    food: tuple[Point, ...] = ()
    hazards: tuple[Point, ...] = ()
    turn: int = 0
    rules: Rules = field(default_factory=Rules)

    @property
    def living(self) -> list[Player]:
        """The players whose snakes are alive."""
        return [player for player, snake in enumerate(self.snakes) if snake.alive]

    @property
    def solo(self) -> bool:
        """Whether every snake plays until it dies: under the solo ruleset, or if there is only one snake."""
        return self.rules.name == "solo" or len(self.snakes) == 1

    @property
    def over(self) -> bool:
        """Whether the game is over: no snake is left, or only the winner."""
        return len(self.living) <= (0 if self.solo else 1)

    def neighbour(self, cell: Point, direction: Direction) -> Point:
        """Return the cell one step away: across the edge of a wrapped board, off the edge of any other."""
        x, y = cell
        dx, dy = STEPS[direction]
        return ((x + dx) % self.width, (y + dy) % self.height) if self.rules.wrapped else (x + dx, y + dy)

    def holds(self, cell: Point) -> bool:
        """Return whether the cell is on the board."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height


Moves = Mapping[Player, str]
"""A move for each living snake. A word other than a Direction stands for the default move."""

Stage = Callable[[Board, Moves], Board]


def play_turn(board: Board, moves: Moves) -> Board:
    """Return the board after one turn. Eliminated snakes keep their places. A finished board stays the same.

    Raises ValueError if a living snake has no move.
    """
    if board.over:
        return board
    missing = [board.snakes[player].id for player in board.living if player not in moves]
    if missing:
        raise ValueError(f"a move is missing for {', '.join(missing)}")
    for stage in STAGES:
        board = stage(board, moves)
    return replace(board, turn=board.turn + 1)


def move_snakes(board: Board, moves: Moves) -> Board:
    """Add a new head to each snake and drop its tail, all at the same time."""

    def moved(player: Player, snake: Snake) -> Snake:
        head = board.neighbour(snake.head, direction_of(moves[player], snake))
        return replace(snake, body=(head, *snake.body[:-1]))

    return _each_living(board, moved)


def direction_of(word: str, snake: Snake) -> Direction:
    """Return the direction that `word` names, or for any other word the default move, straight on.

    Straight on is the direction from neck to head, even across a wrapped edge, and up if they share a cell.
    """
    if word in STEPS:
        return Direction(word)
    if len(snake.body) < 2:
        return Direction.UP
    dx, dy = (head - neck for head, neck in zip(snake.body[0], snake.body[1], strict=True))
    # Across a wrapped edge, head and neck are a whole board apart, and the step went the other way.
    dx, dy = (step if abs(step) <= 1 else -step for step in (dx, dy))
    if dx:
        return Direction.RIGHT if dx > 0 else Direction.LEFT
    return Direction.DOWN if dy < 0 else Direction.UP


def reduce_health(board: Board, moves: Moves) -> Board:
    """Take one point of health from each snake."""
    return _each_living(board, lambda player, snake: replace(snake, health=snake.health - 1))


def damage_in_hazards(board: Board, moves: Moves) -> Board:
    """Change the health of each snake by every layer of hazard under its head, unless food is there too."""

    def damaged(player: Player, snake: Snake) -> Snake:
        layers = board.hazards.count(snake.head)
        if not layers or snake.head in board.food:
            return snake
        health = min(max(snake.health - layers * board.rules.hazard_damage, 0), MAX_HEALTH)
        hurt = replace(snake, health=health)
        return hurt if health else _eliminated(board, hurt, Cause.HAZARD)

    return _each_living(board, damaged)


def feed_snakes(board: Board, moves: Moves) -> Board:
    """Feed each snake whose head is on food: it gets full health and a doubled tail, and the food is gone."""

    def fed(player: Player, snake: Snake) -> Snake:
        if snake.head not in board.food:
            return snake
        return replace(snake, health=MAX_HEALTH, body=(*snake.body, snake.body[-1]))

    heads = {board.snakes[player].head for player in board.living}
    left = tuple(food for food in board.food if food not in heads)
    return replace(_each_living(board, fed), food=left)


def eliminate_starved_or_outside(board: Board, moves: Moves) -> Board:
    """Eliminate the snakes with no health or with a segment off the board, before any collision counts."""

    def checked(player: Player, snake: Snake) -> Snake:
        if snake.health <= 0:
            return _eliminated(board, snake, Cause.HUNGER)
        if not all(board.holds(part) for part in snake.body):
            return _eliminated(board, snake, Cause.WALL)
        return snake

    return _each_living(board, checked)


def eliminate_collided(board: Board, moves: Moves) -> Board:
    """Eliminate the snakes that hit a body or lost head to head, after the check of all snakes."""
    living = [board.snakes[player] for player in board.living]
    return _each_living(board, lambda player, snake: _collided(board, snake, living))


def _collided(board: Board, snake: Snake, living: list[Snake]) -> Snake:
    """Return the snake, eliminated if it collided: with itself first, then with bodies, then with heads."""
    others = [other for other in living if other is not snake]
    hit = [other for other in others if snake.head in other.body[1:]]
    met = [other for other in others if snake.head == other.head and len(snake.body) <= len(other.body)]
    if snake.head in snake.body[1:]:
        return _eliminated(board, snake, Cause.SELF, [snake])
    if hit:
        return _eliminated(board, snake, Cause.BODY, hit)
    return _eliminated(board, snake, Cause.HEAD, met) if met else snake


def grow_in_constrictor(board: Board, moves: Moves) -> Board:
    """Apply the constrictor rules: no food, full health, and a doubled tail unless it is doubled already."""
    if not board.rules.constrictor:
        return board

    def grown(player: Player, snake: Snake) -> Snake:
        doubled = snake.body[-1:] if snake.body[-1:] != snake.body[-2:-1] else ()
        return replace(snake, health=MAX_HEALTH, body=snake.body + doubled)

    return replace(_each_living(board, grown), food=())


STAGES: tuple[Stage, ...] = (
    move_snakes,
    reduce_health,
    damage_in_hazards,
    feed_snakes,
    eliminate_starved_or_outside,
    eliminate_collided,
    grow_in_constrictor,
)
"""The stages of a turn, in order."""


def _each_living(board: Board, change: Callable[[Player, Snake], Snake]) -> Board:
    """Return the board with each living snake changed."""
    snakes = tuple(
        change(player, snake) if snake.alive else snake for player, snake in enumerate(board.snakes)
    )
    return replace(board, snakes=snakes)


def _eliminated(board: Board, snake: Snake, cause: Cause, by: Iterable[Snake] = ()) -> Snake:
    """Return the snake, eliminated by the longest snake of `by`, the first of equals."""
    killer = max(by, key=lambda other: len(other.body), default=None)
    return replace(snake, elimination=Elimination(cause, killer.id if killer else "", board.turn + 1))


def candidate_moves(board: Board, player: Player) -> list[Direction]:
    """Return the moves without certain death for a living snake, in the order of Direction, or else up.

    Moves off the board (unless wrapped) are left out. So are moves onto a cell that a living snake, including
    this one, still occupies after the turn. Every segment but the tail occupies its cell, because the tail
    moves on. The tail of a snake that has just eaten or has yet to unfold is doubled, so its cell counts as
    occupied. Snakes that certainly starve this turn occupy nothing, unless this snake starves, too.
    Head-to-head collisions, hazards and other possible deaths of the blocking snake are ignored. A snake
    without a candidate dies by every move, and up stands for all its moves.
    """
    mine = board.snakes[player]
    others = [board.snakes[other] for other in board.living]
    blocking = [other for other in others if _starves(board, mine) or not _starves(board, other)]
    occupied = {segment for other in blocking for segment in other.body[:-1]}
    targets = {direction: board.neighbour(mine.head, direction) for direction in Direction}
    free = [direction for direction, cell in targets.items() if board.holds(cell) and cell not in occupied]
    return free or [Direction.UP]


def _starves(board: Board, snake: Snake) -> bool:
    """Return whether a snake certainly dies of hunger this turn: it can neither eat nor be healed."""
    may_eat = any(board.neighbour(snake.head, direction) in board.food for direction in Direction)
    return snake.health <= 1 and board.rules.hazard_damage >= 0 and not may_eat


@dataclass(frozen=True, slots=True)
class Battlesnake:
    """A position of Battlesnake. Player p controls board.snakes[p]."""

    board: Board

    @property
    def players(self) -> range:
        """All snakes, including dead ones."""
        return range(len(self.board.snakes))

    @property
    def to_move(self) -> list[Player]:
        """All living snakes, because they move at the same time. Empty when the game is over."""
        return [] if self.board.over else self.board.living

    @property
    def turn(self) -> int:
        """The number of the turn, as the engine counts it."""
        return self.board.turn

    def legal_moves(self, player: Player) -> list[Direction]:
        """Return the moves worth trying (`candidate_moves`), although the rules allow any direction."""
        return candidate_moves(self.board, player)

    def play(self, moves: Mapping[Player, str]) -> "Battlesnake":
        """Play one turn by the official rules. Raises ValueError if a living snake has no move."""
        return Battlesnake(play_turn(self.board, moves))

    def result(self, player: Player) -> GameResult | None:
        """Return a win for the last survivor, a draw for the last snakes if they died together, or a loss.

        The result is None while the snake lives and the game goes on. A snake that plays alone can only lose.
        """
        snake = self.board.snakes[player]
        if snake.elimination is None:
            return GameResult.WIN if self.board.over else None
        last = not self.board.living and snake.elimination.turn == self.board.turn
        return GameResult.DRAW if last and not self.board.solo else GameResult.LOSS


def territory(game: Battlesnake, player: Player) -> float:
    """Evaluate the share of free cells that `player` reaches before all opponents, from -1 (none) to 1 (all).

    Bodies stand still and their tails are free. If several snakes arrive at the same time, the longest snake
    gets the cell. If several are equally long, no snake gets it.
    """
    owners = reached_first(game.board)
    mine = sum(owner == player for owner in owners.values())
    return 2 * mine / max(len(owners), 1) - 1


def reached_first(board: Board) -> dict[Point, Player | None]:
    """Return the first player to reach each reachable free cell, or None for a tie."""
    occupied = {segment for player in board.living for segment in board.snakes[player].body[:-1]}
    owners: dict[Point, Player | None] = {}
    front = {board.snakes[player].head: player for player in board.living}
    while front:
        arrivals: dict[Point, set[Player]] = {}
        for cell, player in front.items():
            for target in _neighbours(board, cell) - occupied - owners.keys():
                arrivals.setdefault(target, set()).add(player)
        reached = {cell: _longest(board, players) for cell, players in arrivals.items()}
        owners |= reached
        front = {cell: player for cell, player in reached.items() if player is not None}
    return owners


def _neighbours(board: Board, cell: Point) -> set[Point]:
    """Return the cells of the board one step away."""
    cells = {board.neighbour(cell, direction) for direction in Direction}
    return {cell for cell in cells if board.holds(cell)}


def _longest(board: Board, players: set[Player]) -> Player | None:
    """Return the player with the longest snake, or None if several are equally long."""
    length = max(len(board.snakes[player].body) for player in players)
    longest = [player for player in players if len(board.snakes[player].body) == length]
    return longest[0] if len(longest) == 1 else None
