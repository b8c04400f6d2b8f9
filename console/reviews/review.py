"""The values of a review of a recorded game: our turns, the blunders, the turn that lost the game, and words.

The values are the JSON of the API and of the command, as docs/blunders.md describes it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

import msgspec

from battlesnake_search import board as bodies
from battlesnake_search.board import MOST_SIDE, MOVES, Board, Point, Ruleset, Snake
from battlesnake_search.common.cli import counted
from console.store.assembly import Rules
from console.store.values import Cell, Death, Ending, Game, Placed, Turn

MUCH = 0.25
"""The smallest loss of score that counts as a blunder. Scores are from -1 to 1."""

UNKNOWN = "unknown"
"""The cause of a death that the boards do not explain, and of a lost game without a death."""

_MOST_TURNS = 100
"""The most turns after the losing one whose room is counted: on a board of 64x64 cells a turn takes 10 ms."""

HUNGER = ("out-of-health", "hazard")
"""The causes of death without health."""


class Valued(msgspec.Struct, frozen=True):
    """A move and its value. `outcome` is the proven end of the game after it, if there is a proof.

    The score is None if the move was the only legal one, because there was nothing to choose.
    """

    move: str
    score: float | None
    depth: int
    time_ms: float
    outcome: Ending | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the move is a proven loss. A draw is none."""
        return self.outcome is not None and self.outcome.kind == "loss"


class TurnReview(msgspec.Struct, frozen=True):
    """A turn of ours: the move that was played, and the best of the other moves.

    `other` is None if every other move is certain death in the same turn. `loss` is the cost in score of the
    played move, 0 if no other move is better. `was_decisive`: the played move is a proven loss, and the other
    move is not.
    """

    turn: int
    played: Valued
    other: Valued | None
    loss: float
    was_decisive: bool

    @property
    def holds(self) -> bool:
        """Whether another move than the played one is no proven loss."""
        return self.other is not None and not self.other.is_lost


class Review(msgspec.Struct, frozen=True):
    """A game, reviewed for one of our snakes. `game` and `snake` are ids.

    `result` is won, lost, draw or unknown. `died_at` is the turn of its death. `blunders` are the
    numbers of the turns whose move was much worse than another move. `lost_at` is the losing turn; None if
    the snake did not lose, or had no other move in any turn. `seen_at` is the first turn,
    not before the losing turn, whose move is a proven loss, and `seen_depth` the depth of the search that has
    proven the loss. `story` says how the game was lost, if the boards show it. `summary` is the review in
    sentences, for people.
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
    summary: str
    better_line: list[list[str | None]]
    """The moves that the search expects after the better move of the losing turn, for each snake by turn."""
    seconds: float
    unsearched: list[int]
    """The turns for which there was no time, or no answer."""
    died_late: bool = False
    """Whether the snake died by a move that the engine chose, because our answer came too late."""


def decode(stored: bytes) -> Review | None:
    """Return a stored review; None if it is damaged or of another version."""
    try:
        return msgspec.json.decode(stored, type=Review)
    except (msgspec.MsgspecError, ValueError):
        return None


def turn_review(turn: int, played: Valued, other: Valued | None) -> TurnReview:
    """Compare the played move with the best other move."""
    if other is None:
        return TurnReview(turn, msgspec.structs.replace(played, score=None), None, 0.0, was_decisive=False)
    loss = (other.score or 0.0) - (played.score or 0.0) if _rank(other) > _rank(played) else 0.0
    return TurnReview(turn, played, other, round(max(0.0, loss), 6), played.is_lost and not other.is_lost)


def _rank(valued: Valued) -> tuple[int, float]:
    """Return a sort key as in a search: a draw, despite its score of 0, is better only than a loss."""
    kind = valued.outcome.kind if valued.outcome else ""
    return ["loss", "draw", "", "win"].index(kind), valued.score or 0.0


def blunders(reviews: Iterable[TurnReview]) -> list[int]:
    """Return in order the turns whose move cost much score, or lost a game that another move held."""
    return sorted(review.turn for review in reviews if review.was_decisive or review.loss >= MUCH)


def losing_turn(reviews: Iterable[TurnReview]) -> int | None:
    """Return the last turn in which another move was no proven loss; None without such a turn.

    The game is lost, so the move played in that turn has lost it, even without a proof.
    """
    return max((review.turn for review in reviews if review.holds), default=None)


def first_seen(reviews: Iterable[TurnReview]) -> TurnReview | None:
    """Return the first turn, not before the losing turn, whose move is a proven loss; None without one.

    The proof holds for all later turns, because none of them had an escape. A turn before the losing turn
    does not count: an opponent has returned what was lost by then.
    """
    reviews = list(reviews)
    lost_at = losing_turn(reviews) or 0
    proven = (review for review in reviews if review.turn >= lost_at and review.played.is_lost)
    return min(proven, key=lambda review: review.turn, default=None)


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
        is_late = decision is not None and decision.late
        move = decision.move if decision and not is_late else _seen_move(game, turn, after, snake, is_late)
        if move:
            strategy = decision.strategy if decision else ""
            played.append(PlayedTurn(_request(game, turn, snake), move, strategy))
    return played


def _seen_move(game: Game, turn: Turn, after: Turn | None, snake: int, is_late: bool) -> str | None:
    """Return the move that leads from a board to the next one; None if the snake is not on both boards.

    If it died because its answer `is_late`, the engine moved it straight on.
    """
    if after is None or after.turn != turn.turn + 1:
        return None
    before, later = turn.snakes[snake], after.snakes[snake]
    if before is None or (later is None and not is_late):
        return None
    rules = Rules.of(game)
    if later is None:
        return rules.straight_on(before.body)
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


def story(game: Game, snake: int, death: Death | None, lost_at: int, other: str) -> str | None:
    """Return the story of a snake that lost on turn `lost_at`, where the move `other` held.

    Return None if the boards explain nothing.
    """
    rules = Rules.of(game)
    late = [(turn, mine) for turn in game.turns if turn.turn >= lost_at and (mine := turn.snakes[snake])]
    if not late or late[0][0].turn != lost_at:
        return None
    board, mine = late[0]
    if death is not None and death.cause in HUNGER:
        return f"out of health, with {mine.health} points left on turn {lost_at}"
    if death is not None and death.cause == "head-collision" and death.by is not None:
        return _head_to_head(game, board, mine, death.by)
    if max(game.width, game.height) > MOST_SIDE:
        # A stranger may name any size, and the room on a board without end can't be counted.
        return None
    for turn, placed in late[1 : 1 + _MOST_TURNS]:
        room, parts = max(_room(rules, turn, placed, move) for move in MOVES), len(placed.body)
        if room < parts:
            kept = _room(rules, board, mine, other)
            more = f"; {other} on turn {lost_at} kept {kept}" if kept > room else ""
            return f"trapped from turn {turn.turn} on: {counted(room, 'cell')} for {parts} parts{more}"
    return None


def summary_of(review: Review) -> str:
    """Return a review in sentences, without the result."""
    words = []
    if review.died_late and review.died_at is not None:
        turn = review.died_at - 1
        words.append(f"The answer of turn {turn} came too late, so the engine chose the last move.")
    losing = next((turn for turn in review.turns if turn.turn == review.lost_at), None)
    if losing is not None and losing.other is not None:
        played, other = losing.played.move, losing.other.move
        words.append(f"Turn {losing.turn} lost the game: {played} was played, and {other} still held.")
    words += _proof(review)
    if review.story:
        words.append(f"The snake was {review.story}.")
    elif review.result == "lost" and review.cause is None:
        words.append("The recorded boards do not show its death.")
    if others := [turn for turn in review.blunders if turn != review.lost_at]:
        kind = "other blunder" if losing else "blunder"
        words.append(f"There {'is' if len(others) == 1 else 'are'} {counted(len(others), kind)}.")
    elif losing is None:
        words.append(f"None of {counted(len(review.turns), 'move')} was a blunder.")
    return " ".join(words)


def _proof(review: Review) -> Iterator[str]:
    """Yield the sentences about the turns after the losing turn: its move is the last one that mattered."""
    seen, proof = review.seen_at, f"a search at depth {review.seen_depth} proves the loss"
    if review.lost_at is not None:
        is_proven = seen == review.lost_at
        yield f"After it, no other move would have helped{f': {proof}' if is_proven else ''}."
    if seen is not None and seen != review.lost_at:
        only = "" if review.lost_at is None else "only "
        yield f"{proof.capitalize()} {only}after the move of turn {seen}."


def _head_to_head(game: Game, board: Turn, mine: Placed, by: int) -> str:
    about, theirs = game.snakes[by], board.snakes[by]
    told = f"beaten in a head-to-head by {about.name or about.id}"
    if theirs is None:
        return told
    return f"{told}, with {len(mine.body)} parts against {len(theirs.body)} on turn {board.turn}"


def _room(rules: Rules, board: Turn, mine: Placed, move: str) -> int:
    """Return the number of free cells that a snake can reach after a move. Tails count as free."""
    held = {cell for placed in board.snakes if placed for cell in placed.body[:-1]}
    reached, edge = set[Cell](), [rules.step(mine.body[0], move)]
    while edge:
        cell = edge.pop()
        is_on_board = 0 <= cell[0] < rules.width and 0 <= cell[1] < rules.height
        if is_on_board and cell not in held and cell not in reached:
            reached.add(cell)
            edge += (rules.step(cell, onward) for onward in MOVES)
    return len(reached)
