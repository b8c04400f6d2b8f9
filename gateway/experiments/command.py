"""The command line: python -m gateway experiments."""

import asyncio
import sys

import click

from gateway.outcomes import target
from gateway.outcomes.target import MissingExtraError, Target, require


@click.command()
@target.option
@click.option("--json", "form", flag_value="json", help="As JSON.")
@click.option("--csv", "form", flag_value="csv", help="As CSV, a line for each arm.")
@click.option("--html", "form", flag_value="html", help="As a page.")
def experiments(outcomes: Target, form: str | None) -> None:
    """Show of each experiment how its arms did, and how sure it is which one is better."""
    if not outcomes.url:
        raise click.ClickException(f"no outcomes: {outcomes.reason}")
    try:
        require("experiments")
    except MissingExtraError as error:
        raise click.ClickException(str(error)) from error
    # Only the extra installs what they need, and that takes a second to import.
    from rich.console import Console

    from gateway.experiments import export, report, tables

    try:
        found = asyncio.run(report.report(outcomes.url))
    except Exception as error:
        # SQLAlchemy, its drivers and the network have no error in common.
        raise click.ClickException(f"can't read the outcomes: {error}".partition("\n")[0]) from error
    if form == "json":
        click.echo(export.as_json(found))
    elif form == "csv":
        click.echo(export.as_csv(found), nl=False)
    elif form == "html":
        click.echo(tables.as_html(found), nl=False)
    else:
        tables.show(found, Console(width=None if sys.stdout.isatty() else tables.WIDTH))
