"""The outcome of a game for a snake, from the body of its /end and the turns before.

If dead snakes leave the board, the /end has the snakes at the end of the game and not at our snake's death.
Only the last seen turn shows whether an opponent died in the same turn or lived longer.
"""

from datetime import UTC, datetime

import msgspec

from battlesnake_search.board import Turn
from battlesnake_search.living import Seen
from battlesnake_search.record.outcome import Outcome, Result, ShadowRecord, StrategyRecord
from gateway.game.counts import GameCounts, ShadowCounts
from gateway.game.game import Game, opponents
from gateway.routes.draw import Choice

END_ALONE = "end"
"""The `part` of a game of which this gateway received only the /end, perhaps several times."""


def outcome_of(game: Game, end: Turn, choice: Choice) -> tuple[Outcome, Turn]:
    """Return the outcome of a game from its /end, and the last turn with only the snakes that are alive.

    The arm is the arm that played: changed routes may draw another arm for the /end.
    """
    was_late = game.was_late(end)
    timeouts = game.counts.timeouts + was_late
    living, now = game.see_end(end)
    result, place = _result_and_place(game.counts, living, now)
    ended, latency = _outcome(game, end, choice), game.counts.latency
    return msgspec.structs.replace(
        ended,
        result=result,
        place=place,
        timeouts=timeouts if game.counts.moves else None,
        died_late=was_late and living.own is None if game.counts.moves else None,
        # A stranger may send the /end of ever-new games.
        opponents=[] if ended.part == END_ALONE else game.counts.opponents or opponents(living),
        mean_latency_ms=(latency.plus(end.latency) if end.latency else latency).value,
    ), living


def unfinished(game: Game, last: Turn) -> Outcome:
    """Return the partial outcome of a game without an /end, from the last seen turn."""
    assert game.counts.choice is not None
    return msgspec.structs.replace(_outcome(game, last, game.counts.choice), ended=False)


def _outcome(game: Game, turn: Turn, choice: Choice) -> Outcome:
    counts = game.counts
    played = counts.choice or choice
    is_seen = counts.choice is not None or counts.moves > 0
    return Outcome(
        game_id=turn.game.id,
        snake_id=turn.you.id,
        snake=turn.you.name,
        experiment=played.snake.experiment_name,
        arm=played.arm.name,
        strategy=played.arm.strategy or "",
        drawn=counts.drawn if is_seen else not choice.forced,
        ruleset=turn.game.ruleset.name,
        map=turn.game.map,
        width=turn.board.width,
        height=turn.board.height,
        timeout_ms=turn.timeout,
        opponents=counts.opponents,
        result=None,
        place=None,
        turns=turn.turn,
        moves=counts.moves,
        timeouts=counts.timeouts if is_seen else None,
        mean_depth=counts.depth.value,
        seen_from=counts.first_turn if is_seen else None,
        shadows={name: _shadow(shadow) for name, shadow in counts.shadows.items()},
        ended_at=datetime.now(UTC),
        control=played.snake.control.name,
        shares=played.snake.shares,
        setup=played.arm.setup,
        searched={
            one.name: StrategyRecord(dict(one.weights), one.digest) for one in counts.searched.values()
        },
        mean_latency_ms=counts.latency.value,
        part=game.part if is_seen else END_ALONE,
        last_turn=counts.last_turn if counts.moves else None,
        began_at=game.began_at if is_seen else None,
        moves_searched=counts.depth.number if counts.moves else None,
        moves_best_so_far=counts.best_so_far if counts.moves else None,
        moves_stand_in=counts.stand_in if counts.moves else None,
        moves_failed=counts.failed if counts.moves else None,
    )


def _result_and_place(counts: GameCounts, end: Turn, now: Seen) -> tuple[Result | None, int | None]:
    """Return the result and the place of the snake that received this /end; None for an unknown one."""
    left = len(end.board.snakes)
    is_alone = not counts.opponents and (counts.choice is not None or counts.moves > 0)
    if end.game.ruleset.name == "solo" or is_alone:
        return None, None
    if end.own is not None:
        # In an aborted game, the living snakes have not lost.
        return ("win" if left == 1 else "draw"), 1
    if end.you.id in now.snakes and counts.moves:
        # The dead snakes are on the board, so the turns of their deaths are known.
        died = now.deaths[end.you.id]
        outlived = left + sum(other > died for other in now.deaths.values())
        return ("loss" if outlived else "draw"), outlived + 1
    died_last = _died_last(counts, end)
    if died_last:
        return ("loss" if left else "draw"), left + 1
    if died_last is None:
        return ("loss" if left else None), None
    # At least two snakes played on: exactly two if three were alive.
    return "loss", 3 if counts.alive == 3 else None


def _died_last(counts: GameCounts, end: Turn) -> bool | None:
    """Return whether the game ended in the turn of the snake's death; None if unknown."""
    if counts.alive < 2:
        return None
    if counts.alive == 2:
        return True
    return end.turn - counts.last_turn <= 1 if counts.unbroken else None


def _shadow(counts: ShadowCounts) -> ShadowRecord:
    return ShadowRecord(
        strategy=counts.strategy,
        compared=counts.compared,
        agreed=counts.agreed,
        mean_depth=counts.depth / counts.compared,
        mean_score=counts.score / counts.compared,
        played_mean_depth=counts.played_depth / counts.compared,
        played_mean_score=counts.played_score / counts.compared,
    )
