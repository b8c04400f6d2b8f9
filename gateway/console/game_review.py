"""The review of a recorded game: our turns are searched again, to find the turn that lost the game.

All turns are searched briefly. Then the last turns are searched longer, from the end of the game backwards,
until a turn has a move that is no proven loss. Searches are limited by nodes, so that a game has one review.
They take no time from the moves of other games.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing, suppress

import grpc
import grpc.aio
import msgspec

from battlesnake_search import translate
from battlesnake_search.board import MOVES
from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.searcher_client import SearcherClient
from gateway.console.review import (
    PlayedTurn,
    Review,
    TurnReview,
    Valued,
    blunders,
    first_seen,
    losing_turn,
    played_turns,
    turn_review,
)
from gateway.console.story import story
from gateway.replay.values import Death, Ending, Game, shown_score

SWEEP = 3_000_000
"""The nodes of the first searches of all turns together."""

LEAST, MOST = 1_000, 50_000
"""The least and the most nodes of a first search."""

STEPS = (500_000, 2_000_000, 16_000_000)
"""The nodes of the searches that may refute an escape from a loss, one after another."""

AHEAD = 2
"""The number of turns that are searched for an escape at the same time. The review depends on it."""

CHECKED = 4
"""The number of expensive moves that get long searches."""

_SWEEP_SHARE = 0.6
"""The share of the searches of all turns in the progress of a review."""

_PAUSE = 0.25
"""Seconds before a refused call is repeated."""

_RETRYABLE = frozenset({grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED})

_OLD = "the searcher is of an older version, and can't analyze games: update it"


class Budget(msgspec.Struct, frozen=True):
    """The longest time of a review in seconds. `priority` is that of its searches among those of reviews."""

    seconds: float = 60.0
    priority: int = 0


class NoResultError(Exception):
    """A searcher has returned no result. The message says why."""


Progress = Callable[[TurnReview, float], None]
"""A function that receives each turn after each of its reviews, and the progress from 0 to 1."""


class GameReview:
    """A review of a game for one of its snakes. Searches use `strategy` or, if None, the played strategy."""

    def __init__(
        self,
        client: SearcherClient,
        game: Game,
        snake: int,
        budget: Budget,
        strategy: str | None = None,
        progress: Progress = lambda _review, _done: None,
    ) -> None:
        self._client = client
        self._game = game
        self._snake = snake
        self._budget = budget
        self._strategy = strategy
        self._progress = progress
        self._turns: dict[int, PlayedTurn] = {}
        self._positions: dict[int, analysis_pb2.GamePosition] = {}
        self._found: dict[int, TurnReview] = {}
        self._lines: dict[int, list[list[str | None]]] = {}
        """The expected moves after the best other move, by turn."""
        self._steps: Counter[int] = Counter()
        """The number of long searches, by turn."""
        self._failure = ""
        self._begun = 0.0

    async def run(self) -> Review:
        """Review the game. Raises NoResultError if no turn could be searched."""
        self._begun = _now()
        # It takes longer than the event loop may wait while games are played.
        await asyncio.to_thread(self._prepare)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._budget.seconds):
                await self._search_all()
        if self._turns and not self._found:
            raise NoResultError(self._failure or "no time for any search")
        return self._review()

    def _prepare(self) -> None:
        """Make the messages of all turns."""
        self._turns = {turn.number: turn for turn in played_turns(self._game, self._snake)}
        self._positions = {
            number: translate.game_position(turn.request, turn.move) for number, turn in self._turns.items()
        }

    async def _search_all(self) -> None:
        nodes = min(max(LEAST, SWEEP // max(1, len(self._turns))), MOST)
        await self._search(self._turns.keys(), nodes)
        await self._search_longer(self._turns.keys() - self._found.keys())
        if self._result(self._death()[0] is not None) == "lost":
            await self._find_losing_turn()
        worst = sorted(
            self._found.values(), key=lambda review: (-review.was_decisive, -review.loss, review.turn)
        )
        costly = [review.turn for review in worst[:CHECKED] if review.loss]
        await self._search_longer(turn for turn in costly if not self._steps[turn])

    async def _find_losing_turn(self) -> None:
        """Search the last turns with an escape for longer and longer. Go on before a turn that has none."""
        while (last := losing_turn(self._found.values())) is not None and self._steps[last] < len(STEPS):
            step = self._steps[last]
            newest_first = sorted(self._found, reverse=True)
            escapes = [turn for turn in newest_first if self._found[turn].holds][:AHEAD]
            chosen = [turn for turn in escapes if self._steps[turn] <= step]
            if step == 0:
                await self._search_longer(chosen)
            else:
                await asyncio.gather(*(self._search_escape(turn) for turn in chosen))

    async def _search_longer(self, numbers: Iterable[int]) -> None:
        chosen = list(numbers)
        self._steps.update(chosen)
        await self._search(chosen, STEPS[0])

    async def _search_escape(self, number: int) -> None:
        """Search the moves of a turn other than the played one."""
        nodes = STEPS[self._steps[number]]
        self._steps[number] += 1
        others = [move for move in MOVES if move != self._turns[number].move]
        request = self._request(self._strategy_of(number), nodes, others)
        await self._call(request, [number], with_played=False)

    async def _search(self, numbers: Iterable[int], nodes: int) -> None:
        """Search turns, the last one first, with a call for each strategy."""
        by_strategy: defaultdict[str, list[int]] = defaultdict(list)
        for number in sorted(numbers, reverse=True):
            by_strategy[self._strategy_of(number)].append(number)
        for strategy, chosen in by_strategy.items():
            await self._call(self._request(strategy, nodes), chosen)

    def _strategy_of(self, number: int) -> str:
        return self._turns[number].strategy if self._strategy is None else self._strategy

    def _request(
        self, strategy: str, nodes: int, moves: Iterable[str] = ()
    ) -> analysis_pb2.AnalyzeGameRequest:
        request = translate.game_request(Plan(strategy=strategy, limits=Limits(nodes=nodes)), moves)
        request.priority = self._budget.priority
        return request

    async def _call(
        self, request: analysis_pb2.AnalyzeGameRequest, numbers: Sequence[int], *, with_played: bool = True
    ) -> None:
        """Search turns, and repeat the rest of a call that the searcher can't answer now.

        The played moves get scores only `with_played`.
        """
        left = list(numbers)
        while left:
            asked = list(left)
            positions = [self._positions[number] for number in asked]
            if not with_played:
                positions = [analysis_pb2.GamePosition(position=each.position) for each in positions]
            answers = self._client.analyze_game(request, positions)
            try:
                async with aclosing(answers):
                    async for answer in answers:
                        left.remove(number := asked[answer.index])
                        self._add(number, answer.result)
                return
            except grpc.aio.AioRpcError as error:
                self._failure = _reason(error)
                if error.code() not in _RETRYABLE:
                    return
            await asyncio.sleep(_PAUSE)

    def _add(self, number: int, result: search_pb2.SearchResult) -> None:
        """Add the result of a turn. A result without the played move has only the other moves."""
        best, details = translate.move_result(result), translate.details(result)
        valued = {root.move: _valued(root, result) for root in details.moves}
        played = valued.pop(self._turns[number].move, None)
        if played is None and number in self._found:
            played = self._found[number].played
        if played is None:
            self._failure = "a search has compared no moves"
            return
        other = next(iter(valued.values()), None)
        found = self._found[number] = turn_review(number, played, other)
        if best and other and best.move == other.move:
            ids = [snake.id for snake in self._game.snakes]
            self._lines[number] = [[joint.get(snake) for snake in ids] for joint in details.pv]
        swept = _SWEEP_SHARE * len(self._found) / len(self._turns)
        self._progress(found, swept + (1 - _SWEEP_SHARE) * (1 - 0.9 ** self._steps.total()))

    def _review(self) -> Review:
        found = sorted(self._found.values(), key=lambda review: review.turn)
        died_at, death = self._death()
        result = self._result(died_at is not None)
        seen = first_seen(found) if result == "lost" else None
        lost_at = losing_turn(found) if result == "lost" else None
        losing = None if lost_at is None else self._found[lost_at]
        return Review(
            game=self._game.id,
            snake=self._game.snakes[self._snake].id,
            result=result,
            cause=death.cause if death else None,
            died_at=died_at,
            turns=found,
            blunders=blunders(found),
            lost_at=lost_at,
            seen_at=seen.turn if seen else None,
            seen_depth=seen.played.depth if seen else None,
            story=self._story(losing, death) if losing else None,
            better_line=[] if lost_at is None else self._lines.get(lost_at, []),
            seconds=round(_now() - self._begun, 3),
            unsearched=sorted(self._turns.keys() - self._found.keys()),
        )

    def _story(self, losing: TurnReview, death: Death | None) -> str | None:
        assert losing.other is not None
        return story(self._game, self._snake, death, losing.turn, losing.other.move)

    def _death(self) -> tuple[int | None, Death | None]:
        for turn in self._game.turns:
            for death in turn.deaths:
                if death.snake == self._snake:
                    return turn.turn, death
        return None, None

    def _result(self, is_dead: bool) -> str:
        result = self._game.result
        if result is not None and result.winner is not None:
            return "won" if result.winner == self._snake else "lost"
        if result is None:
            return "lost" if is_dead else "unknown"
        # A snake that played alone has lost when it died.
        return "lost" if is_dead and len(self._game.snakes) == 1 else "draw"


def _valued(root: translate.RootMove, result: search_pb2.SearchResult) -> Valued:
    outcome = Ending(root.outcome.kind, root.outcome.turns) if root.outcome else None
    return Valued(
        move=root.move,
        score=round(shown_score(root.score, outcome), 6),
        depth=root.depth,
        time_ms=result.elapsed.ToMicroseconds() / 1e3,
        outcome=outcome,
    )


def _reason(error: grpc.aio.AioRpcError) -> str:
    if error.code() is grpc.StatusCode.UNIMPLEMENTED:
        return _OLD
    return f"{error.code().name}: {error.details()}"


def _now() -> float:
    return asyncio.get_running_loop().time()
