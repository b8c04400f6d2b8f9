"""`python -m arena compliance`: checks a Battlesnake against the API. Imports what it needs when it runs."""

import asyncio
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

if TYPE_CHECKING:
    from arena.compliance.verdicts import Report


@click.command(context_settings={"show_default": True})
@click.argument("url")
@click.option("--timeout", type=click.IntRange(1), default=500, metavar="MS", help="Time for an answer.")
@click.option("--games", type=click.IntRange(1), default=8, metavar="N", help="Games at once.")
@click.option("--json", "as_json", is_flag=True, help="JSON instead of a table.")
def compliance(url: str, timeout: int, games: int, as_json: bool) -> None:
    """Checks the Battlesnake at URL against the API: every kind of request, its time, its connections.

    The exit code is 1 when a check fails. What the official engine plays on with is a warning. A snake that
    thinks for half a second a move is checked in half a minute.
    """
    import msgspec

    _check_url(url)
    report = _examine(url, timeout, games)
    if as_json:
        click.echo(msgspec.json.encode(report))
    else:
        _print(report)
    sys.exit(1 if report.count("fail") else 0)


def _check_url(url: str) -> None:
    try:
        parts = urlsplit(url)
        right = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        right = False
    if not right:
        raise click.BadParameter(f"{url!r} is none; one is http://localhost:8000", param_hint="URL")


def _examine(url: str, timeout: int, games: int) -> "Report":
    from rich.console import Console

    from arena.compliance.caller import Target
    from arena.compliance.index import UnreachableError
    from arena.compliance.suite import examine

    with Console(stderr=True).status(url) as status:
        try:
            return asyncio.run(examine(Target(url, timeout, games), lambda name: status.update(f"{name} …")))
        except UnreachableError as error:
            raise click.ClickException(f"no snake can be reached at {url}: {error}") from None


def _print(report: "Report") -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    styles = {"pass": "green", "warn": "yellow", "fail": "bold red"}
    table = Table("check", "", "what came")
    for verdict in report.verdicts:
        came = verdict.came
        if verdict.outcome != "pass":
            came += f"\nexpected: {verdict.expected}"
        table.add_row(verdict.name, Text(verdict.outcome, styles[verdict.outcome]), came)
    # What a snake sent is no markup.
    console = Console(markup=False, highlight=False)
    console.print(table)
    counts = {outcome: report.count(outcome) for outcome in ("pass", "warn", "fail")}
    console.print(f"{counts['pass']} passed, {counts['warn']} warned, {counts['fail']} failed")
