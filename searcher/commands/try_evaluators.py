"""`python -m searcher try`: tries evaluators."""

import sys
from contextlib import closing

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples


@click.command(
    "try",
    epilog=examples(
        "python -m searcher try",
        "python -m searcher try mine --json",
    ),
)
@click.argument("names", nargs=-1, metavar="[EVALUATOR]...", shell_complete=completion.evaluators)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print a line of JSON for each evaluator: a fault, a warning or null.",
)
def try_evaluators(names: tuple[str, ...], as_json: bool) -> None:
    """Try evaluators and print their faults.

    Each evaluator, by default all, is compiled and run on a few positions.
    """
    # Evaluators may print, but only trial outcomes belong on standard output.
    output, sys.stdout = sys.stdout, sys.stderr
    from searcher.precompile.prepare import ShownProgress
    from searcher.trials.runner import report_trials

    try:
        with closing(ShownProgress()) as progress:
            sys.exit(0 if report_trials(names, output, as_json, progress) else 1)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
