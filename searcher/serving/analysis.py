"""The AnalysisService: searches of games on free workers, and evaluations and turns without a worker."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, contextmanager
from dataclasses import asdict
from functools import partial

from google.rpc import code_pb2

from battlesnake_search.contract import analysis_pb2, analysis_pb2_grpc, search_pb2
from battlesnake_search.serving import callers
from battlesnake_search.serving.errors import OverloadedError, RequestError
from searcher.engine.position import Direction, Position
from searcher.errors import InvalidRequestError, UnavailableError, Violations, quoted, valid_names
from searcher.interface import Offer, PlayedTurn, SnakeEvaluation, StrategyProvider, Task
from searcher.serving import translate, whole_games
from searcher.serving.metrics import SearchMetrics
from searcher.serving.ownership import owners
from searcher.serving.scheduling.analyses import IdleSearches
from searcher.serving.scheduling.scheduler import OnEndless, in_own_thread
from searcher.serving.service import Context, Gate

PATIENCE = 5.0
"""Seconds for an evaluation, usually less than a millisecond."""

_MOST_EVALUATIONS = 16
"""The most evaluations at the same time, because each has a thread. Further ones wait."""


MOST_GAMES = 64
"""The largest number of games that are analyzed at the same time, because their positions take memory."""

_RETRY = 1.0
"""Seconds after which a caller may try again if too many games are analyzed."""

_LONGEST_WAIT = 60.0
"""The most seconds that a caller at its limit of searches is asked to wait for the end of a game."""


class AnalysisService(analysis_pb2_grpc.AnalysisServiceServicer):
    """The three calls of the service. While the gate is closed, they get UNAVAILABLE.

    The calls raise RequestError. The guard of the port turns it into a status.
    """

    def __init__(
        self,
        strategies: StrategyProvider,
        gate: Gate,
        searches: IdleSearches,
        metrics: SearchMetrics,
        on_endless: OnEndless,
    ) -> None:
        """`on_endless` receives an evaluation that takes more than PATIENCE seconds, and the reason."""
        self._strategies = strategies
        self._gate = gate
        self._searches = searches
        self._metrics = metrics
        self._checks = whole_games.Checks()
        self._games = 0
        """The number of games that are analyzed now."""
        self._evaluations = asyncio.Semaphore(_MOST_EVALUATIONS)
        self._on_endless = on_endless

    async def AnalyzeGame(
        self, request: analysis_pb2.AnalyzeGameRequest, context: Context
    ) -> AsyncIterator[analysis_pb2.AnalyzeGameResponse]:
        """Search the positions of a game on free workers, and respond as each search ends."""
        caller = callers.current()
        end = time.monotonic() + min(context.time_remaining() or _LONGEST_WAIT, _LONGEST_WAIT)
        with self._counted_game(), caller.searching(end):
            self._gate.require_open()
            game = await self._checks.game_of(request, self._strategies.offer)
            priority, has_ownership = request.priority, request.ownership
            # The decoded message takes several times the memory of the game.
            del request
            left = len(game.messages)
            async with aclosing(whole_games.results(game, self._searches, priority, caller)) as results:
                async for index, task, result in results:
                    left -= 1
                    message = translate.result_message(result, task)
                    response = analysis_pb2.AnalyzeGameResponse(index=index, result=message, final=not left)
                    if has_ownership:
                        response.ownership.owners.extend(owners(task.position))
                    yield response

    @contextmanager
    def _counted_game(self) -> Iterator[None]:
        """Count a game while it is analyzed, and count its refusal."""
        self._games += 1
        try:
            if self._games > MOST_GAMES:
                raise OverloadedError(f"{MOST_GAMES} games are analyzed, and no more at a time", _RETRY)
            yield
        except RequestError as error:
            self._metrics.count_refused(code_pb2.Code.Name(error.code))
            raise
        finally:
            self._games -= 1

    async def Evaluate(
        self, request: analysis_pb2.EvaluateRequest, context: Context
    ) -> analysis_pb2.EvaluateResponse:
        """Evaluate a position for each living snake."""
        self._gate.require_open()
        task = task_of(request, self._strategies.offer)
        async with self._evaluations:
            return evaluation_message(task, await self._evaluate(task))

    async def _evaluate(self, task: Task) -> Sequence[SnakeEvaluation]:
        """Evaluate in a thread, because an evaluator may not end. Raises UnavailableError if it doesn't."""
        evaluate = partial(self._strategies.evaluate, task.position, task.strategy)
        try:
            return await asyncio.wait_for(in_own_thread(evaluate, "evaluate"), PATIENCE)
        except TimeoutError:
            reason = f"an evaluation in turn {task.position.turn} did not end within {PATIENCE:g} s"
            self._on_endless(task, reason)
            raise UnavailableError(f"{task.strategy}: {reason}") from None

    async def Advance(
        self, request: analysis_pb2.AdvanceRequest, context: Context
    ) -> analysis_pb2.AdvanceResponse:
        """Play one turn."""
        self._gate.require_open()
        played = self._strategies.advance(*turn_of(request))
        return turn_message(request, played)


def task_of(request: analysis_pb2.EvaluateRequest, offer: Offer) -> Task:
    """Return the position to evaluate and the strategy. Raises InvalidRequestError with every violation."""
    search = search_pb2.SearchRequest(position=request.position, strategy=request.strategy)
    return translate.task_of(search, offer)


def evaluation_message(task: Task, evaluations: Sequence[SnakeEvaluation]) -> analysis_pb2.EvaluateResponse:
    """Return the message for the evaluations of a task's position."""
    pairs = zip(task.position.snakes, evaluations, strict=True)
    return analysis_pb2.EvaluateResponse(
        strategy=translate.strategy_message(task.strategy),
        # The fields of the messages have the same names.
        snakes=[{"snake_id": snake.id, **asdict(evaluation)} for snake, evaluation in pairs],
    )


def turn_of(request: analysis_pb2.AdvanceRequest) -> tuple[Position, dict[str, Direction]]:
    """Return the position, and the move of each snake by its id.

    Raises InvalidRequestError with every violation.
    """
    violations = Violations()
    position = translate.position_of(request.position, violations)
    ids = [snake.id for snake in position.snakes]
    moves = {}
    for snake_id, value in sorted(request.moves.items()):
        if snake_id not in ids:
            violations.add(f"moves[{quoted(snake_id)}]", f"is no snake of the board; {valid_names(ids)}")
        elif (move := translate.move_of(f"moves[{quoted(snake_id)}]", value, violations)) is not None:
            moves[snake_id] = move
    for snake_id in ids:
        if snake_id not in request.moves:
            violations.add("moves", f"must have a move for every snake; {quoted(snake_id)} has none")
    if violations:
        raise InvalidRequestError(violations)
    return position, moves


def turn_message(request: analysis_pb2.AdvanceRequest, played: PlayedTurn) -> analysis_pb2.AdvanceResponse:
    """Return the message for the turn of a request after it was played."""
    message = analysis_pb2.AdvanceResponse(position=request.position, over=played.is_over)
    _fill_position(message.position, played)
    ids = [snake.id for snake in request.position.board.snakes]
    for snake_id in ids:
        if (death := played.deaths.get(snake_id)) is not None:
            by_id = "" if death.by is None else ids[death.by]
            message.deaths.add(snake_id=snake_id, cause=death.cause, by_id=by_id)
    return message


def _fill_position(message: search_pb2.Position, played: PlayedTurn) -> None:
    """Change the position before a turn into the position after it."""
    names = {snake.id: snake.name for snake in message.board.snakes}
    message.turn = played.position.turn
    del message.board.food[:], message.board.snakes[:]
    message.board.food.extend(search_pb2.Point(x=x, y=y) for x, y in played.position.food)
    for snake in played.position.snakes:
        added = message.board.snakes.add(id=snake.id, name=names[snake.id], health=snake.health)
        added.body.extend(search_pb2.Point(x=x, y=y) for x, y in snake.body)
    if message.you_id in played.deaths:
        message.you_id = ""
