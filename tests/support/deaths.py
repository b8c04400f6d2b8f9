"""Needless deaths: snakes that left the board or hit themselves although a neighbouring cell was safe."""

from collections.abc import Sequence

from battlesnake_search.board import Board, Point, Snake, Turn


def needless_deaths(frames: Sequence[Turn], ends: Sequence[Turn]) -> tuple[str, ...]:
    """Return a description of each needless death of a game.

    `frames` are the positions turn by turn, `ends` the bodies of the /end requests: the only place
    where the engine shows the last move of a dead snake.
    """
    final_bodies = {end.you.id: end.you.body for end in ends}
    last_frames = {snake.id: (frame, snake) for frame in frames for snake in frame.board.snakes}
    return tuple(
        f"turn {frame.turn}: snake {snake.name} went from {snake.body[0]} to {final_bodies[snake.id][0]}"
        for frame, snake in last_frames.values()
        if frame is not frames[-1]
        and _died_alone(frame.board, final_bodies[snake.id])
        and any(_is_safe(frame, snake, cell) for cell in _neighbours(frame, snake.body[0]))
    )


def _died_alone(board: Board, final_body: Sequence[Point]) -> bool:
    head, *rest = final_body
    return head in rest or not board.holds(head)


def _neighbours(frame: Turn, cell: Point) -> list[Point]:
    board = frame.board
    cells = [Point(cell.x + dx, cell.y + dy) for dx, dy in ((0, 1), (0, -1), (-1, 0), (1, 0))]
    if frame.game.ruleset.wrapped:
        return [Point(cell.x % board.width, cell.y % board.height) for cell in cells]
    return [cell for cell in cells if board.holds(cell)]


def _is_safe(frame: Turn, snake: Snake, cell: Point) -> bool:
    """Return whether a snake that moves to the cell survives every reply of the opponents."""
    bodies = {part for other in frame.board.snakes for part in other.body[:-1]}
    rivals = [
        other.body[0]
        for other in frame.board.snakes
        if other.id != snake.id and len(other.body) >= len(snake.body)
    ]
    within_reach = {near for head in rivals for near in _neighbours(frame, head)}
    return cell not in bodies | within_reach and _survives_hazards(frame, snake, cell)


def _survives_hazards(frame: Turn, snake: Snake, cell: Point) -> bool:
    layers = frame.board.hazards.count(cell)
    damage = 1 + layers * frame.game.ruleset.settings.hazard_damage_per_turn
    return cell in frame.board.food or snake.health > damage
