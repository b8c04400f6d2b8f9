"""`python -m searcher analyze`: shows the search of a position."""

import click

from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples
from searcher.commands.common import limit_options


@click.command(
    epilog=examples(
        "python -m searcher analyze move.json --time 500",
        "python -m searcher analyze game.jsonl:57 --strategy paranoid/area",
    )
)
@click.argument("file", metavar="FILE[:TURN]")
@click.option("--you", metavar="NAME_OR_ID", help="Snake to move.  [default: the body's own, or the first]")
@limit_options(default_time="400 without --depth and --nodes")
@click.option("--threads", type=click.IntRange(1), default=1, help="Threads of the search.")
@click.option(
    "--strategy",
    shell_complete=completion.strategies,
    help="search/evaluator, or auto, by the position.  [default: auto]",
)
@click.option(
    "--weights",
    metavar="NAME=VALUE,...|FILE",
    help="Weights of the evaluator, by name or in a TOML file as `arena tune` writes it; without --strategy "
    "those of balanced.",
)
@click.option(
    "--as-played",
    is_flag=True,
    help="Search as for the move of a game: worse moves get only upper bounds, marked with ≤.",
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
    as_played: bool,
    as_json: bool,
) -> None:
    """Search a position, and show the result of each depth and the score of each move.

    FILE has a /move body, or a game as `battlesnake play --output FILE` writes it. In a game, TURN names the
    position to search. FILE may be - for standard input. On the board each snake is a letter, in upper case
    at its head.
    """
    from searcher.engine.result import Limits, Scores
    from searcher.errors import InvalidRequestError
    from searcher.tools.analysis_report import analyze, choice_with

    limits = Limits(depth, nodes, threads=threads, scores=Scores.BEST if as_played else Scores.ALL)
    seconds = None if milliseconds is None else milliseconds / 1000
    try:
        analyze(file, you, choice_with(strategy or "", weights), limits, seconds, as_json)
    except (InvalidRequestError, ValueError) as error:
        raise click.ClickException(str(error)) from None
