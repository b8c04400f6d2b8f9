"""The arena's command line."""

import click

from arena.commands.compliance import compliance
from arena.commands.match import match
from arena.commands.openings import openings
from arena.commands.report import report
from arena.commands.sprt import sprt
from arena.commands.tune import tune


@click.group(context_settings={"show_default": True})
def main() -> None:
    """Measure whether one Battlesnake is stronger than another."""


for command in (match, openings, report, sprt, tune, compliance):
    main.add_command(command)

if __name__ == "__main__":
    main(prog_name="python -m arena")
