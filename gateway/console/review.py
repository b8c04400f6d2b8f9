"""The review of a recorded game: our turns searched again, and the turn that lost the game.

All turns are searched briefly. Then the last turns are searched longer, from the end of the game backwards,
until a turn has a move that is no proven loss. Searches are limited by nodes, so that a game has one review.
The values are the JSON of the API and of the command, as docs/blunders.md describes it.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import takewhile
from statistics import median

import msgspec

from battlesnake_search import board as bodies
from battlesnake_search import translate
from battlesnake_search.board import MOVES, Board, Point, Ruleset, Snake
from battlesnake_search.plan import Deadlines, Limits, Plan
from battlesnake_search.searcher_client import Failure, SearcherClient
from gateway.console.story import story
from gateway.replay.assembly import Rules
from gateway.replay.values import Cell, Death, Ending, Game, Turn

MUCH = 0.25
"""The smallest loss of score that counts as a blunder. Scores are from -1 to 1."""

SWEEP = 3_000_000
"""The nodes of the first searches of all turns together."""

LEAST, MOST = 500, 25_000
"""The least and the most nodes of a first search."""

LONG = 250_000
"""The nodes of a long search."""

LONGEST = 1_000_000
"""The nodes of a search that may show an escape from a loss."""

CHECKED = 4
"""The number of expensive moves that get long searches."""

_SWEEP_SHARE = 0.6
"""The share of the searches of all turns in the progress of a review."""

_SHORTEST = 0.02
"""The shortest search that is worth its call, in seconds."""

_GRACE = 1.0
"""Seconds from the search deadline to the answer deadline. They may be many, because no game waits."""

UNKNOWN = "unknown"
"""The cause of a death that the boards do not explain, and of a lost game without a death."""


class Budget(msgspec.Struct, frozen=True):
    """The longest time of a review in seconds, and the number of turns that are searched at the same time."""

    seconds: float = 60.0
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
        """Whether the move is a proven loss. A draw is none."""
        return self.outcome is not None and self.outcome.kind == "loss"


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
    moves are proven losses, and `seen_depth` the depth of the search that has proven the loss. `story` says
    how the game was lost, if the boards show it.
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
    story: str | None
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
    """Return the first turn of the last turns whose played moves are all proven losses, or None without one.

    A turn before the losing turn does not count: an opponent has returned what was lost by then.
    """
    reviews = list(reviews)
    lost_at = losing_turn(reviews)
    newest_first = sorted(reviews, key=lambda review: review.turn, reverse=True)
    late = takewhile(lambda review: lost_at is None or review.turn >= lost_at, newest_first)
    lost = list(takewhile(lambda review: review.played.is_lost, late))
    return lost[-1] if lost else None


class PlayedTurn(msgspec.Struct, frozen=True):
    """A turn of a snake: the request, the played move and its strategy.

    `strategy` is empty if the game does not record it.
    """

    request: bodies.Turn
    move: str
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
            strategy = decision.strategy if decision else ""
            played.append(PlayedTurn(_request(game, turn, snake), move, strategy))
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


async def value_of(
    client: SearcherClient, turn: PlayedTurn, strategy: str, moves: Sequence[str], nodes: int, end: float
) -> Valued:
    """Return the value of the best of the moves by a search of so many nodes.

    The search ends at `end` at the latest, by the event loop's clock in seconds. Raises NoResultError, and
    ValueError for an invalid strategy.
    """
    plan = Plan(strategy=strategy, limits=Limits(nodes=nodes))
    request = translate.search_request(turn.request, plan, moves)
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
        self._turns = {turn.number: turn for turn in played_turns(game, snake)}
        self._found: dict[int, TurnReview] = {}
        self._failures: dict[int, str] = {}
        self._long: set[int] = set()
        self._begun = 0.0

    async def run(self) -> Review:
        """Review the game. Raises NoResultError if no turn could be searched."""
        self._begun = _now()
        nodes = min(max(LEAST, SWEEP // (2 * max(1, len(self._turns)))), MOST)
        await self._search_all(sorted(self._turns, reverse=True), nodes)
        if self._turns and not self._found:
            raise NoResultError(next(iter(self._failures.values()), "no time for any search"))
        await self._search_all(sorted(self._turns.keys() - self._found.keys(), reverse=True), LONG)
        if self._result(self._death()[0] is not None) == "lost":
            await self._find_losing_turn()
        worst = sorted(
            self._found.values(), key=lambda review: (-review.was_decisive, -review.loss, review.turn)
        )
        costly = [review.turn for review in worst[:CHECKED] if review.loss and review.turn not in self._long]
        await self._search_all(costly, LONG)
        return self._review()

    async def _search_all(self, numbers: Sequence[int], nodes: int) -> None:
        """Search turns in this order, some of them at the same time."""
        waiting = iter(numbers)

        async def work() -> None:
            for number in waiting:
                await self._search(self._turns[number], nodes)

        async with asyncio.TaskGroup() as group:
            for _ in range(self._budget.at_once):
                group.create_task(work())

    async def _find_losing_turn(self) -> None:
        """Search the last turn with an escape for longer. If it is lost, continue before that turn."""
        while (turn := losing_turn(self._found.values())) is not None and turn not in self._long:
            await self._search(self._turns[turn], LONG)
            if turn == losing_turn(self._found.values()):
                await self._search(self._turns[turn], LONGEST)

    async def _search(self, turn: PlayedTurn, nodes: int) -> None:
        """Search the played move alone and all others, because one search has only bounds for the others."""
        if nodes >= LONG:
            self._long.add(turn.number)
        end = self._begun + self._budget.seconds
        if end - _now() < _SHORTEST:
            return
        strategy = turn.strategy if self._strategy is None else self._strategy
        try:
            played, other = [
                await value_of(self._client, turn, strategy, moves, nodes, end)
                for moves in ([turn.move], [move for move in MOVES if move != turn.move])
            ]
        except NoResultError as error:
            self._failures[turn.number] = str(error)
            return
        found = self._found[turn.number] = turn_review(turn.number, played, other)
        swept = _SWEEP_SHARE * len(self._found) / len(self._turns)
        self._progress(found, swept + (1 - _SWEEP_SHARE) * (1 - 0.8 ** len(self._long)))

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
            seconds=round(_now() - self._begun, 3),
            unsearched=sorted(self._turns.keys() - self._found.keys()),
        )

    def _story(self, losing: TurnReview, death: Death | None) -> str | None:
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
