"""`python -m searcher suite`: searches positions that have bad moves to avoid."""

import math
import sys
from pathlib import Path

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples
from searcher.commands.common import limit_options


@click.command(
    epilog=examples(
        "python -m searcher suite",
        "python -m searcher suite --strategy paranoid/area --time 250 --json",
    )
)
@click.argument(
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    required=False,
)
@click.option(
    "--strategy",
    "names",
    multiple=True,
    default=["auto"],
    shell_complete=completion.strategies,
    help="search/evaluator, or auto. Repeat for further strategies.",
)
@limit_options(default_nodes="400,000 without --time and --depth")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of tables.")
def suite(
    file: Path | None,
    names: tuple[str, ...],
    milliseconds: int | None,
    depth: int | None,
    nodes: int | None,
    as_json: bool,
) -> None:
    """Search positions and report bad moves and false claims of a loss.

    FILE has a /move body on each line, with the moves to avoid and whether the position is not lost. Without
    FILE, the project's own suite is searched. It has positions in which searches fail, so failures are
    expected. The exit code is 0 if all positions passed, else 1.
    """
    from searcher.engine.result import Limits
    from searcher.positions.suite import SUITE
    from searcher.strategies import parse_choice
    from searcher.tools.suite import DEFAULT_NODES, EXPECTED, prepare, read_entries, report, run

    if milliseconds is None and depth is None and nodes is None:
        nodes = DEFAULT_NODES
    seconds = math.inf if milliseconds is None else milliseconds / 1000
    try:
        choices = [parse_choice(name) for name in names]
        entries = read_entries(file or SUITE, choices, Limits(depth, nodes))
        prepare(entries)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    explanation = "" if file else EXPECTED
    sys.exit(0 if report(run(entries, choices, seconds), as_json, explanation) else 1)
