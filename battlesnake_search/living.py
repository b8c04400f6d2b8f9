"""The living snakes of a board: some engines list dead snakes too, unmarked, and others leave them out.

The body of a living snake changes every turn. A dead snake keeps the body and the health that it had when it
died. A snake dies in a turn if it has no health left or its head moves to a lethal place. Lethal places are:
off the board, its own body, the body of a snake that lived until then, and the head of a snake at least as
long. A living snake may stand on the body of a dead one.
"""

from collections.abc import Collection, Container, Iterable, Mapping
from dataclasses import dataclass, field

from battlesnake_search.board import MOST_SNAKES, Point, Snake, Turn


@dataclass(frozen=True, slots=True)
class Seen:
    """The snakes on the board of a turn, and the turns in which snakes have died so far, both by id."""

    turn: int
    snakes: Mapping[str, Snake]
    deaths: Mapping[str, int] = field(default_factory=dict)
    has_lost: bool = False
    """Whether a snake has left the board. If so, the engine lists only living snakes."""

    @property
    def alive(self) -> list[Snake]:
        """The living snakes, in the order of the board."""
        return [snake for snake in self.snakes.values() if snake.id not in self.deaths]


def see(turn: Turn, before: Seen | None = None, is_asked: bool = True) -> Seen:
    """Return the living snakes of a board. The board before it, if known, shows which snakes have died.

    With `is_asked`, the engine requests a move from our snake, so our snake lives.
    """
    snakes = {snake.id: snake for snake in turn.board.snakes}
    if before is None or turn.turn <= before.turn:
        fallen = _fallen(turn, snakes.values(), is_asked)
        return Seen(turn.turn, snakes, dict.fromkeys(fallen, turn.turn))
    gone = {name: before.deaths.get(name, turn.turn) for name in before.snakes if name not in snakes}
    former = _newest({name: died for name, died in before.deaths.items() if name not in before.snakes})
    if gone or before.has_lost:
        return Seen(turn.turn, snakes, {**former, **gone}, has_lost=True)
    stopped = {
        name: died
        for name, snake in snakes.items()
        if (died := _stopped(snake, before, turn.turn)) is not None
    }
    if is_asked:
        stopped.pop(turn.you.id, None)
    moved = [snake for name, snake in snakes.items() if name not in stopped]
    fallen = _fallen(turn, moved, is_asked)
    return Seen(turn.turn, snakes, {**former, **gone, **stopped, **dict.fromkeys(fallen, turn.turn)})


def without_dead(turn: Turn, now: Seen) -> Turn:
    """Return the turn with the living snakes alone on its board."""
    if not any(snake.id in now.deaths for snake in turn.board.snakes):
        return turn
    return turn.with_board(snakes=now.alive)


def _newest(deaths: dict[str, int]) -> dict[str, int]:
    """Return the newest deaths, as many as a game has snakes: a stranger may send ever-new snakes."""
    return dict(list(deaths.items())[-MOST_SNAKES:])


def _stopped(snake: Snake, before: Seen, turn: int) -> int | None:
    """Return the earlier turn in which a snake that no longer moves died, or None if it still moves."""
    former = before.snakes.get(snake.id)
    if former is None:
        return None
    gap = turn - before.turn
    if snake.body == former.body:
        # Over several turns a snake may have moved in a circle, back to the same cells. Its lower health
        # shows that.
        circled = gap > 1 and snake.health < former.health
        return None if circled else before.deaths.get(snake.id, before.turn)
    # Over several turns, the former head shows how far the body has moved.
    steps = snake.body.index(former.body[0]) if former.body[0] in snake.body else gap
    if 0 < steps < gap and former.health - snake.health < gap:
        return before.turn + steps
    return None


def _fallen(turn: Turn, moved: Iterable[Snake], is_asked: bool) -> set[str]:
    """Return the ids of the snakes that died in the turn to which they moved."""
    mine = turn.you.id if is_asked else ""
    standing, fallen = [], set()
    for snake in moved:
        if snake.id != mine and _is_faint(snake, turn):
            fallen.add(snake.id)
        else:
            standing.append(snake)
    own = next((snake for snake in standing if snake.id == mine), None)
    if own is not None and not _is_stacked(own):
        # Our snake lives, so a snake is dead if our head stands on its body.
        under = {snake.id for snake in standing if snake is not own and own.body[0] in snake.body}
        fallen |= under
        standing = [snake for snake in standing if snake.id not in under]
    heads = {snake.body[0] for snake in standing}
    # A set, because a stranger may send 16 snakes of thousands of parts each.
    trunks = {part for snake in standing for part in snake.body[1:]}
    if len(heads) == len(standing) and heads.isdisjoint(trunks):
        return fallen
    collided = {snake.id for snake in standing if snake is not own and _has_collided(snake, standing, trunks)}
    return fallen | collided


def _is_faint(snake: Snake, turn: Turn) -> bool:
    """Return whether a snake starved or left the board. Other snakes can't collide with it then."""
    return snake.health <= 0 or not (turn.game.ruleset.wrapped or turn.board.holds(snake.body[0]))


def _is_stacked(snake: Snake) -> bool:
    """Return whether a snake has not moved since the start of its game."""
    return snake.body[0] == snake.body[-1] and len(set(snake.body)) == 1


def _has_collided(snake: Snake, standing: Collection[Snake], trunks: Container[Point]) -> bool:
    """Return whether a snake has run into a trunk (a body without its head) or a head that wins or draws."""
    head = snake.body[0]
    if _is_stacked(snake):
        return False
    return head in trunks or any(
        head == other.body[0] and len(snake.body) <= len(other.body)
        for other in standing
        if other is not snake
    )
