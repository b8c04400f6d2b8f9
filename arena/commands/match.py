"""`python -m arena match`: plays A against B."""

import asyncio
import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.commands.options import (
    EXISTING_FILE,
    WHOLE,
    LazyChoice,
    WholeNumber,
    error_rate_options,
    model_option,
    output_option,
)
from protos.rulesets import RULESETS

if TYPE_CHECKING:
    from arena.games.openings import Book
    from arena.matches.match import MatchEnd
    from arena.matches.standing import Standing
    from arena.matches.workers import Workers
    from arena.records.model import Setup

_TURNS = WholeNumber(1, 10_000)
_SIDE = WholeNumber(3, 25)
_WIDTH = 130
"""The columns of the summary where standard output is not a terminal."""


def _maps() -> tuple[str, ...]:
    from arena.games.boards import map_names

    return map_names()


@click.command()
@click.argument("entrants", nargs=-1, required=True, metavar="A B [C D ...]")
@click.option(
    "--games",
    type=WHOLE,
    default=200,
    help="Maximum number of games, rounded up to whole pairs of games with swapped starts; "
    "to whole blocks with more entrants.",
)
@click.option("--time", "milliseconds", type=WHOLE, help="Milliseconds for a move.")
@click.option("--depth", type=WHOLE, help="Turns to search ahead.")
@click.option("--nodes", type=WHOLE, show_default="20000 if nothing else is given", help="Nodes for a move.")
@click.option("--threads", type=WHOLE, default=1, help="Threads of each search.")
@click.option("--ruleset", type=click.Choice(RULESETS), default="standard", help="Rules of the game.")
@click.option(
    "--map",
    "map_",
    type=LazyChoice(_maps),
    show_default="royale for royale, else standard",
    help="Map of the game.",
)
@click.option("--size", type=_SIDE, default=11, help="Side of the board.")
@click.option(
    "--snakes", type=WholeNumber(1, 8), show_default="one for each entrant", help="Snakes in a game."
)
@click.option(
    "--food-chance",
    type=WholeNumber(0, 100),
    default=15,
    help="Chance of new food each turn, in per cent.",
)
@click.option("--minimum-food", type=WholeNumber(0), default=1, help="Food that is always on the board.")
@click.option(
    "--hazard-damage", type=int, metavar="N", default=14, help="Health lost for each turn and layer."
)
@click.option("--shrink-every", type=WHOLE, default=25, help="Turns between two steps of royale's hazards.")
@click.option("--max-turns", type=_TURNS, default=1000, help="A longer game is a draw between the survivors.")
@click.option("--seed", type=int, metavar="N", default=1, help="Seed of starts, food, hazards and searches.")
@click.option(
    "--company",
    multiple=True,
    metavar="ENTRANT",
    help="Fill a seat of each game with this entrant, which is not compared; repeatable. If there are more "
    "than seats, they take turns.",
)
@click.option("--openings", type=EXISTING_FILE, help="Start from the positions in a file.")
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="Stop once a sequential test decides whether the first entrant leads by ELO1 rather than ELO0.",
)
@error_rate_options(click.FLOAT)
@model_option
@click.option("--strict", is_flag=True, help="Stop at the first fault.")
@click.option("--concurrency", type=WHOLE, show_default="one for each core", help="Games at once.")
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; needs the extra ray.")
@output_option("file", ["--json"], help="Write the games to FILE, one line of JSON per block.")
@click.option("--resume", is_flag=True, help="Continue the match in the --output FILE.")
def match(
    entrants: tuple[str, ...],
    concurrency: int | None,
    ray: str | None,
    file: Path | None,
    resume: bool,
    openings: Path | None,
    **options: Any,
) -> None:
    """Play snakes against each other: which of them is stronger?

    An entrant is a strategy (paranoid/area), an opponent of the pool (greedy), a gRPC target
    (localhost:50051, unix:/path) or the URL of any Battlesnake, with limits of its own after commas:
    paranoid/length,nodes=10000,name=weak. The statistics describe the first entrant.

    The exit code is 0 when the match has ended, whatever its result; 1 after a fault with --strict.
    """
    # All imports come first: a missing package is reported before anything is compiled.
    from rich.console import Console

    from arena.games.entrants import check_reachable
    from arena.matches.match import MatchEnd
    from arena.matches.setup import read_setup
    from arena.matches.summary import explanation, summary

    if resume and file is None:
        raise click.UsageError("--resume needs --output FILE")
    try:
        setup, book = read_setup(entrants, openings, options)
        workers = _workers(concurrency, ray)
        if ray is None:
            # The machines of a cluster may reach other entrants than this one does.
            asyncio.run(check_reachable(setup.entrants))
        standing, end = _play(setup, book, workers, file, resume)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH)
    console.print(summary(standing))
    console.print(f"Ended: {end.value}.\n")
    console.print(explanation(standing))
    sys.exit(1 if end is MatchEnd.STRICT else 0)


def _workers(concurrency: int | None, ray: str | None) -> "Workers":
    if ray is None:
        from arena.matches.workers import LocalWorkers

        return LocalWorkers(concurrency or os.cpu_count() or 1)
    try:
        from arena.matches.ray_workers import RayWorkers
    except ImportError:
        raise click.ClickException("--ray needs Ray: pip install 'battlesnake-search[ray]'") from None
    return RayWorkers(ray, concurrency)


def _play(
    setup: "Setup", book: "Book | None", workers: "Workers", file: Path | None, resume: bool
) -> "tuple[Standing, MatchEnd]":
    import tempfile

    from arena.matches.match import play_match
    from arena.matches.progress import MatchProgress
    from arena.matches.workers import WorkersLostError
    from arena.records.files import MatchFile

    with tempfile.TemporaryDirectory() as folder:
        path = file or Path(folder) / "match.jsonl"
        try:
            with (
                closing(MatchFile(path, setup, resume)) as match_file,
                MatchProgress(setup.blocks) as progress,
            ):
                return play_match(setup, book, workers, match_file, progress)
        except (KeyboardInterrupt, WorkersLostError) as error:
            kept = f"; --resume continues it from {file}" if file else ""
            raise click.ClickException(f"the match was interrupted{kept} {error}".rstrip()) from None
