"""Options that more than one command has, and the playing of a match for them."""

import asyncio
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import in_words
from battlesnake_search.common.cores import available_cores
from battlesnake_search.common.launch import pip_install
from battlesnake_search.common.types import CommandT, Options, OptionValue
from battlesnake_search.options import credential_files

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arena.matches.match import MatchEnd
    from arena.matches.standing import Standing
    from arena.matches.workers import Workers
    from arena.records import Setup
    from battlesnake_search.channels import CredentialFiles


EXISTING_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FILE = click.Path(dir_okay=False, path_type=Path)
EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


WHOLE = click.IntRange(1)


def output_option(parameter: str, **attributes: OptionValue) -> Callable[[CommandT], CommandT]:
    """Return a decorator that adds the option for the file that the command writes."""
    given: Options = {"type": FILE, "metavar": "FILE"} | attributes
    return click.option("-o", "--output", parameter, **given)


class LazyChoice(click.Choice[str]):
    """A choice that reads its values when they are needed, so that `--help` of other commands stays fast."""

    def __init__(self, read: Callable[[], Iterable[str]]) -> None:
        # The base class would read the values at once.
        self._read = read
        self.case_sensitive = True

    @cached_property
    def choices(self) -> tuple[str, ...]:  # type: ignore[override]
        """The valid values."""
        return tuple(self._read())


_WIDTH = 130
"""The columns of the summary where standard output is not a terminal."""


@contextmanager
def errors_in_a_line(interrupted: str, remedy: str = "") -> Iterator[None]:
    """End the command with one line after an error in the block, or after an interruption of its games."""
    from arena.matches.workers import WorkersLostError

    try:
        yield
    except (ValueError, OSError) as error:
        raise click.ClickException(in_words(error)) from None
    except (KeyboardInterrupt, WorkersLostError) as error:
        reason = f"{interrupted}: {error}".removesuffix(": ")
        raise click.ClickException(f"{reason}{remedy}") from None


def play(
    read: "Callable[[], Setup]",
    options: Options,
    concurrency: int | None,
    ray: str | None,
    file: Path | None,
    resume: bool,
) -> None:
    """Play the match with the setup from `read`, and print its results. Errors end the command with one line.

    `options` has the credentials for gRPC targets, by parameter. Exit with 1 if a fault ended the match, or
    if no game counts.
    """
    if resume and file is None:
        raise click.UsageError("--resume needs --output FILE")
    import msgspec

    from arena.games.entrants import versions_of
    from arena.matches.match import MatchEnd

    remedy = f"; --resume continues it from {file}" if file else ""
    with errors_in_a_line("the match was interrupted", remedy):
        credentials = shown_credentials(options)
        setup = read()
        _tell_rounding(setup, options["games"])
        workers = _workers(concurrency, ray, credentials)
        if ray is None:
            # With Ray, skip this check: the cluster's machines may reach entrants that this one can't.
            versions = asyncio.run(versions_of(setup.entrants, setup.rules, setup.snakes, credentials))
            setup = msgspec.structs.replace(setup, versions=versions)
        standing, end = _play(setup, workers, file, resume)
    _print(standing, end)
    sys.exit(1 if end is MatchEnd.STRICT or not standing.games else 0)


def _tell_rounding(setup: "Setup", asked: int) -> None:
    """Print the number of games if it was rounded up. A gauntlet asks for the games against each opponent."""
    from arena.matches.schedule import games_in_block

    games = setup.blocks * games_in_block(setup)
    if setup.contenders > 1 and games > asked:
        click.echo(
            f"--games {asked} is rounded up to {games}, because each entrant plays from each start.", err=True
        )


def _print(standing: "Standing", end: "MatchEnd") -> None:
    """Print the conclusion, the results, the reason of the end, and the meaning of terms."""
    from rich.text import Text

    from arena.commands.tables import printed_tables, terms_of
    from arena.report.findings import conclusion, results

    tables = results(standing)
    headline = Text(f"{conclusion(standing)}\n", "bold")
    print_parts(headline, *printed_tables(tables), f"Ended: {end.value}.\n", terms_of(tables))


def print_parts(*parts: "RenderableType") -> None:
    """Print the parts of a summary."""
    from battlesnake_search.common.cli import table_console

    console = table_console(_WIDTH, highlight=False)
    for part in parts:
        console.print(part)


_QUIET_SECONDS = 2.0
"""The seconds after which work without other progress is named."""


@contextmanager
def working(text: str) -> Iterator[None]:
    """Name the work of the block on standard error: at once on a terminal, elsewhere if it takes long."""
    from battlesnake_search.common.console import Console

    console = Console(stderr=True)
    if console.is_interactive:
        with console.status(text):
            yield
        return
    timer = threading.Timer(_QUIET_SECONDS, lambda: console.print(text, markup=False, highlight=False))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def shown_credentials(options: Options) -> "CredentialFiles | None":
    """Return the files with the credentials for gRPC targets, if any. Send the log to standard error.

    Raises ValueError for a certificate without a key, or a key without a certificate.
    """
    if credentials := credential_files(options):
        from battlesnake_search.common import logs

        # Without a log, nobody would see the warning of a token that is sent without TLS.
        logs.configure("text", "warning")
    return credentials


def _workers(concurrency: int | None, ray: str | None, credentials: "CredentialFiles | None") -> "Workers":
    if ray is None:
        from arena.matches.workers import LocalWorkers

        return LocalWorkers(concurrency or available_cores(), credentials)
    try:
        from arena.matches.ray_workers import RayWorkers
    except ImportError:
        raise click.ClickException(f"--ray needs Ray: {pip_install('ray')}") from None
    return RayWorkers(ray, concurrency, credentials)


def _play(setup: "Setup", workers: "Workers", file: Path | None, resume: bool) -> "tuple[Standing, MatchEnd]":
    from arena.matches.match import play_match
    from arena.matches.progress import MatchProgress
    from arena.records import MatchFile

    with tempfile.TemporaryDirectory() as folder:
        path = file or Path(folder) / "match.jsonl"
        with closing(MatchFile(path, setup, resume)) as match_file, MatchProgress(setup) as progress:
            return play_match(match_file.setup, workers, match_file, progress.block_ended)
