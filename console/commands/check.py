"""The command line: python -m console check."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from typing import Any

import click

from battlesnake_search.common.cli import examples, with_options
from battlesnake_search.common.logs import silence
from battlesnake_search.ports import checks
from battlesnake_search.ports.checks import CheckResult
from battlesnake_search.record.options import PUBLIC_REMEDY
from battlesnake_search.serving.address import ListenError, check_address
from console.commands import options
from console.settings import Settings
from console.store.database import OutcomesDatabase, file_of, in_a_line

_DATABASE_TIMEOUT = 10.0
_OUTCOMES_REMEDY = "Correct --outcomes or OUTCOMES_URL; none records nothing."
_LISTEN_REMEDY = "Give another address with --listen or CONSOLE_LISTEN."


@click.command(epilog=examples("python -m console check", "python -m console check --json"))
@with_options(
    options.LISTEN,
    *options.RECORDING,
    *options.SERVING,
    click.option("--json", "as_json", is_flag=True, help="Print JSON."),
)
def check(listen: str, as_json: bool, **values: Any) -> None:
    """Check whether a console with these options would work.

    Prints a line for its address for gateways, the addresses of its pages, and its database. The exit status
    is 1 if any of them would fail. An existing database gets the schema of this version. A missing file is
    not created.
    """
    settings = options.settings(values)
    # The results replace the log.
    silence()
    sys.exit(0 if asyncio.run(checks.reported(_results(listen, settings), as_json)) else 1)


async def _results(listen: str, settings: Settings) -> AsyncIterator[CheckResult]:
    yield _check_listen(listen)
    if settings.admin:
        yield await checks.check_admin(settings.admin)
    if pages := settings.public_pages:
        yield await checks.check_address("public pages", pages.host, pages.port, PUBLIC_REMEDY)
    yield await _check_outcomes(settings.outcomes)


def _check_listen(address: str) -> CheckResult:
    try:
        check_address(address)
    except ListenError as error:
        return CheckResult("listen", str(error), _LISTEN_REMEDY)
    return CheckResult("listen", address)


async def _check_outcomes(database: OutcomesDatabase) -> CheckResult:
    if not database.url:
        return CheckResult("outcomes", f"not recorded: {database.reason}")
    file = file_of(database.url)
    if file and not os.path.exists(file):
        folder = next(each for each in file.parents if os.path.exists(each))
        if os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK):
            return CheckResult("outcomes", f"{file} will be created")
        reason = f"{file} can't be created: {folder} is not a folder that you may write to"
        return CheckResult("outcomes", reason, _OUTCOMES_REMEDY)
    # This needs the packages of the extra `outcomes`.
    from console.store.store import Store

    store = Store(database.url)
    try:
        async with store, asyncio.timeout(_DATABASE_TIMEOUT):
            await store.prepare()
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        return CheckResult("outcomes", f"{store.name} does not open: {in_a_line(error)}", _OUTCOMES_REMEDY)
    note = f", without {database.ignored}" if database.ignored else ""
    return CheckResult("outcomes", f"{store.name} opens{note}")
