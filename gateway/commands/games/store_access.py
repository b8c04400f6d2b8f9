"""Access to recorded games from the command line, with errors for people."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

import click

from gateway.store.database import MissingExtraError, OutcomesDatabase, file_of, require

if TYPE_CHECKING:
    from gateway.store.store import Store

_Found = TypeVar("_Found")


def require_database(outcomes: OutcomesDatabase, *extras: str) -> None:
    """Raise ClickException without a database, or without the packages of these extras."""
    if not outcomes.url:
        raise click.ClickException(f"no games are recorded: {outcomes.reason}")
    try:
        require(*extras)
    except MissingExtraError as error:
        raise click.ClickException(str(error)) from error


def use_store(
    outcomes: OutcomesDatabase, use: "Callable[[Store], Awaitable[_Found]]", creates: bool = False
) -> _Found:
    """Return what is done with the store; `creates` a file that is missing.

    Raises ClickException if the database fails.
    """
    file = file_of(outcomes.url)
    if file and not file.exists() and not creates:
        raise click.ClickException(f"there is no file {file}")
    # This needs packages that only the extra `outcomes` installs.
    from gateway.store.store import Store

    async def used() -> _Found:
        async with Store(outcomes.url) as store:
            await store.prepare()
            return await use(store)

    try:
        return asyncio.run(used())
    except click.ClickException:
        raise
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        raise click.ClickException(f"the database fails: {error}".partition("\n")[0]) from error
