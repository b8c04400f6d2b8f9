"""How fast a searcher and a snake start, and what they hold in memory: python -m benchmarks.cold_start.

Both are started as users start them, again and again. All code is compiled beforehand, and Python has its
bytecode. Moves are requested as soon as the snake answers at all, one after another.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

import click
from rich.table import Table

from battlesnake_search.common.cli import CONTEXT, table_console
from benchmarks.cold_start.machine import drop_page_cache, environment
from benchmarks.cold_start.starts import start_snake
from benchmarks.cold_start.table import COLUMNS, rows
from searcher.tools.bench import seconds_to_serving
from tests.support.services import compile_default


@click.command(context_settings=CONTEXT)
@click.option("--starts", type=click.IntRange(1), default=20, help="Starts of each.")
@click.option("--timeout", type=click.IntRange(1), default=100, help="Milliseconds for a move.")
@click.option("--cold", is_flag=True, help="Read all files from the disk in each start; needs root.")
def main(starts: int, timeout: int, cold: bool) -> None:
    """Start a searcher and a snake in turn, and show medians with ranges."""
    compile_default()
    before: Callable[[], None] = drop_page_cache if cold else lambda: None
    before()
    searchers, snakes = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = environment(folder / "outcomes.sqlite")
        try:
            # The first start writes bytecode and creates the database.
            start_snake(folder, settings, timeout)
            for _ in range(starts):
                before()
                searchers.append(seconds_to_serving(settings))
                before()
                snakes.append(start_snake(folder, settings, timeout))
        except TimeoutError as error:
            raise click.ClickException(str(error)) from error
    table = Table(*COLUMNS)
    for row in rows(searchers, snakes):
        table.add_row(*row)
    table_console(80).print(table)


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.cold_start")
