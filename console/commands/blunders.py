"""The command line: python -m console blunders."""

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import echo_document, examples, reading
from battlesnake_search.common.logs import silence
from battlesnake_search.options import checked_strategy, read_credentials, searcher_options
from battlesnake_search.record.extras import require
from console.store import database
from console.store.database import OutcomesDatabase

if TYPE_CHECKING:
    from battlesnake_search.channels import Credentials
    from battlesnake_search.searcher_client import SearcherClient
    from console.reviews.game_review import Budget
    from console.reviews.review import Review
    from console.store.values import Game

_STARTUP = 60.0
"""Seconds until a searcher has to serve. An embedded one may have to load compiled code."""

_POLL = 0.2


@click.command(
    epilog=examples(
        "python -m console blunders --json",
    )
)
@click.argument("games", metavar="[GAME]...", nargs=-1)
@database.option
@searcher_options("gRPC target of the searchers. Without it the command starts its own searcher.")
@click.option(
    "--strategy",
    callback=reading(checked_strategy),
    shell_complete=completion.strategies,
    default=None,
    metavar="SEARCH/EVALUATOR|auto",
    show_default="the recorded one",
    help="Strategy of the searches.",
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0.1),
    default=60.0,
    metavar="SECONDS",
    help="The longest time for a game. Most games take less.",
)
@click.option("--again", is_flag=True, help="Review recorded games again, and store the new reviews.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def blunders(
    games: Sequence[str],
    outcomes: OutcomesDatabase,
    searcher: str,
    strategy: str | None,
    seconds: float,
    again: bool,
    as_json: bool,
    **credentials: Path | None,
) -> None:
    """Search our turns of GAMEs again, and name the moves that were much worse than another move.

    A GAME is the id of a recorded game, or a file that `battlesnake play -o FILE` has written. Without a
    GAME, the command reviews the finished games among the newest 20 recorded games. The review of a recorded
    game is stored with the game, and the console shows the same review. With --strategy nothing is stored.
    """
    shown = read_credentials(credentials, searcher)
    require("experiments")
    # The command prints results and no log.
    silence()
    from console.commands import game_sources, review_tables
    from console.reviews.game_review import Budget
    from console.reviews.review import our_snakes

    chosen = game_sources.load(outcomes, games)
    files = {name for name in games if Path(name).is_file()}
    recorded = [
        game for name, game in zip(games or [""] * len(chosen), chosen, strict=True) if name not in files
    ]
    stored = {} if strategy is not None or again else game_sources.stored_reviews(outcomes, recorded)
    played = {
        (game.id, game.snakes[snake].id): (game, snake) for game in chosen for snake in our_snakes(game)
    }
    missing = {ids: played[ids] for ids in played if ids not in stored}
    try:
        reviewing = _reviews(missing, _client(searcher, shown), strategy, Budget(seconds=seconds))
        made = asyncio.run(reviewing)
    except asyncio.CancelledError:
        raise click.Abort from None
    if strategy is None:
        game_sources.keep_reviews(outcomes, recorded, made)
    reviews = [(stored | made)[ids] for ids in played]
    if as_json:
        echo_document(review_tables.as_json(reviews))
    else:
        review_tables.show(chosen, reviews)


async def _reviews(
    missing: "Mapping[tuple[str, str], tuple[Game, int]]",
    connecting: "AbstractAsyncContextManager[SearcherClient]",
    strategy: str | None,
    budget: "Budget",
) -> "dict[tuple[str, str], Review]":
    """Review games, each for one of its snakes, by the ids of both. Show progress on stderr."""
    running = asyncio.current_task()
    assert running is not None
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        # Cancelling lets the embedded searcher's folder be removed.
        asyncio.get_running_loop().add_signal_handler(number, running.cancel)
    if not missing:
        return {}
    async with connecting as client:
        return {
            ids: await _review(client, game, snake, budget, strategy, f"{place}/{len(missing)}")
            for place, (ids, (game, snake)) in enumerate(missing.items(), 1)
        }


async def _review(
    client: "SearcherClient", game: "Game", snake: int, budget: "Budget", strategy: str | None, place: str
) -> "Review":
    """Review a game for a snake. Raises ClickException if no turn could be searched."""
    from console.reviews.game_review import GameReview, NoResultError

    about = game.snakes[snake]
    name = f"[{place}] game {game.id}, {about.name or about.id}"
    click.echo(f"{name}: {len(game.turns)} turns, at most {budget.seconds:g} s", err=True)
    try:
        return await GameReview(client, game, snake, budget, strategy).run()
    except NoResultError as error:
        raise click.ClickException(f"game {game.id}: {error}") from error


@asynccontextmanager
async def _client(target: str, credentials: "Credentials | None") -> "AsyncIterator[SearcherClient]":
    """Connect to a serving searcher; without a target, to an embedded one."""
    from battlesnake_search.channels import Credentials
    from battlesnake_search.children.restarting import embedded
    from battlesnake_search.children.service import Service
    from battlesnake_search.searcher_client import SearcherClient

    service = None if target else Service()
    client = SearcherClient(service.target if service else target, credentials or Credentials())
    async with AsyncExitStack() as stack:
        stack.push_async_callback(client.close)
        if service:
            await stack.enter_async_context(embedded(service, client.reconnect))
        end = asyncio.get_running_loop().time() + _STARTUP
        while trouble := await client.trouble():
            if asyncio.get_running_loop().time() >= end:
                raise click.ClickException(trouble)
            await asyncio.sleep(_POLL)
        yield client
