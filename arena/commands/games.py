"""`python -m arena games`: plays or reads games to learn from."""

from pathlib import Path

import click

from arena.commands.common import EXISTING_FILE, WHOLE, errors_in_a_line, shown_credentials, working
from arena.commands.match import RULES_OPTIONS, options_of_match
from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples
from battlesnake_search.common.cores import available_cores
from battlesnake_search.common.types import OptionValue


@click.command(
    epilog=examples(
        "python -m arena games duels --games 1500 --players paranoid/hungry",
        "python -m arena games fours --games 150 --players crowd/hungry --snakes 4",
    )
)
@click.argument("folder", metavar="OUT", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--players",
    multiple=True,
    metavar="ENTRANT",
    shell_complete=completion.entrants,
    show_default="hungry, twice as often as each search of the pool",
    help="Draw the snakes of each game from these entrants, as in a match; repeatable.",
)
@click.option(
    "--games",
    type=WHOLE,
    default=1000,
    help="Games to play, rounded up to whole parts of 25; more of them continue a folder.",
)
@click.option("--snakes", type=click.IntRange(2, 8), default=2, help="Snakes in a game.")
@click.option("--nodes", type=WHOLE, default=1000, help="Nodes for a move.")
@click.option(
    "--vary",
    type=click.FloatRange(0.0, 2.0),
    metavar="X",
    default=0.3,
    help="Multiply each weight of a snake by a random number with this logarithmic standard deviation.",
)
@click.option(
    "--explore",
    type=click.FloatRange(0.0, 1.0),
    metavar="P",
    default=0.0,
    help="Make this share of the moves at random, because learning also needs moves that snakes avoid.",
)
@click.option(
    "--recorded",
    type=EXISTING_FILE,
    multiple=True,
    help="Play nothing, and read the games of this file: the --output of a match, or a game that the "
    "official engine or `python -m console games export` wrote; repeatable.",
)
def games(
    folder: Path,
    players: tuple[str, ...],
    games: int,
    recorded: tuple[Path, ...],
    concurrency: int | None,
    **options: OptionValue,
) -> None:
    """Play fast games to learn from, or read recorded games.

    OUT is a folder of Parquet files with the positions, and for each snake its move, the score of its search
    and its outcome. The same command continues an interrupted folder. Each part of 25 games depends only on
    the seed and its number.
    """
    # All imports come first: a missing package is reported before anything is compiled.
    import arena.data.files  # noqa: F401

    with errors_in_a_line("the games were interrupted", "; the same command continues them"):
        if recorded:
            _read(recorded, folder)
        else:
            _play(players, games, folder, concurrency or available_cores(), options)


games.params += options_of_match(*RULES_OPTIONS, "concurrency")


def _play(
    players: tuple[str, ...], games: int, folder: Path, processes: int, options: dict[str, OptionValue]
) -> None:
    from arena.data.playing import GAMES_IN_PART, play_data, read_data_setup
    from arena.matches.progress import StepProgress
    from arena.matches.workers import LocalWorkers

    credentials = shown_credentials(options)
    setup = read_data_setup(players, options)
    parts = -(-games // GAMES_IN_PART)
    workers = LocalWorkers(processes, credentials)
    with StepProgress("game", parts * GAMES_IN_PART) as progress:

        def part_ended(done: int, positions: int) -> None:
            progress.steps_ended(done * GAMES_IN_PART, f"{positions:,} positions")

        play_data(setup, parts, folder, workers, part_ended)


def _read(files: tuple[Path, ...], folder: Path) -> None:
    from arena.data.histories import write_recorded

    with working("Reading the games …"):
        games, positions = write_recorded(files, folder)
    click.echo(f"{positions} positions of {games} games in {folder}")
