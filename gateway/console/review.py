"""The review of a recorded game: our turns searched again with more time, and the turn that lost the game.

All turns are searched briefly, and then the important turns for longer. The values are the JSON of the API
and of the command, as docs/blunders.md describes it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, takewhile
from statistics import median

import msgspec

from battlesnake_search import board as bodies
from battlesnake_search import translate
from battlesnake_search.board import MOVES, Board, Point, Ruleset, Snake
from battlesnake_search.plan import Deadlines, Plan
from battlesnake_search.searcher_client import Failure, SearcherClient
from gateway.replay.assembly import Rules
from gateway.replay.values import Cell, Death, Ending, Game, Turn

MUCH = 0.25
"""The smallest loss of score that counts as a blunder. Scores are from -1 to 1."""

SWEEP_SHARE = 0.4
"""The largest share of the time for the first search of all turns."""

_SHORTEST = 0.02
"""The shortest search that is worth its call, in seconds."""

_GRACE = 1.0
"""Seconds from the search deadline to the answer deadline. They may be many, because no game waits."""

_USUAL_SHARE = 0.8
"""The assumed share of the timeout for a move, if the game does not record its time."""

UNKNOWN = "unknown"
"""The cause of a death that the boards do not explain, and of a lost game without a death."""


class Budget(msgspec.Struct, frozen=True):
    """The time of a review.

    Each turn gets up to `factor` times its time in the game. `seconds` bounds the whole review.
    `at_once` turns are searched at the same time.
    """

    factor: float = 10.0
    seconds: float = 25.0
    at_once: int = 2


class Valued(msgspec.Struct, frozen=True):
    """A move and its value. `outcome` is the proven end of the game after it, if there is a proof."""

    move: str
    score: float
    depth: int
    time_ms: float
    outcome: Ending | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the move is a proven loss, or a proven draw with the score of a loss."""
        return self.outcome is not None and self.score < 0


class TurnReview(msgspec.Struct, frozen=True):
    """A turn of ours: the move that was played, and the best of the other moves.

    `loss` is the cost in score of the played move, 0 if no other move is better. `was_decisive`: the played
    move is a proven loss, and the other move is not.
    """

    turn: int
    played: Valued
    other: Valued
    loss: float
    was_decisive: bool


class Review(msgspec.Struct, frozen=True):
    """A game, reviewed for one of our snakes. `game` and `snake` are ids.

    `result` is won, lost, draw or unknown. `died_at` is the first turn without the snake. `blunders` are the
    numbers of the turns whose move was much worse than another move. `lost_at` is the losing turn; None if
    the snake did not lose, or had no other move in any turn. `seen_at` is the turn from which on all played
    moves are proven losses, and `seen_depth` the depth of the search that has proven the loss.
    """

    game: str
    snake: str
    result: str
    cause: str | None
    died_at: int | None
    turns: list[TurnReview]
    blunders: list[int]
    lost_at: int | None
    seen_at: int | None
    seen_depth: int | None
    seconds: float
    unsearched: list[int]
    """The turns for which there was no time, or no answer."""


def turn_review(turn: int, played: Valued, other: Valued) -> TurnReview:
    """Compare the played move with the best other move."""
    loss = max(0.0, other.score - played.score)
    return TurnReview(turn, played, other, round(loss, 6), played.is_lost and not other.is_lost)


def blunders(reviews: Iterable[TurnReview]) -> list[int]:
    """Return in order the turns whose move cost much score, or lost a game that another move held."""
    return sorted(review.turn for review in reviews if review.was_decisive or review.loss >= MUCH)


def losing_turn(reviews: Iterable[TurnReview]) -> int | None:
    """Return the last turn in which another move was no proven loss; None without such a turn.

    The game is lost, so the move played in that turn has lost it, even without a proof.
    """
    return max((review.turn for review in reviews if not review.other.is_lost), default=None)


def first_seen(reviews: Iterable[TurnReview]) -> TurnReview | None:
    """Return the turn from which on all played moves are proven losses, or None without one."""
    newest_first = sorted(reviews, key=lambda review: review.turn, reverse=True)
    lost = list(takewhile(lambda review: review.played.is_lost, newest_first))
    return lost[-1] if lost else None


class PlayedTurn(msgspec.Struct, frozen=True):
    """A turn of a snake: the request, the played move, its time and its strategy.

    `budget_ms` is 0 and `strategy` empty if the game does not record them.
    """

    request: bodies.Turn
    move: str
    budget_ms: float
    strategy: str

    @property
    def number(self) -> int:
        """The number of the turn."""
        return self.request.turn


def our_snakes(game: Game) -> list[int]:
    """Return the numbers of our snakes; of all snakes if our snakes are unknown."""
    ours = [number for number, snake in enumerate(game.snakes) if snake.ours]
    return ours or list(range(len(game.snakes)))


def played_turns(game: Game, snake: int) -> list[PlayedTurn]:
    """Return the turns of a snake whose move is known, by decision or by the next board."""
    played = []
    for index, turn in enumerate(game.turns):
        if turn.snakes[snake] is None:
            continue
        decision = turn.decisions[snake]
        after = game.turns[index + 1] if index + 1 < len(game.turns) else None
        move = decision.move if decision and not decision.late else _seen_move(game, turn, after, snake)
        if move:
            budget = decision.budget_ms if decision else 0.0
            strategy = decision.strategy if decision else ""
            played.append(PlayedTurn(_request(game, turn, snake), move, budget, strategy))
    return played


def _seen_move(game: Game, turn: Turn, after: Turn | None, snake: int) -> str | None:
    """Return the move that leads from a board to the next one; None if the snake is not on both boards."""
    if after is None or after.turn != turn.turn + 1:
        return None
    before, later = turn.snakes[snake], after.snakes[snake]
    if before is None or later is None:
        return None
    rules = Rules.of(game)
    return next((move for move in MOVES if rules.step(before.body[0], move) == later.body[0]), None)


def _request(game: Game, turn: Turn, snake: int) -> bodies.Turn:
    snakes = {
        number: Snake(about.id, _points(placed.body), about.name, placed.health)
        for number, (about, placed) in enumerate(zip(game.snakes, turn.snakes, strict=True))
        if placed is not None
    }
    board = Board(game.width, game.height, list(snakes.values()), _points(turn.food), _points(turn.hazards))
    about = bodies.Game(game.id, Ruleset(game.ruleset, game.settings), game.map, game.timeout_ms)
    return bodies.Turn(about, board, snakes[snake], turn.turn)


def _points(cells: Sequence[Cell]) -> list[Point]:
    return [Point(x, y) for x, y in cells]


class NoResultError(Exception):
    """A searcher has returned no move. The message says why."""


async def values_of(
    client: SearcherClient, turn: PlayedTurn, strategy: str, seconds: float
) -> tuple[Valued, Valued]:
    """Return the values of the played move and of the best other move, each after `seconds` of search.

    This takes two searches, because one search of all moves gives the others only upper bounds. Raises
    NoResultError, and ValueError for an invalid strategy.
    """
    others = (move for move in MOVES if move != turn.move)
    played = await _best_of(client, turn, strategy, [turn.move], seconds)
    return played, await _best_of(client, turn, strategy, others, seconds)


async def _best_of(
    client: SearcherClient, turn: PlayedTurn, strategy: str, moves: Iterable[str], seconds: float
) -> Valued:
    request = translate.search_request(turn.request, Plan(strategy=strategy), moves)
    end = asyncio.get_running_loop().time() + seconds
    reply = await client.search(request, Deadlines(end, end + _GRACE))
    if reply.result is None or not reply.result.root_moves:
        raise NoResultError(_reason(reply.failures))
    best = translate.details(reply.result).moves[0]
    return Valued(
        move=best.move,
        score=round(best.score, 6),
        depth=best.depth,
        time_ms=reply.result.elapsed.ToMicroseconds() / 1e3,
        outcome=Ending(best.outcome.kind, best.outcome.turns) if best.outcome else None,
    )


def _reason(failures: list[Failure]) -> str:
    return f"{failures[-1].code.name}: {failures[-1].details}" if failures else "no move in time"


Progress = Callable[[TurnReview, float], None]
"""A function that receives each turn after each of its reviews, and the used share of the time."""


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
        """Search turns in this order, some of them at the same time."""
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
        found = self._found[turn.number] = turn_review(turn.number, played, best)
        self._progress(found, min(1.0, 1 - self._left / self._budget.seconds))

    async def _long_searches(self) -> None:
        """Search turns with their full time: first turns without an answer, then the present losing turn."""
        searched: set[int] = set()
        while numbers := list(islice(self._deciding(searched), self._budget.at_once)):
            searched.update(numbers)
            await self._all_turns(numbers, self._full)

    def _deciding(self, searched: set[int]) -> Iterator[int]:
        """Yield the turns that have not had their full time, the most important one first."""
        found = self._found.values()
        missed = sorted(self._turns.keys() - self._found.keys(), reverse=True)
        # A short search may miss that all other moves of a turn lose.
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
        seen = first_seen(found) if result == "lost" else None
        return Review(
            game=self._game.id,
            snake=self._game.snakes[self._snake].id,
            result=result,
            cause=death.cause if death else None,
            died_at=died_at,
            turns=found,
            blunders=blunders(found),
            lost_at=losing_turn(found) if result == "lost" else None,
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


class CauseSummary(msgspec.Struct, frozen=True):
    """The lost games with one cause of death. Each median is over the games that have its figure.

    `turns_lost` is from the losing turn to the death, `turns_seen` from the turn in which a search first
    proved the loss, and `depth` the depth of that search.
    """

    cause: str
    games: int
    turns_lost: float | None
    turns_seen: float | None
    depth: float | None


def by_cause(reviews: Iterable[Review]) -> list[CauseSummary]:
    """Return a summary of the lost games for each cause, the most frequent one first."""
    causes: defaultdict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        if review.result == "lost":
            causes[review.cause or UNKNOWN].append(review)
    summaries = [_summary(cause, found) for cause, found in causes.items()]
    return sorted(summaries, key=lambda summary: (-summary.games, summary.cause))


def _summary(cause: str, reviews: Sequence[Review]) -> CauseSummary:
    dead = [(review, review.died_at) for review in reviews if review.died_at is not None]
    return CauseSummary(
        cause,
        len(reviews),
        _median(died - review.lost_at for review, died in dead if review.lost_at is not None),
        _median(died - review.seen_at for review, died in dead if review.seen_at is not None),
        _median(review.seen_depth for review in reviews if review.seen_depth is not None),
    )


def _median(values: Iterable[int]) -> float | None:
    found = list(values)
    return float(median(found)) if found else None
