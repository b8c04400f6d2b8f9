"""The arena's command line: all commands, as one group."""

import click

from arena.commands.board import board
from arena.commands.compliance import compliance
from arena.commands.fit import fit
from arena.commands.games import games
from arena.commands.gauntlet import gauntlet
from arena.commands.match import match
from arena.commands.pool import pool
from arena.commands.replay import replay
from arena.commands.report import report
from arena.commands.sprt import sprt
from arena.commands.tune import tune
from battlesnake_search.common.cli import CONTEXT, version_option
from battlesnake_search.common.config import config_option
from searcher.commands.common import CompilingGroup


@click.group(cls=CompilingGroup, context_settings=CONTEXT)
@version_option
@config_option("arena")
def main() -> None:
    """Measure whether one Battlesnake is stronger than another."""


for command in (
    match,
    gauntlet,
    pool,
    report,
    replay,
    board,
    sprt,
    tune,
    games,
    fit,
    compliance,
):
    main.add_command(command)
