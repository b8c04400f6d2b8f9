"""The player: it answers each turn in time, with a search's move or a reflex."""

import time
from dataclasses import dataclass

from battlesnake_search import translate
from battlesnake_search.common.logs import get_logger
from battlesnake_search.plan import Deadlines, Plan
from battlesnake_search.record.events import PlayedMove, Source
from battlesnake_search.searcher_client import Failure, SearchReply
from battlesnake_search.translate import MoveResult
from gateway import reflex
from gateway.play.budget import LONGEST_TIMEOUT, Budget
from gateway.play.shadows import SeenTurn, Shadows
from gateway.routes.draw import Choice
from gateway.searchers.pool import SearcherPool

log = get_logger(__name__)

CROWD = 64
_LONGEST_IN_CROWD = 1000.0
"""While CROWD moves are searched, a further move takes at most these milliseconds. Otherwise long moves of a
stranger would keep out the moves of games."""

MOST_SEARCHES = 512
"""The largest number of moves that are searched at once. A further one is a reflex: its search would be
shallow, and the event loop would be late with all of them."""


@dataclass(frozen=True, slots=True)
class Answer(PlayedMove):
    """A move with the calls that failed for it. `late_before`: the previous answer came too late."""

    failures: tuple[Failure, ...]
    late_before: bool

    @property
    def is_bridged(self) -> bool:
        """Whether the searcher still compiled the strategy, so that another strategy or a reflex played."""
        return any(failure.is_compiling for failure in self.failures)

    @property
    def is_stand_in(self) -> bool:
        """Whether the searcher's default strategy found the move while the arm's was compiled."""
        return self.is_bridged and self.result is not None

    @property
    def has_failed_call(self) -> bool:
        """Whether a call failed. A searcher that still compiles the strategy is no failure."""
        return any(not failure.is_compiling for failure in self.failures)

    @property
    def overhead(self) -> float | None:
        """The time outside the search; None unless the first attempt completed its search."""
        if self.result is None or self.source is not Source.SEARCH or self.failures:
            return None
        return self.elapsed - self.result.seconds


class Player:
    """The player of the arms that the routes choose, in any number of concurrent games.

    An answer takes at most `longest` milliseconds, even if a game states a longer timeout.
    """

    def __init__(self, pool: SearcherPool, shadows: Shadows, longest: float = LONGEST_TIMEOUT) -> None:
        self._pool = pool
        self._shadows = shadows
        self._longest = longest
        self._searching = 0

    async def answer(self, view: SeenTurn, choice: Choice, budget: Budget, arrived: float) -> Answer:
        """Choose a move in time, and never raise. `arrived` is the request's arrival by time.monotonic()."""
        turn = view.turn
        longest = self._longest if self._searching < CROWD else min(self._longest, _LONGEST_IN_CROWD)
        split = budget.divide(turn, view.late_before, longest)
        deadlines = Deadlines(arrived + split.search / 1000, arrived + split.answer / 1000)
        with self._shadows.alongside(view, choice, deadlines) as played:
            plan = choice.arm.plan(turn)
            reply = await self._search(view, plan, deadlines)
            result = translate.move_result(reply.result)
            played.set_result(result)
        move = result.move if result else reflex.choose(turn)
        elapsed = time.monotonic() - arrived
        budget.record(turn, split, elapsed * 1000, searched=result is not None)
        return Answer(
            move=move,
            source=_source(result, reply.final),
            strategy=result.strategy.name if result and result.strategy else plan.strategy,
            elapsed=elapsed,
            budget=split.search / 1000,
            left=turn.timeout / 1000 - elapsed,
            result=result,
            failures=tuple(reply.failures),
            late_before=view.late_before,
        )

    async def _search(self, view: SeenTurn, plan: Plan, deadlines: Deadlines) -> SearchReply:
        """Search a turn; return an empty reply after any error, because the engine still waits for a move."""
        if self._searching >= MOST_SEARCHES:
            return SearchReply()
        self._searching += 1
        try:
            return await self._pool.search(view.position, plan, deadlines, bridges=True)
        except Exception:
            log.exception("search failed", game_id=view.turn.game.id, turn=view.turn.turn)
            return SearchReply()
        finally:
            self._searching -= 1


def _source(result: MoveResult | None, final: bool) -> Source:
    if result is None:
        return Source.REFLEX
    return Source.SEARCH if final else Source.BEST_SO_FAR
