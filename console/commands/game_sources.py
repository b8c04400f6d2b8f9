"""The games of a command line: recorded games by id, files of the official engine, and addresses."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click
import msgspec

from battlesnake_search.common.cli import in_words
from battlesnake_search.common.launch import pip_install
from battlesnake_search.record.extras import require
from console.replay import official, servers
from console.replay.servers import RemoteGameError
from console.reviews.review import Review, decode
from console.store.assembly import whole
from console.store.database import OutcomesDatabase, in_a_line
from console.store.records import Header, Position, ReviewRow
from console.store.values import Game

if TYPE_CHECKING:
    from console.store.store import Store

_Found = TypeVar("_Found")

_NEWEST = 20
"""The number of games without names."""

_MATCH = b'{"record":"match"'
"""The beginning of the file of a match of the arena."""


def require_database(outcomes: OutcomesDatabase, extra: str = "outcomes") -> None:
    """Raise ClickException if there is no database, or if a package of an extra is missing."""
    require(extra)
    if not outcomes.url:
        raise click.ClickException(f"no games are recorded: {outcomes.reason}")


def use_store(
    outcomes: OutcomesDatabase, use: "Callable[[Store], Awaitable[_Found]]", creates: bool = False
) -> _Found:
    """Open the store, and return the result of `use`. With `creates`, a missing file is created.

    Raises ClickException if the database fails.
    """
    # This needs the packages of the extra `outcomes`.
    from console.store.store import Store

    async def used() -> _Found:
        async with Store(outcomes.url) as store:
            await store.prepare(creates)
            return await use(store)

    try:
        return asyncio.run(used())
    except click.ClickException:
        raise
    except FileNotFoundError as error:
        raise click.ClickException(in_a_line(error)) from error
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        raise click.ClickException(f"the database fails: {in_a_line(error)}") from error


def load(outcomes: OutcomesDatabase, names: Sequence[str]) -> list[Game]:
    """Return the named games; without names, the finished games among the newest ones.

    Raises ClickException for a game that is neither recorded nor a file, and for an empty database.
    """
    if not names:
        require_database(outcomes)
        return use_store(outcomes, _newest)
    return [_load(outcomes, name) for name in names]


def _load(outcomes: OutcomesDatabase, name: str) -> Game:
    file = Path(name)
    return _of_engine(file) if file.is_file() else load_recorded(outcomes, name)


def load_recorded(outcomes: OutcomesDatabase, name: str, hint: str = "") -> Game:
    """Return a recorded game. Raises ClickException, with the hint, without this game."""
    require_database(outcomes)
    # This needs the packages of the extra `outcomes`.
    from console.store.library import read_game

    game = use_store(outcomes, partial(read_game, game=name))
    if game is None:
        raise click.ClickException(f"there is neither a file nor a recorded game {name}{hint}")
    return game


def load_file(file: Path, number: str | None = None) -> Game:
    """Return the game in a file of the official engine, or the game with a number in a match's file.

    Raises ClickException without this game.
    """
    if _holds_match(file):
        return _of_match(file, number)
    if number is not None:
        raise click.ClickException(f"{file} is not the file of a match, so --number has no meaning")
    return _of_engine(file)


def _of_engine(file: Path) -> Game:
    try:
        return whole(*_read_file(file))
    except click.ClickException as error:
        raise click.ClickException(f"{file}: {error.message}") from error


def _holds_match(file: Path) -> bool:
    try:
        with file.open("rb") as lines:
            return lines.read(len(_MATCH)) == _MATCH
    except OSError as error:
        raise click.ClickException(in_words(error)) from error


def _of_match(file: Path, number: str | None) -> Game:
    # The arena is not among the packages that a console needs, so it offers its reader by an entry point.
    from importlib.metadata import entry_points

    try:
        read = next(iter(entry_points(group="battlesnake.games", name="match"))).load()
    except (StopIteration, ImportError) as error:
        raise click.ClickException(f"{file} is the file of a match: run {pip_install('arena')}") from error
    lines = file.read_bytes().splitlines(keepends=True)
    if not lines[-1].endswith(b"\n"):
        lost = f"its last line, {len(lines)}, is cut off, so the games of this line are missing"
        click.echo(f"Warning: {file} is not a whole match: {lost}", err=True)
    try:
        return msgspec.convert(read(file, number), Game)
    except ValueError as error:
        raise click.ClickException(f"{file}: {error}") from error


def read_address_or_file(source: str) -> tuple[Header, list[Position]]:
    """Return the game at an address, which has ://, or in a file. Raises ClickException without a game."""
    return read_address(source) if "://" in source else _read_file(Path(source))


def read_address(address: str) -> tuple[Header, list[Position]]:
    """Return the game at an address. Raises ClickException without a game."""
    # Only addresses need the HTTP client.
    from console.replay.remote import fetch

    try:
        return asyncio.run(fetch(servers.read_address(address)))
    except RemoteGameError as error:
        raise click.ClickException(str(error)) from error


def _read_file(file: Path) -> tuple[Header, list[Position]]:
    try:
        return official.read(file.read_bytes())
    except OSError as error:
        raise click.ClickException(error.strerror or str(error)) from error
    except official.BadFileError as error:
        raise click.ClickException(str(error)) from error


async def _newest(store: "Store") -> list[Game]:
    from console.store.library import read_game

    over = [header.id for header in await store.headers(None, _NEWEST) if header.ended_at is not None]
    if not over:
        raise click.ClickException("no game that is over is recorded")
    return [game for name in over if (game := await read_game(store, name))]


def stored_reviews(outcomes: OutcomesDatabase, games: Sequence[Game]) -> dict[tuple[str, str], Review]:
    """Return the stored reviews of all turns of recorded games, by game and snake."""

    async def read(store: "Store") -> dict[tuple[str, str], Review]:
        found = {}
        for game in games:
            for snake in game.snakes:
                row = await store.review(game.id, snake.id)
                if row and row.turns == len(game.turns) and (review := decode(row.review)):
                    found[game.id, snake.id] = review
        return found

    return use_store(outcomes, read) if games else {}


def keep_reviews(
    outcomes: OutcomesDatabase, games: Sequence[Game], made: Mapping[tuple[str, str], Review]
) -> None:
    """Store the complete reviews of recorded games, by game and snake."""
    turns = {game.id: len(game.turns) for game in games}
    rows = [
        ReviewRow(game, snake, turns[game], msgspec.json.encode(review))
        for (game, snake), review in made.items()
        if game in turns and not review.unsearched
    ]
    if rows:
        use_store(outcomes, lambda store: store.add(rows))
