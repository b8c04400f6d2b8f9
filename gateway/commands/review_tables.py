"""Reviews as JSON, and as tables for a terminal."""

from collections.abc import Sequence

import msgspec
from rich import box
from rich.table import Table
from rich.text import Text

from battlesnake_search.common.cli import table_console
from gateway.console.review import CauseSummary, Review, TurnReview, Valued, by_cause
from gateway.replay.values import Game

_WIDTH = 160
"""Columns of a table outside a terminal."""

_MISSING = "-"


def as_json(reviews: Sequence[Review]) -> str:
    """Return the reviews and the summary of each cause."""
    body = {"reviews": list(reviews), "causes": by_cause(reviews)}
    return msgspec.json.format(msgspec.json.encode(body)).decode()


def show(games: Sequence[Game], reviews: Sequence[Review]) -> None:
    """Print each review and, for several lost games, the table of causes."""
    console = table_console(_WIDTH)
    names = {(game.id, snake.id): snake.name or snake.id for game in games for snake in game.snakes}
    for review in reviews:
        console.print(Text(headline(review, names[review.game, review.snake])))
        if review.blunders:
            console.print(_blunders(review))
    if sum(review.result == "lost" for review in reviews) > 1:
        console.print(_causes(by_cause(reviews)))


def headline(review: Review, name: str) -> str:
    """Return the review in a sentence or two."""
    cause = f" ({review.cause})" if review.cause else ""
    words = [f"Game {review.game}: {name} {_ENDINGS[review.result]}{cause}."]
    words += [_losing(turn) for turn in review.turns if turn.turn == review.lost_at]
    if review.story:
        words.append(f"It was {review.story}.")
    if review.seen_at is not None:
        words.append(f"The loss was proven from turn {review.seen_at} on, at depth {review.seen_depth}.")
    if not review.blunders:
        words.append(
            f"None of the {len(review.turns)} moves that were searched was much worse than another one."
        )
    if review.unsearched:
        words.append(f"For {len(review.unsearched)} turns there was no time: give more with --time.")
    return " ".join(words)


def _losing(turn: TurnReview) -> str:
    assert turn.other is not None
    return f"The losing turn is {turn.turn}: {turn.played.move} was played, {turn.other.move} still held."


_ENDINGS = {"won": "won", "lost": "lost", "draw": "drew", "unknown": "has no known result"}


def _blunders(review: Review) -> Table:
    table = Table(box=box.SIMPLE_HEAD)
    for column in ("turn", "played", "score", "better", "score", "loss", "depth", ""):
        table.add_column(column, justify="left" if column in ("played", "better", "") else "right")
    for turn in review.turns:
        if turn.turn in review.blunders:
            table.add_row(*map(Text, _cells(turn, turn.turn == review.lost_at)))
    return table


def _cells(turn: TurnReview, is_losing: bool) -> tuple[str, ...]:
    assert turn.other is not None
    return (
        str(turn.turn),
        turn.played.move,
        _score(turn.played),
        turn.other.move,
        _score(turn.other),
        f"{turn.loss:.2f}",
        str(turn.other.depth),
        "losing turn" if is_losing else "",
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
