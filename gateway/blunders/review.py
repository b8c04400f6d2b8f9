"""The review of a game: all of its turns searched again briefly, and then for longer those that matter."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from battlesnake_search.searcher_client import SearcherClient
from gateway.blunders import rule
from gateway.blunders.searches import NoResultError, values_of
from gateway.blunders.turns import PlayedTurn, played_turns
from gateway.blunders.values import Budget, Review, TurnReview
from gateway.replay.values import Death, Game

SWEEP_SHARE = 0.4
"""The share of the time that the first search of all turns may take."""

_SHORTEST = 0.02
"""Seconds below which a search is not worth its call."""

_USUAL_SHARE = 0.8
"""The share of its timeout that a move is taken to have had if the game does not say."""

Progress = Callable[[TurnReview, float], None]
"""Receives each turn as it is reviewed, possibly again, and the share of the time that is used."""


class GameReview:
    """A review of a game for one of its snakes. `strategy` is that of the searches; None: the played one."""

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
        self._turns = {turn.number: turn for turn in played_turns(game, snake)}
        self._found: dict[int, TurnReview] = {}
        self._failures: dict[int, str] = {}
        self._begun = 0.0

    async def run(self) -> Review:
        """Review the game. Raises NoResultError if no turn could be searched."""
        self._begun = _now()
        await self._all_turns(sorted(self._turns, reverse=True), self._brief)
        if self._turns and not self._found:
            raise NoResultError(next(iter(self._failures.values()), "no time for any search"))
        await self._long_searches()
        return self._review()

    async def _all_turns(self, numbers: Sequence[int], seconds: Callable[[PlayedTurn], float]) -> None:
        """Search turns in this order, some of them next to each other."""
        waiting = iter(numbers)

        async def work() -> None:
            for number in waiting:
                await self._search(self._turns[number], seconds(self._turns[number]))

        async with asyncio.TaskGroup() as group:
            for _ in range(self._budget.at_once):
                group.create_task(work())

    async def _search(self, turn: PlayedTurn, seconds: float) -> None:
        # A turn takes up to two searches.
        seconds = min(seconds, self._left / 2)
        if seconds < _SHORTEST:
            return
        strategy = turn.strategy if self._strategy is None else self._strategy
        try:
            played, best = await values_of(self._client, turn, strategy, seconds)
        except NoResultError as error:
            self._failures[turn.number] = str(error)
            return
        found = self._found[turn.number] = rule.turn_review(turn.number, played, best)
        self._progress(found, min(1.0, 1 - self._left / self._budget.seconds))

    async def _long_searches(self) -> None:
        """Search turns that had no answer, then for long whichever turn is the losing one by then."""
        searched: set[int] = set()
        while numbers := list(islice(self._deciding(searched), self._budget.at_once)):
            searched.update(numbers)
            await self._all_turns(numbers, self._full)

    def _deciding(self, searched: set[int]) -> Iterator[int]:
        """Yield the turns that have not had their full time, the most important one first."""
        found = self._found.values()
        missed = sorted(self._turns.keys() - self._found.keys(), reverse=True)
        # A turn that had another move by a short search may have had none.
        held = sorted((review.turn for review in found if not review.other.is_lost), reverse=True)
        worst = sorted(found, key=lambda review: (review.was_decisive, review.loss), reverse=True)
        order = dict.fromkeys([*missed, *held[: self._budget.at_once], *(review.turn for review in worst)])
        yield from (turn for turn in order if turn not in searched)

    def _full(self, turn: PlayedTurn) -> float:
        played = turn.budget_ms or _USUAL_SHARE * self._game.timeout_ms
        return self._budget.factor * played / 1000

    def _brief(self, turn: PlayedTurn) -> float:
        budget = self._budget
        share = SWEEP_SHARE * budget.seconds * budget.at_once / (2 * len(self._turns))
        return min(self._full(turn), max(share, _SHORTEST))

    @property
    def _left(self) -> float:
        return self._begun + self._budget.seconds - _now()

    def _review(self) -> Review:
        found = sorted(self._found.values(), key=lambda review: review.turn)
        died_at, death = self._death()
        result = self._result(died_at is not None)
        seen = rule.first_seen(found) if result == "lost" else None
        return Review(
            game=self._game.id,
            snake=self._game.snakes[self._snake].id,
            result=result,
            cause=death.cause if death else None,
            died_at=died_at,
            turns=found,
            blunders=rule.blunders(found),
            lost_at=rule.losing_turn(found) if result == "lost" else None,
            seen_at=seen.turn if seen else None,
            seen_depth=seen.played.depth if seen else None,
            seconds=round(_now() - self._begun, 3),
            unsearched=sorted(self._turns.keys() - self._found.keys()),
        )

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


def _now() -> float:
    return asyncio.get_running_loop().time()
