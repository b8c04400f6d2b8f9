"""`python -m arena gauntlet`: plays A against a pool of opponents."""

from functools import partial
from pathlib import Path

import click

from arena.commands.common import WHOLE, play
from arena.commands.match import LIMIT_OPTIONS, RULES_OPTIONS, options_of_match
from battlesnake_search.common import completion
from battlesnake_search.common.cli import examples
from battlesnake_search.common.types import OptionValue


@click.command(
    epilog=examples(
        "python -m arena gauntlet auto --games 100",
        "python -m arena gauntlet http://localhost:8000 --pool greedy --snakes 4",
    )
)
@click.argument("entrant", metavar="A", shell_complete=completion.entrants)
@click.option(
    "--pool",
    "opponents",
    multiple=True,
    metavar="ENTRANT",
    shell_complete=completion.entrants,
    show_default="the whole pool",
    help="Play against this opponent of the pool or any other entrant; repeatable.",
)
@click.option(
    "--games",
    type=WHOLE,
    default=20,
    help="Minimum number of games against each opponent, rounded up to whole blocks and to equally many "
    "games for all.",
)
@click.option(
    "--snakes",
    type=click.IntRange(2, 8),
    default=2,
    help="Snakes in a game: A, and opponents that take turns.",
)
def gauntlet(
    entrant: str,
    opponents: tuple[str, ...],
    concurrency: int | None,
    ray: str | None,
    file: Path | None,
    resume: bool,
    **options: OptionValue,
) -> None:
    """Play A against a pool of opponents.

    A match between similar snakes can't show a fault that both share. A gauntlet shows the points of A by
    opponent, the causes of death of its snakes, and how often A claims a loss without reason.

    A and the opponents are entrants as in a match: strategies, opponents of the pool, gRPC targets or URLs.
    Limits for a move hold for A and for opponents that search. A and the opponents in a game change seats
    until each of them has had every seat.
    """
    # All imports come first: a missing package is reported before anything is compiled.
    import arena.report.findings  # noqa: F401
    from arena.games.entrants import pool_names
    from arena.matches.match import read_gauntlet

    company = opponents or pool_names()
    read = partial(read_gauntlet, entrant, company, options)
    play(read, options, concurrency, ray, file, resume)


gauntlet.params += options_of_match(
    *RULES_OPTIONS, *LIMIT_OPTIONS, "strict", "concurrency", "ray", "file", "resume"
)
