"""`python -m searcher try`: tries evaluators."""

import sys
from contextlib import closing

import click
import msgspec

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
    from searcher.plugins.faults import EvaluatorFault
    from searcher.precompile.prepare import ShownProgress
    from searcher.trials.runner import tried_by_name

    failed = False
    try:
        with closing(ShownProgress()) as progress:
            for name, outcome, nanoseconds in tried_by_name(names, progress):
                # The bar would stand in the line of the outcome.
                progress.close()
                speed = f", {nanoseconds:,.0f} ns an evaluation" if nanoseconds is not None else ""
                text = f"{outcome}{speed}" if outcome is not None else f"evaluator {name} is fine{speed}"
                print(msgspec.json.encode(outcome).decode() if as_json else text, file=output, flush=True)
                failed = failed or isinstance(outcome, EvaluatorFault)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    sys.exit(1 if failed else 0)
