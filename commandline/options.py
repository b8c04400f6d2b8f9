"""Options that every command has."""

from typing import Any

import click
from click.core import ParameterSource

CONTEXT: dict[str, Any] = {"show_default": True, "help_option_names": ["-h", "--help"]}
"""The context settings of a command or of a whole group: -h, and help that shows defaults."""

_PACKAGE = "battlesnake-search"


def examples(*commands: str) -> str:
    """Return the epilogue of a command's help with examples, which the help shows line by line."""
    return "\b\nExamples:\n" + "\n".join(f"  {command}" for command in commands)


version_option = click.version_option(package_name=_PACKAGE, message="%(prog)s %(version)s")
"""The option --version."""


def version_text(context: click.Context) -> str:
    """Return what --version prints."""
    # Every command would wait for this import.
    from importlib.metadata import version

    return f"{context.find_root().info_name} {version(_PACKAGE)}"


def inherited(context: click.Context, name: str) -> Any:
    """Return the value of a parameter that a command above has, and this one was not given.

    Raises LookupError if no command above has it, or if it was given on this command's own line.
    """
    if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
        above = context.parent
        while above:
            if name in above.params:
                return above.params[name]
            above = above.parent
    raise LookupError(name)
