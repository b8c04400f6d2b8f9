"""The review of a recorded game: our turns are searched again, to find the turn that lost the game.

All turns are searched briefly. Then the last turns are searched longer, from the end of the game backwards,
until a turn has a move that is no proven loss. Searches are limited by nodes, so that a game has one review.
They take no time from the moves of other games.
"""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing, suppress

import grpc
import grpc.aio
import msgspec

from battlesnake_search import translate
from battlesnake_search.contract import analysis_pb2, search_pb2
from battlesnake_search.plan import Limits, Plan
from battlesnake_search.searcher_client import SearcherClient, reason_of
from console.reviews.review import (
    PlayedTurn,
    Review,
    TurnReview,
    Valued,
    blunders,
    first_seen,
    losing_turn,
    played_turns,
    story,
    summary_of,
    turn_review,
)
from console.store.values import Death, Ending, Game, shown_score

SWEEP = 3_000_000
"""The nodes of the first searches of all turns together."""

LEAST, MOST = 1_000, 50_000
"""The least and the most nodes of a first search."""

LONG = 500_000
"""The nodes of a longer search of all moves."""

STEPS = (250_000, 3_000_000, 36_000_000)
"""The nodes of the searches that may refute an escape from a loss, one after another.

They ask only which moves are lost.
"""

PROOF = 4_000_000
"""The nodes of the search that may prove the loss of the played move of the losing turn."""

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
    """The longest time of a review in seconds, and the priority of its searches among reviews."""

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
        self._others: dict[int, list[Valued]] = {}
        """The moves other than the played one, best first, by turn."""
        self._lines: dict[int, list[list[str | None]]] = {}
        """The expected moves after the best move, by turn."""
        self._steps: Counter[int] = Counter()
        """The number of searches for an escape, by turn."""
        self._long: set[int] = set()
        """The turns with a longer search of all moves."""
        self._failure = ""
        self._begun = 0.0

    async def run(self) -> Review:
        """Review the game. Raises NoResultError if no turn could be searched."""
        self._begun = time.monotonic()
        # It takes longer than the event loop may wait while games are played.
        await asyncio.to_thread(self._prepare)
        with suppress(TimeoutError):
            async with asyncio.timeout(self._budget.seconds):
                await self._search_all()
        if self._turns and not self._found:
            raise NoResultError(self._failure or "no time for any search")
        # The story of a long game takes longer than the event loop may wait, too.
        return await asyncio.to_thread(self._review)

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
        await self._search_longer(costly)

    async def _find_losing_turn(self) -> None:
        """Search the last turns with an escape for longer and longer. Go on before a turn that has none."""
        while (last := losing_turn(self._found.values())) is not None:
            step = self._steps[last]
            if step == len(STEPS):
                return
            if step == len(STEPS) - 1:
                # The longest search is of one turn alone. Beside that of another turn it would take longer.
                await asyncio.gather(self._search_escape(last), self._examine(last))
            else:
                newest_first = sorted(self._found, reverse=True)
                escapes = [turn for turn in newest_first if self._found[turn].holds][:AHEAD]
                chosen = [turn for turn in escapes if self._steps[turn] <= step]
                await asyncio.gather(*map(self._search_escape, chosen))

    async def _examine(self, number: int) -> None:
        """Search all moves of a turn for longer, and try to prove the loss of the played move."""
        played = [] if self._found[number].played.is_lost else [self._turns[number].move]
        losses = self._search_losses(number, played, PROOF)
        await asyncio.gather(self._search_longer([number]), losses)

    async def _search_longer(self, numbers: Iterable[int]) -> None:
        chosen = [number for number in numbers if number not in self._long]
        self._long.update(chosen)
        await self._search(chosen, LONG)

    async def _search_escape(self, number: int) -> None:
        """Search the moves of a turn that may hold, to find out which of them are lost."""
        nodes = STEPS[self._steps[number]]
        self._steps[number] += 1
        open_moves = [other.move for other in self._others[number] if not other.is_lost]
        await self._search_losses(number, open_moves, nodes)

    async def _search_losses(self, number: int, moves: Sequence[str], nodes: int) -> None:
        if moves:
            request = self._request(self._strategy_of(number), nodes, moves)
            request.only_losses = True
            await self._call(request, [number])

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

    async def _call(self, request: analysis_pb2.AnalyzeGameRequest, numbers: Sequence[int]) -> None:
        """Search turns, and repeat the rest of a call that the searcher can't answer now."""
        left = list(numbers)
        while left:
            asked = list(left)
            positions = [self._positions[number] for number in asked]
            if request.only_losses:
                # Without the played moves, which would be searched as well.
                positions = [analysis_pb2.GamePosition(position=each.position) for each in positions]
            answers = self._client.analyze_game(request, positions)
            try:
                async with aclosing(answers):
                    async for answer in answers:
                        left.remove(number := asked[answer.index])
                        add = self._add_losses if request.only_losses else self._add
                        add(number, answer.result)
                return
            except grpc.aio.AioRpcError as error:
                self._failure = _reason(error)
                if error.code() not in _RETRYABLE:
                    return
            await asyncio.sleep(_PAUSE)

    def _add(self, number: int, result: search_pb2.SearchResult) -> None:
        """Add the result of a search of all moves of a turn."""
        details = translate.details(result)
        valued = {root.move: _valued(root, result) for root in details.moves}
        played = valued.pop(self._turns[number].move, None)
        if played is None:
            self._failure = "a search has compared no moves"
            return
        self._add_others(number, valued.values())
        ids = [snake.id for snake in self._game.snakes]
        self._lines[number] = [[joint.get(snake) for snake in ids] for joint in details.pv]
        self._compare(number, played)

    def _add_losses(self, number: int, result: search_pb2.SearchResult) -> None:
        """Add the result of a search for losses. It has no scores of the moves that are not lost."""
        roots = translate.details(result).moves
        lost = {root.move: _valued(root, result) for root in roots if root.exact}
        self._add_others(number, [lost.get(other.move, other) for other in self._others[number]])
        played = self._found[number].played
        self._compare(number, lost.get(played.move, played))

    def _add_others(self, number: int, others: Iterable[Valued]) -> None:
        """Add the values of the moves other than the played one, best first. Proven losses stay proven."""
        lost = {other.move: other for other in self._others.get(number, []) if other.is_lost}
        proven = [lost.get(other.move, other) for other in others]
        self._others[number] = sorted(proven, key=lambda other: other.is_lost)

    def _compare(self, number: int, played: Valued) -> None:
        """Compare the played move of a turn with the best other one, and report the progress."""
        if number in self._found and self._found[number].played.is_lost:
            played = self._found[number].played
        other = next(iter(self._others[number]), None)
        found = self._found[number] = turn_review(number, played, other)
        swept = _SWEEP_SHARE * len(self._found) / len(self._turns)
        self._progress(
            found, swept + (1 - _SWEEP_SHARE) * (1 - 0.9 ** (self._steps.total() + len(self._long)))
        )

    def _review(self) -> Review:
        found = sorted(self._found.values(), key=lambda review: review.turn)
        died_at, death = self._death()
        result = self._result(died_at is not None)
        seen = first_seen(found) if result == "lost" else None
        lost_at = losing_turn(found) if result == "lost" else None
        losing = None if lost_at is None else self._found[lost_at]
        review = Review(
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
            summary="",
            better_line=self._better_line(losing) if losing else [],
            seconds=round(time.monotonic() - self._begun, 3),
            unsearched=sorted(self._turns.keys() - self._found.keys()),
            died_late=bool(death and death.late),
        )
        return msgspec.structs.replace(review, summary=summary_of(review))

    def _better_line(self, losing: TurnReview) -> list[list[str | None]]:
        """Return the expected moves after the better move, if the search of all moves preferred it."""
        line = self._lines[losing.turn]
        is_its = line and losing.other and line[0][self._snake] == losing.other.move
        return line if is_its else []

    def _story(self, losing: TurnReview, death: Death | None) -> str | None:
        assert losing.other is not None
        return story(self._game, self._snake, death, losing.turn, losing.other.move)

    def _death(self) -> tuple[int | None, Death | None]:
        for turn in self._game.turns:
            for death in turn.deaths:
                if death.snake == self._snake:
                    return death.turn_in(turn), death
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
    return f"{error.code().name}: {reason_of(error)}"
