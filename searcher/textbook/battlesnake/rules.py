"""One turn of Battlesnake, as an ordered list of stages: pure functions with the same signature.

Source: BattlesnakeOfficial/rules, standard.go, wrapped.go, constrictor.go. Random events are left out: no
food appears, and the hazards of royale stay where they are.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from searcher.textbook.battlesnake.board import MAX_HEALTH, STEPS, Board, Cause, Direction, Elimination, Snake
from searcher.textbook.game import Player

Moves = Mapping[Player, str]
"""A move for each living snake. A word that is not a Direction stands for the default move."""

Stage = Callable[[Board, Moves], Board]


def play_turn(board: Board, moves: Moves) -> Board:
    """Return the board after one turn, eliminated snakes in their places; the same board if the game is over.

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
    """Return the direction that `word` names; for any other word, the default move, straight on.

    Straight on is the direction from neck to head, even across a wrapped edge. It is up if the two share a
    cell.
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
    """Feed each snake whose head is on food: full health, a doubled tail, and the food is gone."""

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
    """Eliminate the snakes that hit a body or lost head to head; all are checked before any is removed."""
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
