"""`python -m arena match`: plays A against B. Imports what it needs when it runs."""

import os
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.games.openings import Book
    from arena.matches.workers import Workers
    from arena.records import Setup

_RULESETS = ("standard", "solo", "royale", "constrictor", "wrapped", "wrapped_constrictor")
_MAPS = ("standard", "royale", "empty")
_WHOLE = click.IntRange(1)
_TURNS = click.IntRange(1, 10_000)
_SIDE = click.IntRange(3, 25)
_WIDTH = 130
"""Columns, where there is no terminal to ask."""

_FILE = click.Path(dir_okay=False, path_type=Path)


@click.command(context_settings={"show_default": True})
@click.argument("entrants", nargs=-1, required=True, metavar="A B [C D ...]")
@click.option("--games", type=_WHOLE, default=200, help="The most games to play.")
@click.option("--time", "milliseconds", type=_WHOLE, help="Milliseconds for a move.")
@click.option("--depth", type=_WHOLE, help="Turns to look ahead.")
@click.option("--nodes", type=_WHOLE, help="Nodes for a move.  [default: 20000 if nothing else is given]")
@click.option("--threads", type=_WHOLE, default=1, help="Threads of each search.")
@click.option("--ruleset", type=click.Choice(_RULESETS), default="standard")
@click.option("--map", "map_", type=click.Choice(_MAPS), help="[default: royale for royale, else standard]")
@click.option("--size", type=_SIDE, default=11, help="Side of the board.")
@click.option("--snakes", type=click.IntRange(1, 8), help="On the board.  [default: one for each entrant]")
@click.option(
    "--food-chance", type=click.IntRange(0, 100), default=15, help="Of new food each turn, per cent."
)
@click.option("--minimum-food", type=click.IntRange(0), default=1)
@click.option("--hazard-damage", type=int, default=14, help="For each turn and layer.")
@click.option("--shrink-every", type=_WHOLE, default=25, help="Turns between two steps of royale's hazards.")
@click.option("--max-turns", type=_TURNS, default=1000, help="A longer game is a draw of those left.")
@click.option("--seed", type=int, default=1)
@click.option("--openings", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Positions.")
@click.option("--sprt", type=(float, float), metavar="ELO0 ELO1", help="Stop once it is decided.")
@click.option(
    "--alpha", type=float, default=0.05, help="The test's chance to accept ELO1 although ELO0 is true."
)
@click.option(
    "--beta", type=float, default=0.05, help="The test's chance to reject ELO1 although it is true."
)
@click.option("--model", type=click.Choice(["logistic", "normalized"]), default="logistic", help="Which Elo.")
@click.option("--strict", is_flag=True, help="Stop at the first fault.")
@click.option("--concurrency", type=_WHOLE, help="Games at once.  [default: one for each core]")
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; needs the extra ray.")
@click.option("--json", "file", type=_FILE, metavar="FILE", help="Where the games go, a line for each block.")
@click.option("--resume", is_flag=True, help="Continue the match in FILE.")
def match(
    entrants: tuple[str, ...],
    concurrency: int | None,
    ray: str | None,
    file: Path | None,
    resume: bool,
    openings: Path | None,
    **options: Any,
) -> None:
    """Plays entrants against each other and says with statistics who is stronger.

    An entrant is a strategy (paranoid/area), a gRPC target (localhost:50051, unix:/path) or the URL of any
    Battlesnake, with limits of its own after commas: paranoid/length,nodes=10000,name=weak. The statistics
    are those of the first one.

    The exit code is 0 when the match has ended, whoever is stronger; 1 at a fault with --strict.
    """
    from arena.matches.setup import read_setup

    try:
        setup, book = read_setup(entrants, openings, options)
        workers = _workers(concurrency, ray)
        sys.exit(_play(setup, book, workers, file, resume))
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None


def _workers(concurrency: int | None, ray: str | None) -> "Workers":
    if ray is None:
        from arena.matches.workers import LocalWorkers

        return LocalWorkers(concurrency or os.cpu_count() or 1)
    try:
        from arena.matches.ray_workers import RayWorkers
    except ImportError:
        raise click.ClickException("--ray needs Ray: pip install 'battlesnake-search[ray]'") from None
    return RayWorkers(ray, concurrency)


def _play(setup: "Setup", book: "Book | None", workers: "Workers", file: Path | None, resume: bool) -> int:
    import tempfile

    from rich.console import Console

    from arena.files import MatchFile
    from arena.matches.match import End, play_match
    from arena.matches.progress import Live
    from arena.matches.summary import summary
    from arena.matches.workers import WorkersLostError

    if resume and file is None:
        raise click.UsageError("--resume needs --json FILE")
    with tempfile.TemporaryDirectory() as folder:
        path = file or Path(folder) / "match.jsonl"
        try:
            with closing(MatchFile(path, setup, resume)) as match_file, Live(setup.blocks) as live:
                standing, end = play_match(setup, book, workers, match_file, live)
        except (KeyboardInterrupt, WorkersLostError) as error:
            kept = f"; --resume continues it from {file}" if file else ""
            raise click.ClickException(f"the match was broken off{kept} {error}".rstrip()) from None
    console = Console(highlight=False, width=None if sys.stdout.isatty() else _WIDTH)
    console.print(summary(standing))
    console.print(f"Ended: {end.value}.")
    return 1 if end is End.STRICT else 0
