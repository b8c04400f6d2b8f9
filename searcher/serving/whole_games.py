"""The analysis of a game: its request, and the searches of its positions."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.serving.callers import Caller
from searcher.engine.position import Direction
from searcher.engine.result import Result, Scores
from searcher.errors import InvalidRequestError, Violations
from searcher.interface import Offer, Task
from searcher.serving import translate
from searcher.serving.scheduling.analyses import IdleSearches
from searcher.serving.scheduling.deadlines import entry_of_task

MOST_POSITIONS = 2_000


class Checks:
    """Checks of requests. Each turn of the event loop checks one position, for all games together."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def game_of(self, request: analysis_pb2.AnalyzeGameRequest, offer: Offer) -> "CheckedGame":
        """Return the game of a request. Let other calls run between two positions.

        Raises InvalidRequestError with the violations, and UnavailableError for a faulty evaluator.
        """
        violations = Violations()
        if not 1 <= len(request.positions) <= MOST_POSITIONS:
            text = f"must be 1 to {MOST_POSITIONS} positions, not {len(request.positions)}"
            violations.add("positions", text)
        limits = _limits_of(request, violations)
        terms = translate.terms_of(request.strategy, limits, offer, violations)
        if terms and request.only_losses:
            terms = replace(terms, limits=replace(terms.limits, scores=Scores.LOSSES))
        messages: list[bytes] = []
        for index, each in enumerate(islice(request.positions, MOST_POSITIONS)):
            async with self._turn:
                violations.prefix = f"positions[{index}]."
                if _position_of(each, terms, offer, violations):
                    messages.append(each.SerializeToString())
                await asyncio.sleep(0)
        if violations or terms is None:
            raise InvalidRequestError(violations)
        return CheckedGame(messages, terms, offer)


@dataclass(frozen=True)
class CheckedGame:
    """A game's positions without violations. A position takes memory only while it is searched."""

    messages: Sequence[bytes]
    """A GamePosition each, because a decoded one has many times these bytes."""
    terms: translate.Terms
    offer: Offer

    def position(self, index: int) -> tuple[Task, Direction | None]:
        """Return the task for a position, and the move that was played from it, or None if it is unknown."""
        message = analysis_pb2.GamePosition.FromString(self.messages[index])
        position = _position_of(message, self.terms, self.offer, Violations())
        assert position, "the game was checked"
        return position


def _position_of(
    message: analysis_pb2.GamePosition, terms: translate.Terms | None, offer: Offer, violations: Violations
) -> tuple[Task, Direction | None] | None:
    """Return the task for a position and the move that was played from it. Add the violations of the message.

    Return None without terms, or if there is any violation, even of another position.
    """
    played = None
    if message.played_move:
        played = translate.move_of("played_move", message.played_move, violations)
    position = translate.position_of(message.position, violations)
    if violations or terms is None:
        return None
    return translate.task_on(position, terms, offer), played


def _limits_of(request: analysis_pb2.AnalyzeGameRequest, violations: Violations) -> search_pb2.Limits:
    """Return the limits of each search, and add the violations that no other search has."""
    limits = search_pb2.Limits()
    limits.CopyFrom(request.limits)
    limits.exact_root_moves = True
    if limits.threads > 1:
        violations.add(
            "limits.threads", f"must be 0 or 1, because a search has one thread; it is {limits.threads}"
        )
    if (count := len(request.avoided_moves)) > len(translate.DIRECTIONS):
        violations.add("avoided_moves", f"must be at most {len(translate.DIRECTIONS)} moves, not {count}")
        return limits
    avoided = set(request.avoided_moves)
    for index, move in enumerate(request.avoided_moves):
        translate.move_of(f"avoided_moves[{index}]", move, violations)
    if avoided:
        left = [move for move in limits.root_moves or translate.DIRECTIONS if move not in avoided]
        if not left:
            violations.add("avoided_moves", "leave no move to consider")
        del limits.root_moves[:]
        limits.root_moves.extend(left)
    return limits


async def results(
    game: CheckedGame, searches: IdleSearches, priority: int, caller: Caller
) -> AsyncGenerator[tuple[int, Task, Result]]:
    """Search the positions in their order, and yield the index, task and result of each as its search ends.

    A caller with a limit of simultaneous searches gets one search at a time.
    """
    at_once = searches.workers if caller.searches_at_once is None else 1
    waiting = iter(range(len(game.messages)))
    running: dict[asyncio.Task[Result], tuple[int, Task]] = {}
    try:
        while True:
            while len(running) < at_once and (index := next(waiting, None)) is not None:
                task, played = game.position(index)
                search = _search(task, played, searches, priority, caller.longest_search)
                running[asyncio.create_task(search)] = index, task
            if not running:
                return
            done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
            for search_task in done:
                yield *running.pop(search_task), search_task.result()
    finally:
        for search_task in running:
            search_task.cancel()
        await asyncio.gather(*running, return_exceptions=True)


async def _search(
    task: Task, played: Direction | None, searches: IdleSearches, priority: int, longest: float | None
) -> Result:
    """Search a position. If the search leaves out the played move, search this move as well."""
    seconds = entry_of_task(task, 0.0, None, longest).deadline
    result = await searches.search(task, seconds, priority)
    if played is None or played in [each.move for each in result.root_moves]:
        return result
    limits = replace(task.limits, root_moves=(played,))
    alone = await searches.search(replace(task, limits=limits), seconds, priority)
    return replace(
        result,
        root_moves=(*result.root_moves, *alone.root_moves),
        nodes=result.nodes + alone.nodes,
        evaluations=result.evaluations + alone.evaluations,
        table_hits=result.table_hits + alone.table_hits,
    )
