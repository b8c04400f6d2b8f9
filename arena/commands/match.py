"""`python -m arena match`: plays A against B."""

from functools import partial
from pathlib import Path

import click

from arena.commands.common import WHOLE, LazyChoice, output_option, play
from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples
from battlesnake_search.common.types import OptionValue
from battlesnake_search.contract.rulesets import RULESETS
from battlesnake_search.options import CREDENTIALS, credential_options

_TURNS = click.IntRange(1, 10_000)
_SIDE = click.IntRange(3, 25)


def _maps() -> tuple[str, ...]:
    from arena.games.boards import map_names

    return map_names()


@click.command(
    epilog=examples(
        "python -m arena match paranoid/area paranoid/length",
        "python -m arena match http://localhost:8000 greedy --time 500 --games 10",
        "python -m arena match auto localhost:50051 --output match.jsonl --resume",
    )
)
@click.argument(
    "entrants", nargs=-1, required=True, metavar="A B [C D ...]", shell_complete=completion.entrants
)
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
    metavar="NAME",
    show_default="royale for royale, else standard",
    help="Map of the game, by the official engine's name.",
)
@click.option("--size", type=_SIDE, show_default="11, or the size of the map", help="Side of a square board.")
@click.option("--width", type=_SIDE, show_default="--size", help="Columns of the board.")
@click.option("--height", type=_SIDE, show_default="--size", help="Rows of the board.")
@click.option(
    "--snakes", type=click.IntRange(1, 8), show_default="one for each entrant", help="Snakes in a game."
)
@click.option(
    "--food-chance",
    type=click.IntRange(0, 100),
    default=15,
    help="Chance of new food each turn, in per cent.",
)
@click.option("--minimum-food", type=click.IntRange(0), default=1, help="Food that is always on the board.")
@click.option(
    "--hazard-damage",
    type=int,
    default=14,
    help="Health lost for each turn and layer; negative numbers heal.",
)
@click.option(
    "--shrink-every",
    type=WHOLE,
    default=25,
    help="Turns between two steps of the hazards, on maps that leave it open.",
)
@click.option("--max-turns", type=_TURNS, default=1000, help="A longer game is a draw between the survivors.")
@click.option("--seed", type=int, default=1, help="Seed of starts, food, hazards and searches.")
@click.option(
    "--company",
    multiple=True,
    metavar="ENTRANT",
    help="Fill a seat of each game with this entrant, without comparing it; repeatable. More entrants than "
    "seats take turns.",
)
@click.option(
    "--sprt",
    type=(float, float),
    metavar="ELO0 ELO1",
    help="Stop once a sequential test decides whether the first entrant leads by ELO1 rather than ELO0.",
)
@click.option("--strict", is_flag=True, help="Stop at the first fault.")
@click.option("--concurrency", type=WHOLE, show_default="one for each core", help="Games at once.")
@click.option("--ray", metavar="ADDRESS", help="Play on a Ray cluster; needs the extra ray.")
@credential_options
@output_option("file", help="Write the games to FILE, one line of JSON per block.")
@click.option("--resume", is_flag=True, help="Continue the match in the --output FILE.")
def match(
    entrants: tuple[str, ...],
    concurrency: int | None,
    ray: str | None,
    file: Path | None,
    resume: bool,
    **options: OptionValue,
) -> None:
    """Play snakes against each other: which of them is stronger?

    An entrant is a strategy (paranoid/area), an opponent of the pool (greedy), a gRPC target
    (localhost:50051, unix:/path, grpcs://host:port for TLS) or the URL of any Battlesnake. Limits of the
    entrant alone follow after commas: paranoid/length,nodes=10000,name=weak. The statistics describe the
    first entrant.

    The exit code is 0 when the match has ended, with any result. It is 1 if no game counts, or after a fault
    with --strict.
    """
    # All imports come first: a missing package is reported before anything is compiled.
    import arena.report.findings  # noqa: F401
    from arena.matches.match import read_setup

    read = partial(read_setup, entrants, options)
    play(read, options, concurrency, ray, file, resume)


RULES_OPTIONS = (
    *("ruleset", "map_", "size", "width", "height", "food_chance", "minimum_food", "hazard_damage"),
    *("shrink_every", "max_turns", "seed", *CREDENTIALS),
)
"""The options of a match that describe its games, by the names of their parameters."""

LIMIT_OPTIONS = ("milliseconds", "depth", "nodes", "threads")


def options_of_match(*names: str) -> list[click.Parameter]:
    """Return the options of a match with these names, for other commands that have them too."""
    return [option for option in match.params if option.name in names]
