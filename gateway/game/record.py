"""The outcome of a game for a snake, from the body of its /end and the tally of the game so far.

The body holds the snakes that were left when the game ended, not when our snake died. Only the
last turn seen shows whether others died in the same turn or outlived it.
"""

from datetime import UTC, datetime
from statistics import fmean

from battlesnake_search.board import Turn
from gateway.game.setup import control_of, setup_digest, shares_of
from gateway.game.tally import ShadowTally, Tally, opponents
from gateway.game.values import Outcome, Result, ShadowRecord, StrategyRecord
from gateway.routes.config import Choice

_PLAYS_EXTRA_TURN = "cli"
"""The ruleset version of the official command line, which plays one turn after the deciding one."""


def outcome(turn: Turn, tally: Tally | None, choice: Choice) -> Outcome:
    """Return the outcome from an /end, the tally of the game before it, and the choice for the /end itself.

    The arm is the one in the tally, which played: routes that have changed since then may draw another one.
    """
    result, place = result_and_place(turn, tally)
    played = tally.choice if tally and tally.choice else choice
    return Outcome(
        game_id=_text(turn.game.id),
        snake_id=_text(turn.you.id),
        snake=_text(turn.you.name),
        experiment=played.snake.draw,
        arm=played.arm.name,
        strategy=played.arm.strategy or "",
        drawn=tally.drawn if tally else not choice.forced,
        ruleset=_text(turn.game.ruleset.name),
        map=_text(turn.game.map),
        width=turn.board.width,
        height=turn.board.height,
        timeout_ms=turn.timeout,
        opponents=[_text(name) for name in (tally.opponents if tally else opponents(turn))],
        result=result,
        place=place,
        turns=turn.turn,
        moves=tally.moves if tally else 0,
        timeouts=tally.timeouts + (turn.latency >= turn.timeout) if tally else None,
        mean_depth=fmean(tally.depths) if tally and tally.depths else None,
        seen_from=tally.first_turn if tally else None,
        shadows={name: _shadow(shadow) for name, shadow in tally.shadows.items()} if tally else {},
        ended_at=datetime.now(UTC),
        control=control_of(played.snake).name,
        shares=shares_of(played.snake),
        setup=setup_digest(played.arm),
        searched=_searched(tally),
        mean_latency_ms=_mean_latency(turn, tally),
    )


def result_and_place(turn: Turn, tally: Tally | None) -> tuple[Result | None, int | None]:
    """Return the result and the place of the snake that received this /end; None for what is unknown."""
    left = len(turn.board.snakes)
    if turn.game.ruleset.name == "solo":
        return None, None
    if any(snake.id == turn.you.id for snake in turn.board.snakes):
        # An aborted game has no loser among the living.
        return ("win" if left == 1 else "draw"), 1
    if tally and not tally.opponents:
        return None, None
    died_last = _died_last(turn, tally)
    if died_last:
        return ("loss" if left else "draw"), left + 1
    if died_last is None:
        return ("loss" if left else None), None
    # At least two snakes played on: exactly two if three were alive.
    return "loss", 3 if tally and tally.alive == 3 else None


def _died_last(turn: Turn, tally: Tally | None) -> bool | None:
    """Return whether the game ended with the turn in which the snake died; None if that is unknown."""
    if tally is None or tally.alive < 2:
        return None
    if tally.alive == 2:
        return True
    if not tally.unbroken:
        return None
    delay = 2 if turn.game.ruleset.version == _PLAYS_EXTRA_TURN else 1
    return turn.turn - tally.last_turn <= delay


def _shadow(tally: ShadowTally) -> ShadowRecord:
    return ShadowRecord(
        strategy=tally.strategy,
        compared=tally.compared,
        agreed=tally.agreed,
        mean_depth=tally.depth / tally.compared,
        mean_score=tally.score / tally.compared,
        played_mean_depth=tally.played_depth / tally.compared,
        played_mean_score=tally.played_score / tally.compared,
    )


def _searched(tally: Tally | None) -> dict[str, StrategyRecord]:
    played = tally.searched.values() if tally else ()
    return {one.name: StrategyRecord(dict(one.weights), one.digest) for one in played}


def _mean_latency(turn: Turn, tally: Tally | None) -> float | None:
    latencies = [*(tally.latencies if tally else ()), *filter(None, [turn.latency])]
    return fmean(latencies) if latencies else None


def _text(text: str) -> str:
    # PostgreSQL stores every character except this one.
    return text.replace("\0", "")
