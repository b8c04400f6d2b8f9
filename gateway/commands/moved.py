"""The commands that the console has now. They stay here for one release, and run the console's command."""

import os
import sys

import click
from click.core import ParameterSource

from gateway.commands.options import PASSED_ON

NAMES = ("blunders", "experiments", "games", "watch")
"""The names of the commands."""

_GIVEN = (ParameterSource.COMMANDLINE, ParameterSource.DEFAULT_MAP)
"""The sources of values that are not in the environment."""


def moved(name: str) -> click.Command:
    """Return the hidden command that runs the console's command of this name, with the same arguments."""

    @click.command(
        name,
        hidden=True,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True},
        help=f"Now `python -m console {name}`.",
    )
    @click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
    @click.pass_context
    def command(context: click.Context, arguments: tuple[str, ...]) -> None:
        click.echo(f"`{context.command_path}` is now `{_present(context.command_path, name)}`", err=True)
        os.environ.update(_variables(context))
        os.execv(sys.executable, (sys.executable, "-m", "console", name, *arguments))

    return command


def _present(former: str, name: str) -> str:
    """Return the console's command in the words of the former one, if these name the gateway."""
    return former.replace("gateway", "console") if "gateway" in former else f"python -m console {name}"


def _variables(context: click.Context) -> dict[str, str]:
    """Return the options that were given before the command, each as a variable."""
    above = context.parent
    assert above is not None
    return {
        variable: str(above.params[name])
        for name, variable in PASSED_ON.items()
        if above.get_parameter_source(name) in _GIVEN and above.params[name] is not None
    }
