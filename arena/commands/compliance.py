"""`python -m arena compliance`: checks a Battlesnake against the API."""

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from arena.commands.common import WHOLE, working
from battlesnake_search.common.cli import examples

if TYPE_CHECKING:
    from arena.compliance.exchanges import CheckResult


@click.command(
    epilog=examples(
        "python -m arena compliance http://localhost:8000",
    )
)
@click.argument("url")
@click.option("--timeout", type=WHOLE, default=500, metavar="MS", help="Time allowed for an answer.")
@click.option("--games", type=WHOLE, default=8, metavar="N", help="Games to play at once.")
def compliance(url: str, timeout: int, games: int) -> None:
    """Check the Battlesnake at URL against the API.

    The checks cover all requests, response times and connections. They take half a minute if the snake takes
    half a second per move. The exit code is 1 when a check fails. A deviation that the official engine
    tolerates is a warning.

    The ids of the games start with "test-". This project's gateway counts no such game in its experiments.
    """
    _check_url(url)
    results = _examine(url, timeout, games)
    _print(results)
    sys.exit(any(result.outcome == "fail" for result in results))


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise click.BadParameter(f"{url!r} is not a URL such as http://localhost:8000", param_hint="URL")


def _examine(url: str, timeout: int, games: int) -> "list[CheckResult]":
    from arena.compliance.exchanges import Endpoint
    from arena.compliance.suite import UnreachableError, examine

    with working(f"Checking {url} …"):
        try:
            return asyncio.run(examine(Endpoint(url, timeout, games)))
        except UnreachableError as error:
            raise click.ClickException(f"no snake can be reached at {url}: {error}") from None


def _print(results: "Sequence[CheckResult]") -> None:
    from rich.table import Table
    from rich.text import Text

    from battlesnake_search.common.console import Console

    styles = {"pass": "green", "warn": "yellow", "fail": "bold red"}
    table = Table("check", "result", "received")
    for result in results:
        came = result.came
        if result.outcome != "pass":
            came += f"\nexpected: {result.expected}"
        table.add_row(result.name, Text(result.outcome, styles[result.outcome]), came)
    # A snake's text must not be read as markup.
    console = Console(markup=False, highlight=False)
    console.print(table)
    counts = Counter(result.outcome for result in results)
    console.print(f"{counts['pass']} passed, {counts['warn']} warned, {counts['fail']} failed")
    if counts["warn"]:
        console.print("A warning is a deviation that the official engine tolerates.")
