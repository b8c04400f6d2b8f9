"""The command line: python -m gateway experiments."""

import asyncio
import sys

import click

from gateway.outcomes import database
from gateway.outcomes.database import MissingExtraError, OutcomesDatabase, require


@click.command()
@database.option
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV with a line for each arm.")
@click.option("--html", "form", flag_value="html", help="Print an HTML page.")
def experiments(outcomes: OutcomesDatabase, form: str | None) -> None:
    """Compare the arms of each experiment by their recorded outcomes."""
    if not outcomes.url:
        raise click.ClickException(f"no outcomes: {outcomes.reason}")
    try:
        require("experiments")
    except MissingExtraError as error:
        raise click.ClickException(str(error)) from error
    # These need packages that only the extra installs, and take a second to import.
    from rich.console import Console

    from gateway.experiments import export, report, tables

    try:
        experiments_report = asyncio.run(report.report(outcomes.url))
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        raise click.ClickException(f"can't read the outcomes: {error}".partition("\n")[0]) from error
    if form == "json":
        click.echo(export.as_json(experiments_report))
    elif form == "csv":
        click.echo(export.as_csv(experiments_report), nl=False)
    elif form == "html":
        click.echo(tables.as_html(experiments_report), nl=False)
    else:
        tables.show(experiments_report, Console(width=None if sys.stdout.isatty() else tables.WIDTH))
