"""`python -m searcher bench`: measures the speed of the search."""

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples


@click.command(
    epilog=examples(
        "python -m searcher bench",
        "python -m searcher bench --time 500 --strategy auto --json",
    )
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option(
    "--time", "milliseconds", type=click.IntRange(1), help="Milliseconds of search for each position."
)
@click.option(
    "--depth", type=click.IntRange(1), show_default="each position's own", help="Depth of search in turns."
)
@click.option(
    "--strategy",
    default="paranoid/area",
    shell_complete=completion.strategies,
    help="search/evaluator or auto; also the one of the signature.",
)
@click.option("--threads", type=click.IntRange(1), default=1, help="Threads for each search.")
def bench(as_json: bool, milliseconds: int | None, depth: int | None, strategy: str, threads: int) -> None:
    """Search fixed positions and measure the speed.

    The nodes of all positions at their fixed depths are the signature of the search's behaviour.
    """
    from searcher.strategies import parse_choice
    from searcher.tools.bench import prepare, report, run

    if milliseconds is not None and depth is not None:
        raise click.UsageError("--time and --depth exclude each other")
    try:
        chosen = parse_choice(strategy)
        prepare(chosen)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--strategy") from None
    report(run(chosen, milliseconds, depth, threads), as_json)
