"""`python -m searcher conformance`: checks the rules against recorded turns."""

import sys
from pathlib import Path

import click

from battlesnake_search.common.cli import examples


@click.command(
    epilog=examples(
        "python -m searcher conformance tests/fixtures/transitions.jsonl.gz",
    )
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def conformance(file: Path) -> None:
    """Check the rules against recorded turns.

    FILE has turns of the official engine as JSON lines, gzipped or not.
    """
    from searcher.tools.conformance import differences, prepare, read_transitions

    try:
        transitions = read_transitions(file)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    prepare(transitions)
    passed = failed = 0
    for number, transition in enumerate(transitions, 1):
        wrong = differences(transition)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        for difference in wrong:
            click.echo(f"line {number}, {transition.ruleset}: {difference}")
    click.echo(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
