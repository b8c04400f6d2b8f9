"""Reviews as JSON, and as tables for a terminal."""

from collections.abc import Sequence

import msgspec
from rich import box
from rich.table import Table
from rich.text import Text

from battlesnake_search.common.cli import table_console
from console.reviews.review import CauseSummary, Review, TurnReview, Valued, by_cause
from console.store.values import Game

_WIDTH = 160
"""Columns of a table outside a terminal."""

_MISSING = "-"


def as_json(reviews: Sequence[Review]) -> bytes:
    """Return the reviews and the summary of each cause."""
    body = {"reviews": list(reviews), "causes": by_cause(reviews)}
    return msgspec.json.format(msgspec.json.encode(body))


def show(games: Sequence[Game], reviews: Sequence[Review]) -> None:
    """Print each review and, for several lost games, the table of causes."""
    console = table_console(_WIDTH)
    names = {(game.id, snake.id): snake.name or snake.id for game in games for snake in game.snakes}
    for review in reviews:
        console.print(Text(headline(review, names[review.game, review.snake])))
        if rows := [turn for turn in review.turns if turn.turn in {*review.blunders, review.lost_at}]:
            console.print(_blunders(rows, review.lost_at))
    if sum(review.result == "lost" for review in reviews) > 1:
        console.print(_causes(by_cause(reviews)))


def headline(review: Review, name: str) -> str:
    """Return the review in some sentences."""
    cause = f" ({review.cause})" if review.cause else ""
    words = [f"Game {review.game}: {name} {_ENDINGS[review.result]}{cause}.", review.summary]
    if review.unsearched:
        words.append(f"For {len(review.unsearched)} turns there was no time: give more with --time.")
    return " ".join(words)


_ENDINGS = {"won": "won", "lost": "lost", "draw": "drew", "unknown": "has no known result"}


def _blunders(turns: Sequence[TurnReview], lost_at: int | None) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("turn", "played", "score", "better", "score", "loss", "depth", ""):
        table.add_column(column, justify="left" if column in ("played", "better", "") else "right")
    for turn in turns:
        table.add_row(*map(Text, _cells(turn, lost_at)))
    return table


def _cells(turn: TurnReview, lost_at: int | None) -> tuple[str, ...]:
    assert turn.other is not None
    # The game itself shows that the move of the losing turn lost, even if no search proves it.
    is_shown = turn.turn == lost_at and not turn.played.is_lost
    note = "losing turn" if turn.turn == lost_at else ""
    if turn.played.is_lost and lost_at is not None and turn.turn < lost_at:
        note = "the opponents let it go"
    return (
        str(turn.turn),
        turn.played.move,
        "lost" if is_shown else _score(turn.played),
        turn.other.move,
        _score(turn.other),
        _MISSING if is_shown else f"{turn.loss:.2f}",
        str(turn.other.depth),
        note,
    )


def _score(valued: Valued) -> str:
    if valued.outcome:
        return f"{valued.outcome.kind} in {valued.outcome.turns}"
    return _MISSING if valued.score is None else f"{valued.score:+.2f}"


def _causes(summaries: Sequence[CauseSummary]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title="Lost games (medians)")
    for column in ("cause of death", "games", "losing turn before the end", "proven before the end", "depth"):
        table.add_column(column, justify="left" if column == "cause of death" else "right")
    for each in summaries:
        figures = (each.turns_lost, each.turns_seen, each.depth)
        table.add_row(each.cause, str(each.games), *map(_figure, figures))
    return table


def _figure(value: float | None) -> str:
    return _MISSING if value is None else f"{value:g}"
