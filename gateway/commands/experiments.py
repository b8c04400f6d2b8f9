"""The command line: python -m gateway experiments."""

import asyncio
import gc
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import echo_document, examples
from battlesnake_search.common.logs import show_warnings
from gateway.store import database
from gateway.store.database import MissingExtraError, OutcomesDatabase, in_a_line, require

if TYPE_CHECKING:
    from gateway.experiments.report import Experiment


@click.command(
    epilog=examples(
        "python -m gateway experiments",
        "python -m gateway experiments --json",
    )
)
@database.option
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV with a line for each arm.")
@click.option("--html", "form", flag_value="html", help="Print an HTML page.")
def experiments(outcomes: OutcomesDatabase, form: str | None) -> None:
    """Compare the arms of each experiment by their recorded outcomes."""
    try:
        require("experiments")
    except MissingExtraError as error:
        raise click.ClickException(str(error)) from error
    if not outcomes.url:
        raise click.ClickException(f"no outcomes: {outcomes.reason}")
    # A damaged row is a warning.
    show_warnings()
    # The process ends soon, and garbage collection would take half of its time.
    gc.disable()
    # These need the packages of the extra.
    from gateway.experiments import export, report

    try:
        experiments_report = asyncio.run(report.report(outcomes.url))
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        raise click.ClickException(f"can't read the outcomes: {in_a_line(error)}") from error
    if form == "json":
        echo_document(export.as_json(experiments_report))
    elif form == "csv":
        echo_document(export.as_csv(experiments_report).encode(), nl=False)
    else:
        _show(experiments_report, as_page=form == "html")


def _show(experiments_report: "Sequence[Experiment]", as_page: bool) -> None:
    """Print an HTML page, or tables for a terminal."""
    from battlesnake_search.common.cli import table_console
    from gateway.experiments import tables

    if as_page:
        echo_document(tables.as_html(experiments_report).encode(), nl=False)
    else:
        tables.show(experiments_report, table_console(tables.WIDTH))
