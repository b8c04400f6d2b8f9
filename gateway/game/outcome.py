"""The outcome of a game for a snake, from the body of its /end and what was seen of the game before.

Where the dead leave the board, the /end has the snakes that were left when the game ended, not when our snake
died. Only the last turn seen shows whether others died in the same turn or outlived it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from statistics import fmean

import msgspec

from battlesnake_search.board import Turn
from battlesnake_search.living import Seen
from gateway.game.game import Game, ShadowTally, Tally, opponents
from gateway.game.values import Outcome, Result, ShadowRecord, StrategyRecord
from gateway.routes.config import Choice

END_ALONE = "end"
"""The part of a game of which this gateway has seen the /end alone, perhaps several times."""


def outcome_of(game: Game, end: Turn, choice: Choice) -> tuple[Outcome, Turn]:
    """Return the outcome of a game from its /end, and its last turn with the snakes that live at the end.

    The arm is the one that played: routes that have changed since then may draw another one for the /end.
    """
    timeouts = game.tally.timeouts + game.was_late(end)
    living, now = game.see_end(end)
    result, place = _result_and_place(game.tally, living, now)
    ended = _outcome(game, end, choice)
    return msgspec.structs.replace(
        ended,
        result=result,
        place=place,
        timeouts=timeouts if game.tally.moves else None,
        opponents=game.tally.opponents or opponents(living),
        mean_latency_ms=_mean([*game.tally.latencies, *filter(None, [end.latency])]),
    ), living


def unfinished(game: Game, last: Turn) -> Outcome:
    """Return what is known of a game without an /end, from the last turn seen."""
    assert game.tally.choice is not None
    return msgspec.structs.replace(_outcome(game, last, game.tally.choice), ended=False)


def _outcome(game: Game, turn: Turn, choice: Choice) -> Outcome:
    tally = game.tally
    played = tally.choice or choice
    is_seen = tally.choice is not None or tally.moves > 0
    return Outcome(
        game_id=turn.game.id,
        snake_id=turn.you.id,
        snake=turn.you.name,
        experiment=played.snake.draw,
        arm=played.arm.name,
        strategy=played.arm.strategy or "",
        drawn=tally.drawn if is_seen else not choice.forced,
        ruleset=turn.game.ruleset.name,
        map=turn.game.map,
        width=turn.board.width,
        height=turn.board.height,
        timeout_ms=turn.timeout,
        opponents=tally.opponents,
        result=None,
        place=None,
        turns=turn.turn,
        moves=tally.moves,
        timeouts=tally.timeouts if is_seen else None,
        mean_depth=_mean(tally.depths),
        seen_from=tally.first_turn if is_seen else None,
        shadows={name: _shadow(shadow) for name, shadow in tally.shadows.items()},
        ended_at=datetime.now(UTC),
        control=played.snake.control.name,
        shares=played.snake.shares,
        setup=played.arm.setup,
        searched={one.name: StrategyRecord(dict(one.weights), one.digest) for one in tally.searched.values()},
        mean_latency_ms=_mean(tally.latencies),
        part=game.part if is_seen else END_ALONE,
        last_turn=tally.last_turn if tally.moves else None,
    )


def _result_and_place(tally: Tally, end: Turn, now: Seen) -> tuple[Result | None, int | None]:
    """Return the result and the place of the snake that received this /end; None for what is unknown."""
    left = len(end.board.snakes)
    is_alone = not tally.opponents and (tally.choice is not None or tally.moves > 0)
    if end.game.ruleset.name == "solo" or is_alone:
        return None, None
    if end.own is not None:
        # A game that was broken off has no loser among the living.
        return ("win" if left == 1 else "draw"), 1
    if end.you.id in now.snakes and tally.moves:
        # The dead are on the board, so that the turns of their deaths are known.
        died = now.deaths[end.you.id]
        outlived = left + sum(other > died for other in now.deaths.values())
        return ("loss" if outlived else "draw"), outlived + 1
    died_last = _died_last(tally, end)
    if died_last:
        return ("loss" if left else "draw"), left + 1
    if died_last is None:
        return ("loss" if left else None), None
    # At least two snakes played on: exactly two if three were alive.
    return "loss", 3 if tally.alive == 3 else None


def _died_last(tally: Tally, end: Turn) -> bool | None:
    """Return whether the game ended with the turn in which the snake died; None if that is unknown."""
    if tally.alive < 2:
        return None
    if tally.alive == 2:
        return True
    return end.turn - tally.last_turn <= 1 if tally.unbroken else None


def _mean(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None


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
