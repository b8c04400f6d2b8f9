"""The searcher's command line. Each command imports only what it needs, so that it starts fast."""

import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commandline.log_options import log_options
from commandline.options import CONTEXT, version_option
from searcher.serving.address import default_address
from searcher.textbook.play import tictactoe

if TYPE_CHECKING:
    from searcher.interface import Strategy

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
ONLY = click.option(
    "--only",
    multiple=True,
    metavar="SEARCH/EVALUATOR",
    envvar="SEARCHER_ONLY",
    show_envvar=True,
    help="Offer only this strategy and the default one. Repeat for further strategies.",
)


@click.group(context_settings=CONTEXT)
@version_option
def main() -> None:
    """Search Battlesnake positions for the best move."""


@main.command()
@click.option(
    "--listen",
    default=default_address,
    show_default="0.0.0.0:PORT if the environment has PORT, else 127.0.0.1:50051",
    envvar="SEARCHER_LISTEN",
    show_envvar=True,
    help="Address to listen on: host:port or unix:PATH.",
)
@click.option(
    "--workers", type=click.IntRange(1), help="Searches that run at once.  [default: one for each core]"
)
@ONLY
@click.option(
    "--max-connection-age",
    type=click.FloatRange(0, min_open=True),
    envvar="SEARCHER_MAX_CONNECTION_AGE",
    show_envvar=True,
    metavar="SECONDS",
    help="Make callers reconnect after this time, so that new searchers get work.  [default: never]",
)
@log_options
def serve(
    listen: str,
    workers: int | None,
    only: tuple[str, ...],
    max_connection_age: float | None,
    log_level: str,
    log_format: str,
) -> None:
    """Serve searches over gRPC until SIGTERM."""
    from commandline import logs
    from searcher.serving import compile_log

    logs.configure(log_format, log_level, compile_log.LAYOUTS)
    from searcher.serving.server import serve as serve_until_signal

    serve_until_signal(listen, workers, _strategies(only), max_connection_age)


@main.command()
@ONLY
@click.option("--check", is_flag=True, help="Compile nothing; fail if anything is missing from the cache.")
def warm(only: tuple[str, ...], check: bool) -> None:
    """Compile all strategies into the cache."""
    from searcher.precompile.progress import ShownProgress
    from searcher.precompile.warmup import missing_from_cache, warm_everything

    if check:
        missing = missing_from_cache(_strategies(only))
        for line in missing:
            click.echo(line, err=True)
        sys.exit(1 if missing else 0)
    for fault in warm_everything(ShownProgress(), _strategies(only)):
        click.echo(fault, err=True)


def _strategies(texts: tuple[str, ...]) -> "list[Strategy]":
    from searcher.strategies import parse_strategy

    try:
        return [parse_strategy(text) for text in texts]
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--only") from None


@main.command("try")
@click.argument("names", nargs=-1, metavar="[EVALUATOR]...")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a line of JSON for each evaluator: its fault, or null."
)
def try_evaluators(names: tuple[str, ...], as_json: bool) -> None:
    """Try evaluators and print their faults.

    Each evaluator, by default all, is compiled and run on a few positions.
    """
    # Evaluators may print; only trial outcomes belong on standard output.
    output, sys.stdout = sys.stdout, sys.stderr
    # Authors should see that they import former paths; in a searcher's log the warning would be useless.
    warnings.filterwarnings("default", message=r".* searcher\.toolkit", category=DeprecationWarning)
    from searcher.strategies import evaluators, faults
    from searcher.trials.trial import run_trials

    if unknown := set(names) - evaluators().keys() - {fault.evaluator for fault in faults()}:
        raise click.BadParameter(f"no evaluator {min(unknown)!r}; valid: {', '.join(evaluators())}")
    not_loaded = [fault for fault in faults() if not as_json and (not names or fault.evaluator in names)]
    for fault in not_loaded:
        print(fault, file=output)
    chosen = [evaluators()[name] for name in names or evaluators() if name in evaluators()]
    sys.exit(0 if run_trials(chosen, output, as_json) and not not_loaded else 1)


@main.command()
@click.argument("file", type=FILE)
def conformance(file: Path) -> None:
    """Check the rules against recorded turns.

    FILE has turns of the official engine as JSON lines, gzipped or not.
    """
    from searcher.tools.conformance import differences, read_transitions

    try:
        transitions = read_transitions(file)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    passed = failed = 0
    for number, transition in enumerate(transitions, 1):
        wrong = differences(transition)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        for difference in wrong:
            click.echo(f"line {number}, {transition.ruleset}: {difference}")
    click.echo(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


@main.command()
@click.argument("file", type=FILE)
@click.option("--time", "milliseconds", type=click.IntRange(1), default=400, help="Milliseconds of search.")
@click.option("--strategy", default="", help="search/evaluator.  [default: the searcher's]")
def analyze(file: Path, milliseconds: int, strategy: str) -> None:
    """Search the position in a /move body.

    Each completed depth is printed, then every root move.
    """
    import msgspec

    from searcher.errors import InvalidRequestError
    from searcher.move_body import read_body
    from searcher.serving.move_body_check import checked_task
    from searcher.strategies import parse_strategy
    from searcher.tools.analysis import analyze
    from searcher.trials.runner import require_passed_trial

    try:
        position = checked_task(read_body(file)).position
        chosen = parse_strategy(strategy)
        require_passed_trial(chosen)
        analyze(position, chosen, milliseconds)
    except (msgspec.DecodeError, InvalidRequestError, ValueError) as error:
        raise click.ClickException(str(error)) from None


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--time", "milliseconds", type=click.IntRange(1), help="Milliseconds of search for each position."
)
@click.option(
    "--depth", type=click.IntRange(1), help="Depth of search in turns.  [default: each position's own]"
)
@click.option(
    "--strategy", default="paranoid/area", help="search/evaluator; also the strategy of the signature."
)
@click.option("--threads", type=click.IntRange(1), default=1, help="Threads for each search.")
def bench(as_json: bool, milliseconds: int | None, depth: int | None, strategy: str, threads: int) -> None:
    """Search fixed positions and measure the speed.

    The nodes of all positions at their fixed depths are the signature of the search's behaviour.
    """
    from searcher.strategies import parse_strategy
    from searcher.tools.bench import report, run
    from searcher.trials.runner import require_passed_trial

    if milliseconds is not None and depth is not None:
        raise click.UsageError("--time and --depth exclude each other")
    try:
        chosen = parse_strategy(strategy)
        require_passed_trial(chosen)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--strategy") from None
    report(run(chosen, milliseconds, depth, threads), as_json)


main.add_command(tictactoe)

if __name__ == "__main__":
    main(prog_name="python -m searcher")
