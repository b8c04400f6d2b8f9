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
    "--json",
    "as_json",
    is_flag=True,
    help="Print a line of JSON for each evaluator: a fault, a warning or null.",
)
def try_evaluators(names: tuple[str, ...], as_json: bool) -> None:
    """Try evaluators and print their faults.

    Each evaluator, by default all, is compiled and run on a few positions.
    """
    # Evaluators may print; only trial outcomes belong on standard output.
    output, sys.stdout = sys.stdout, sys.stderr
    # Authors should see that they import former paths; in a searcher's log the warning would be useless.
    warnings.filterwarnings("default", message=r".* searcher\.toolkit", category=DeprecationWarning)
    from searcher.trials.report import report_trials

    try:
        sys.exit(0 if report_trials(names, output, as_json) else 1)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


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
@click.argument("file", metavar="FILE[:TURN]")
@click.option("--you", metavar="NAME_OR_ID", help="Snake to move.  [default: the body's own, or the first]")
@click.option(
    "--time",
    "milliseconds",
    type=click.IntRange(1),
    help="Milliseconds of search.  [default: 400 without --depth and --nodes]",
)
@click.option("--depth", type=click.IntRange(1), help="Depth of search in turns.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes to search.")
@click.option("--threads", type=click.IntRange(1), default=1, help="Threads of the search.")
@click.option("--strategy", help="search/evaluator.  [default: the searcher's]")
@click.option(
    "--weights",
    metavar="NAME=VALUE,...|FILE",
    help="Weights of the evaluator, by name or in a TOML file as `arena tune` writes it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
def analyze(
    file: str,
    you: str | None,
    milliseconds: int | None,
    depth: int | None,
    nodes: int | None,
    threads: int,
    strategy: str | None,
    weights: str | None,
    as_json: bool,
) -> None:
    """Search a position and show what the search finds, depth by depth.

    FILE has a /move body, or a game that `battlesnake play --output FILE` wrote; of a game, TURN is searched.
    FILE may be - for standard input. On the board each snake is a letter, in upper case at its head.
    """
    from searcher.engine.result import Limits
    from searcher.errors import InvalidRequestError
    from searcher.tools.analysis.command import analyze, strategy_with

    limits = Limits(depth, nodes, threads=threads)
    seconds = None if milliseconds is None else milliseconds / 1000
    try:
        analyze(file, you, strategy_with(strategy or "", weights), limits, seconds, as_json)
    except (InvalidRequestError, ValueError) as error:
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
