"""How a game ended for a snake: read from the body of its /end and what was seen of the game before.

The body holds who was left when the game ended, and not when the snake itself died: whether others died with
it or outlived it is known only from the last turn that was seen.
"""

from datetime import UTC, datetime
from statistics import fmean
from typing import Literal

import msgspec

from gateway.bodies import Turn
from gateway.outcomes.tally import ShadowTally, Tally, others
from gateway.routes.config import Choice

Result = Literal["win", "draw", "loss"]

_ASKS_ONCE_MORE = "cli"
"""Version of the official engine's rulesets: it plays one more turn after the one that decides a game."""


class Shadow(msgspec.Struct, frozen=True):
    """How a shadow did in a game, over the positions for which it and the arm both found a move."""

    strategy: str
    compared: int
    """Positions."""
    agreed: int
    """Positions in which both found the same move."""
    mean_depth: float
    """Turns that the shadow searched."""
    mean_score: float | None = None
    """How good the shadow found its moves, from -1 to 1. None in older rows, as what follows."""
    played_mean_depth: float | None = None
    """Turns that the arm searched in the same positions."""
    played_mean_score: float | None = None
    """How good the arm found its moves there."""


class Outcome(msgspec.Struct, frozen=True):
    """A row of the store, one for each snake of a game. What a gateway can't know is None."""

    game_id: str
    snake_id: str
    snake: str
    experiment: str
    arm: str
    strategy: str
    drawn: bool
    """Whether the draw gave the arm, and for the whole game; else the game says nothing of the experiment."""
    ruleset: str
    map: str
    width: int
    height: int
    timeout_ms: int
    opponents: list[str]
    """Names of the other snakes: all of them if `seen_from` is 0, else those that were alive then."""
    result: Result | None
    """None without opponents, and where it can't be known."""
    place: int | None
    """1 is best; snakes that die in the same turn share one."""
    turns: int
    moves: int
    """Answered by this gateway."""
    timeouts: int | None
    """Answers that the engine said were late."""
    mean_depth: float | None
    """Turns searched, over the moves that a search gave."""
    seen_from: int | None
    """The first turn that this gateway was asked about; None: only the end."""
    shadows: dict[str, Shadow]
    """By name; without those that had nothing to compare."""
    ended_at: datetime


def outcome(turn: Turn, seen: Tally | None, choice: Choice) -> Outcome:
    """Read an /end, given what was seen of the game before it, and whom the /end itself went to.

    The arm is the one that was seen to play: routes that changed since may draw another one.
    """
    result, place = result_and_place(turn, seen)
    played = seen.choice if seen and seen.choice else choice
    return Outcome(
        game_id=_text(turn.game.id),
        snake_id=_text(turn.you.id),
        snake=_text(turn.you.name),
        experiment=played.snake.draw,
        arm=played.arm.name,
        strategy=played.arm.strategy or "",
        drawn=seen.drawn if seen else not choice.forced,
        ruleset=_text(turn.game.ruleset.name),
        map=_text(turn.game.map),
        width=turn.board.width,
        height=turn.board.height,
        timeout_ms=turn.timeout,
        opponents=[_text(name) for name in (seen.opponents if seen else others(turn))],
        result=result,
        place=place,
        turns=turn.turn,
        moves=seen.moves if seen else 0,
        timeouts=seen.timeouts + (turn.latency >= turn.timeout) if seen else None,
        mean_depth=fmean(seen.depths) if seen and seen.depths else None,
        seen_from=seen.first_turn if seen else None,
        shadows={name: _shadow(tally) for name, tally in seen.shadows.items()} if seen else {},
        ended_at=datetime.now(UTC),
    )


def result_and_place(turn: Turn, seen: Tally | None) -> tuple[Result | None, int | None]:
    """What an /end says of the snake it was sent to."""
    left = len(turn.board.snakes)
    if turn.game.ruleset.name == "solo":
        return None, None
    if any(snake.id == turn.you.id for snake in turn.board.snakes):
        # A game that was broken off has no loser among the living.
        return ("win" if left == 1 else "draw"), 1
    if seen and not seen.opponents:
        return None, None
    last = _died_last(turn, seen)
    if last:
        return ("loss" if left else "draw"), left + 1
    if last is None:
        return ("loss" if left else None), None
    # At least two went on: of three, exactly two.
    return "loss", 3 if seen and seen.alive == 3 else None


def _died_last(turn: Turn, seen: Tally | None) -> bool | None:
    """Whether the game ended by the turn in which the snake died; None if that can't be known."""
    if seen is None or seen.alive < 2:
        return None
    if seen.alive == 2:
        return True
    if not seen.unbroken:
        return None
    after = 2 if turn.game.ruleset.version == _ASKS_ONCE_MORE else 1
    return turn.turn - seen.last_turn <= after


def _shadow(seen: ShadowTally) -> Shadow:
    return Shadow(
        strategy=seen.strategy,
        compared=seen.compared,
        agreed=seen.agreed,
        mean_depth=seen.depth / seen.compared,
        mean_score=seen.score / seen.compared,
        played_mean_depth=seen.played_depth / seen.compared,
        played_mean_score=seen.played_score / seen.compared,
    )


def _text(text: str) -> str:
    # PostgreSQL stores any character but this one.
    return text.replace("\0", "")
