"""The command line: python -m console experiments."""

import asyncio
import gc

import click
import msgspec

from battlesnake_search.common.cli import echo_document, examples, table_console
from battlesnake_search.common.logs import show_warnings
from battlesnake_search.record.extras import require
from console.store import database
from console.store.database import OutcomesDatabase, in_a_line


@click.command(
    epilog=examples(
        "python -m console experiments",
        "python -m console experiments --json",
    )
)
@database.option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def experiments(outcomes: OutcomesDatabase, as_json: bool) -> None:
    """Compare the arms of each experiment by their recorded outcomes."""
    require("experiments")
    if not outcomes.url:
        raise click.ClickException(f"no outcomes: {outcomes.reason}")
    # A damaged row is a warning.
    show_warnings()
    # The process ends soon, and garbage collection would take half of its time.
    gc.disable()
    # These need the packages of the extra.
    from console.experiments import report, tables

    try:
        experiments_report = asyncio.run(report.report(outcomes.url))
    except Exception as error:
        # SQLAlchemy, its drivers and the network share no base exception.
        raise click.ClickException(f"can't read the outcomes: {in_a_line(error)}") from error
    if as_json:
        echo_document(msgspec.json.encode({"experiments": experiments_report}))
    else:
        tables.show(experiments_report, table_console(tables.WIDTH))
