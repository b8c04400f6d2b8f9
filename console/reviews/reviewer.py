"""The reviews of a console. Readers start some, and reviews of lost games start by themselves.

All their searches run on workers that no move of a game needs.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import msgspec

from battlesnake_search.common.cli import in_words
from battlesnake_search.common.logs import get_logger
from battlesnake_search.record.events import Ended, Event
from console.reviews.game_review import Budget, GameReview, NoResultError
from console.reviews.review import Review, TurnReview, decode
from console.searchers import Searchers
from console.store.feed import server_event
from console.store.library import Library, in_time
from console.store.records import ReviewRow
from console.store.store import Store
from console.store.values import Game
from console.store.writer import Writer

log = get_logger(__name__)

ASKED = Budget()
"""The budget of a review that a reader waits for."""

UNASKED = Budget(seconds=1800.0, priority=-1)
"""The budget of a review that starts by itself. On a busy searcher it takes long."""

MOST_KEPT = 32
"""The number of newest reviews whose events can be read again."""

MOST_WAITING = 100
"""The largest number of lost games that wait for their reviews. Further ones are reviewed when asked for."""

Key = tuple[str, int]
"""The id of a game, and the number of a snake in it."""


@dataclass(eq=False)
class RunningReview:
    """A review with its events so far. `changed` is set and replaced with each event."""

    task: "asyncio.Task[None] | None" = None
    is_asked: bool = True
    """Whether a reader has started the review."""
    events: list[bytes] = field(default_factory=list)
    is_over: bool = False
    is_found: bool = False
    """Whether the last event is the whole review."""
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    def tell(self, event: str, data: object, is_last: bool = False) -> None:
        """Add an event for all readers."""
        self.events.append(server_event(event, data))
        self.is_over, self.is_found = is_last, event == "review"
        self.changed.set()
        self.changed = asyncio.Event()

    def turn(self, turn: TurnReview, done: float) -> None:
        """Add the event of a reviewed turn. A turn may be reviewed twice."""
        self.tell("turn", {"done": round(done, 3), "review": turn})

    async def read(self) -> AsyncGenerator[bytes]:
        """Yield all events, from the first to the last one."""
        number = 0
        while True:
            while number < len(self.events):
                yield self.events[number]
                number += 1
            if self.is_over:
                return
            await self.changed.wait()


class BusyError(Exception):
    """A review can't be started now. The message says why."""


class Reviewer:
    """Makes and stores reviews. With `after_losses` it reviews each lost game by itself."""

    def __init__(
        self,
        library: Library,
        store: Store,
        writer: Writer,
        searchers: Searchers,
        *,
        after_losses: bool = False,
    ) -> None:
        self._library = library
        self._store = store
        self._writer = writer
        self._searchers = searchers
        self._after_losses = after_losses
        self._lost: asyncio.Queue[tuple[str, str]] = asyncio.Queue(MOST_WAITING)
        self.reviews: dict[Key, RunningReview] = {}
        """The newest reviews, the oldest first."""

    def take(self, event: Event) -> None:
        """Take an event of a game."""
        if self._after_losses and isinstance(event, Ended) and event.outcome.result == "loss":
            with suppress(asyncio.QueueFull):
                self._lost.put_nowait((event.turn.game.id, event.outcome.snake_id))

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Review lost games during the block, and cancel running reviews at its end."""
        unasked = asyncio.create_task(self._review_lost())
        try:
            yield
        finally:
            for task in (unasked, *(review.task for review in self.reviews.values())):
                if task and not task.done():
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task

    async def stored(self, game: Game, snake: int) -> Review | None:
        """Return the stored review of a game for a snake; None without a review of all its turns."""
        row = await in_time(self._store.review(game.id, game.snakes[snake].id), None)
        return decode(row.review) if row and row.turns == len(game.turns) else None

    async def start(self, game: Game, snake: int) -> None:
        """Start a review unless it is stored, is known or runs.

        Raises BusyError while another review that was asked for runs, and NoResultError without a searcher.
        """
        former = self.reviews.get((game.id, snake))
        if (former is not None and (former.is_found or not former.is_over)) or await self.stored(game, snake):
            return
        if any(review.is_asked and not review.is_over for review in self.reviews.values()):
            raise BusyError("another game is being reviewed: try again when it is finished")
        self._begin(game, snake, ASKED)

    def add(self, key: Key, *, is_asked: bool = True) -> RunningReview:
        """Add and return a new review.

        It replaces the review with its key or, at the limit, the oldest one that is over.
        """
        self.reviews.pop(key, None)
        over = [old for old, review in self.reviews.items() if review.is_over]
        for old in over[: max(0, len(self.reviews) - MOST_KEPT + 1)]:
            del self.reviews[old]
        review = self.reviews[key] = RunningReview(is_asked=is_asked)
        return review

    def _begin(self, game: Game, snake: int, budget: Budget) -> RunningReview:
        try:
            client = self._searchers[""]
        except KeyError:
            raise NoResultError("no gateway and no option --searcher names a searcher") from None
        review = self.add((game.id, snake), is_asked=budget is ASKED)
        reviewing = GameReview(client, game, snake, budget, progress=review.turn)
        review.task = asyncio.create_task(self._run(review, reviewing, game, snake))
        return review

    async def _run(self, review: RunningReview, reviewing: GameReview, game: Game, snake: int) -> None:
        """Run a review, store it, and add its last event: the result or the problem."""
        problem = "the console ends"
        try:
            found = await reviewing.run()
            if not found.unsearched:
                row = ReviewRow(game.id, found.snake, len(game.turns), msgspec.json.encode(found))
                await self._writer.written([row])
            review.tell("review", found, is_last=True)
            if found.lost_at is not None:
                name = game.snakes[snake].name
                log.info("game reviewed", game_id=game.id, snake=name, turn=found.lost_at, reason=found.story)
        except NoResultError as error:
            problem = str(error)
        except Exception as error:
            # A review reads all values of a game, and only this game may have such values.
            problem = f"the review failed: {in_words(error)}"
            log.exception("game not reviewed", game_id=game.id, snake=game.snakes[snake].name)
        finally:
            if not review.is_over:
                review.tell("problem", {"error": problem}, is_last=True)

    async def _review_lost(self) -> None:
        """Review lost games, one after another."""
        while True:
            name, snake_id = await self._lost.get()
            try:
                await self._review(name, snake_id)
            except NoResultError as error:
                log.warning("game not reviewed", game_id=name, reason=str(error))
            except Exception:
                # One game must not end the reviews of the other games.
                log.exception("game not reviewed", game_id=name)

    async def _review(self, name: str, snake_id: str) -> None:
        """Review a lost game, unless a reader has started its review."""
        game = await self._library.game(name)
        numbers = {each.id: number for number, each in enumerate(game.snakes)} if game else {}
        if game is None or not game.over or snake_id not in numbers:
            return
        snake = numbers[snake_id]
        if (game.id, snake) in self.reviews or await self.stored(game, snake):
            return
        review = self._begin(game, snake, UNASKED)
        if review.task:
            await asyncio.wait([review.task])
